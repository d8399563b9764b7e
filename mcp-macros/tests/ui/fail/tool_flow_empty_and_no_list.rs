#![allow(unused)]
use mcp_core::tool;

#[tool(flow())]
fn search() {}

#[tool(flow = "local-only")]
fn find() {}

fn main() {}
