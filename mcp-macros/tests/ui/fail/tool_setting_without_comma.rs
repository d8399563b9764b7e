#![allow(unused)]
use mcp_core::tool;

#[tool(idempotent read_only)]
fn search() {}

fn main() {}
