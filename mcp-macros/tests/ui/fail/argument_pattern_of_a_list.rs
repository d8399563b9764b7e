#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(pattern = "^a")] words: &[String]) {}

fn main() {}
