#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(range = 1..=80)] words: &[String]) {}

fn main() {}
