#![allow(unused)]
use mcp_core::tool;

#[tool]
const SEARCH: u8 = 1;

fn main() {}
