#![allow(unused)]
use mcp_core::tool;

#[tool(open_world, flow("local-only"))]
fn search() {}

fn main() {}
