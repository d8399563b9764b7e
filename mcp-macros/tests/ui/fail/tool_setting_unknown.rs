#![allow(unused)]
use mcp_core::tool;

#[tool(readonly)]
fn search() {}

fn main() {}
