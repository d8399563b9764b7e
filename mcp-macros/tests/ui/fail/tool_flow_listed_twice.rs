#![allow(unused)]
use mcp_core::tool;

#[tool(flow("network-out", "network-out"))]
fn search() {}

fn main() {}
