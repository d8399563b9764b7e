#![allow(unused)]
use mcp_core::tool;

#[tool]
fn größe() -> u8 {
    0
}

fn main() {}
