#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(pattern = 1)] text: &str) {}

fn main() {}
