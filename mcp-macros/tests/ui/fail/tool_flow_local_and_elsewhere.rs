#![allow(unused)]
use mcp_core::tool;

#[tool(flow("local-only", "third-party"))]
fn search() {}

fn main() {}
