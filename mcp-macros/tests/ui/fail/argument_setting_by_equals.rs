#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg = 50] limit: u32) {}

fn main() {}
