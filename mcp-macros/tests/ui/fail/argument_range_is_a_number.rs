#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(range = 500)] limit: u32) {}

fn main() {}
