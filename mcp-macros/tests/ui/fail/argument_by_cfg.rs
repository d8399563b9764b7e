#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[cfg(unix)] text: &str) {}

fn main() {}
