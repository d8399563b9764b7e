#![allow(unused)]
use mcp_core::tool;

#[tool(read_only, destructive)]
fn search() {}

fn main() {}
