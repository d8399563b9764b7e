#![allow(unused)]
use mcp_core::tool;

#[tool]
struct Search {}

fn main() {}
