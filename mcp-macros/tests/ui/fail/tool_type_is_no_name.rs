#![allow(unused)]
use mcp_core::tool;

#[tool(type = "Search")]
fn search() {}

fn main() {}
