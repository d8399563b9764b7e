#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(default = true)] limit: u32) {}

fn main() {}
