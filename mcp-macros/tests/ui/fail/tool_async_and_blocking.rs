#![allow(unused)]
use mcp_core::tool;

#[tool(blocking)]
async fn search() {}

fn main() {}
