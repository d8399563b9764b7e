#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
enum Search {
    Files,
}

fn main() {}
