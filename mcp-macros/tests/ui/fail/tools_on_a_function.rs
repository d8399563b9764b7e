#![allow(unused)]
use mcp_core::tools;

#[tools]
fn search() {}

fn main() {}
