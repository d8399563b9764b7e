#![allow(unused)]
use mcp_core::tool;

#[tool(crate = 1)]
fn search() {}

fn main() {}
