#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(default = "a")] text: Option<&str>) {}

fn main() {}
