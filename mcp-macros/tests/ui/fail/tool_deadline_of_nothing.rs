#![allow(unused)]
use mcp_core::tool;

#[tool(deadline = "0s")]
async fn search() {}

fn main() {}
