#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
struct Search<'a> {
    text: &'a str,
}

fn main() {}
