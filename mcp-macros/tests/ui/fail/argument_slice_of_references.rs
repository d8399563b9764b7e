#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(words: &[&str]) {}

fn main() {}
