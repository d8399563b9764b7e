#![allow(unused)]
use mcp_core::tool;

mod search {}

#[tool]
fn search() {}

fn main() {}
