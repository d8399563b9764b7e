#![allow(unused)]
use mcp_core::tool;

#[tool(description = "")]
fn search() {}

fn main() {}
