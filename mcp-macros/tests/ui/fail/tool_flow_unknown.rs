#![allow(unused)]
use mcp_core::tool;

#[tool(flow("network"))]
fn search() {}

fn main() {}
