#![allow(unused)]
use mcp_core::tool;

#[tool(read_only, flow("filesystem-read", "filesystem-write"))]
fn search() {}

fn main() {}
