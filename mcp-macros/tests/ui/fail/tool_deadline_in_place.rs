#![allow(unused)]
use mcp_core::tool;

#[tool(deadline = "30s")]
fn search() {}

fn main() {}
