#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(default = 1, default = 2)] limit: u32) {}

fn main() {}
