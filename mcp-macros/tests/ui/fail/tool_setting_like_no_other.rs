#![allow(unused)]
use mcp_core::tool;

#[tool(xyzzy = 1)]
fn search() {}

fn main() {}
