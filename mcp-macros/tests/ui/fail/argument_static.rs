#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(text: &'static str) {}

fn main() {}
