#![allow(unused)]
use mcp_core::tool;

#[tool(icon = "http://example.com/icon.svg")]
fn search() {}

fn main() {}
