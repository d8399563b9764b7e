#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(range = ..)] limit: u32) {}

fn main() {}
