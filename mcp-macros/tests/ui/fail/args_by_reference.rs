#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[args] page: &str) {}

fn main() {}
