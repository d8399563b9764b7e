#![allow(unused)]
use mcp_core::tool;

#[tool]
fn find(#[complete("a", "b")] text: &str) {}

fn main() {}
