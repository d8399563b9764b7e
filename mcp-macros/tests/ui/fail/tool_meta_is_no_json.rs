#![allow(unused)]
use mcp_core::tool;

#[tool(meta("vendor/rank" = rank))]
fn search() {}

fn main() {}
