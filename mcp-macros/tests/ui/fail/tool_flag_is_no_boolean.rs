#![allow(unused)]
use mcp_core::tool;

#[tool(read_only = "yes", open(1))]
fn search() {}

fn main() {}
