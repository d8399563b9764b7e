#![allow(unused)]
use mcp_core::tool;

#[tool(idempotent, title = "Search", idempotent = false)]
fn search() {}

fn main() {}
