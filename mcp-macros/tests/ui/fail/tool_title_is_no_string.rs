#![allow(unused)]
use mcp_core::tool;

#[tool(title, description = 5)]
fn search() {}

fn main() {}
