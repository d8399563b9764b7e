#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
union Search {
    a: u8,
}

fn main() {}
