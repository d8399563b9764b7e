#![allow(unused)]
use mcp_core::tool;

#[tool(name = "add numbers")]
fn search() {}

fn main() {}
