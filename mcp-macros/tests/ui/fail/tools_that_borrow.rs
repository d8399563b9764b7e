#![allow(unused)]
use mcp_core::{tool, tools};

struct Files<'a>(&'a str);

#[tools]
impl<'a> Files<'a> {
    #[tool]
    fn search(&self) {}
}

fn main() {}
