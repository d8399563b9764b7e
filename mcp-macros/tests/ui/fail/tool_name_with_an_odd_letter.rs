#![allow(unused)]
use mcp_core::tool;

#[tool(name = "files/search")]
fn search() {}

fn main() {}
