#![allow(unused)]
use mcp_core::tool;

#[tool(finishes)]
fn search() {}

fn main() {}
