#![allow(unused)]
use mcp_core::tool;

#[tool(deadline = "30")]
async fn search() {}

fn main() {}
