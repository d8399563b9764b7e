#![allow(unused)]
use mcp_core::tool;

#[tool]
unsafe fn search() {}

fn main() {}
