#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(_: u8) {}

fn main() {}
