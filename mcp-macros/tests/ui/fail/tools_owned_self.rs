#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    fn search(self) {}

    #[tool]
    fn find(self: Self) {}
}

fn main() {}
