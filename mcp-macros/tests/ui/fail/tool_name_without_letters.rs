#![allow(unused)]
use mcp_core::tool;

#[tool(name = "")]
fn search() {}

fn main() {}
