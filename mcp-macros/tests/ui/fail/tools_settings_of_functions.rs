#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool(type = Search, crate = mcp_core)]
    fn search(&self) {}
}

fn main() {}
