#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
struct Search;

fn main() {}
