#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    fn search<T: Default>(&self) {}
}

fn main() {}
