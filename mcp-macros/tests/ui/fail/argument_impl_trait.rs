#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(text: impl Into<String>) {}

fn main() {}
