#![allow(unused)]
use mcp_core::tool;

#[tool(open_world = false, flow("network-out"))]
fn search() {}

fn main() {}
