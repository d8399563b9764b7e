#![allow(unused)]
use mcp_core::tool;

#[tool(,, = 3, name =, meta(1), flow(1), title("a"), read_only = (true), crate = crate)]
fn search() {}

fn main() {}
