#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(range = 500..=1)] limit: u32, #[arg(length = 3..3)] text: &str) {}

fn main() {}
