#![allow(unused)]
use mcp_core::tool;

struct Files;

#[tool]
impl Files {
    fn search(&self) {}
}

fn main() {}
