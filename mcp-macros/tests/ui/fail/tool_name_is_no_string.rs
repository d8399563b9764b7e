#![allow(unused)]
use mcp_core::tool;

#[tool(name = 3)]
fn search() {}

fn main() {}
