#![allow(unused)]
use mcp_core::tool;

#[tool(meta("a" = 1, "a" = 2))]
fn search() {}

fn main() {}
