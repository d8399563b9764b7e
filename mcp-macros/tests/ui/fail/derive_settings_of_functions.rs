#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
#[tool(blocking, type = Find)]
struct Search {}

fn main() {}
