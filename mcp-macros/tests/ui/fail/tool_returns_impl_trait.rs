#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search() -> impl ToString {
    1
}

fn main() {}
