#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search((a, b): (u8, u8)) {}

fn main() {}
