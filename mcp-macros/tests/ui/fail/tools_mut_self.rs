#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    fn search(&mut self) {}

    #[tool]
    fn find(self: &mut Self) {}
}

fn main() {}
