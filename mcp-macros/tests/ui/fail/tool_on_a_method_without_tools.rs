#![allow(unused)]
use mcp_core::tool;

struct Files;

impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
