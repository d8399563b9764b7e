#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(range, pattern, rename, description)] limit: u32) {}

fn main() {}
