#![allow(unused)]
use mcp_core::tool;

struct Broken;

#[tool]
fn search() -> Result<Vec<String>, Broken> {
    Err(Broken)
}

fn main() {}
