#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    fn search(&self) {}

    #[tool(name = "search")]
    fn find(&self) {}
}

fn main() {}
