#![allow(unused)]
use mcp_core::tool;

#[tool("search")]
fn search() {}

fn main() {}
