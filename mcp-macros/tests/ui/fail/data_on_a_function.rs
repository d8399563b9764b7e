#![allow(unused)]
#[mcp_core::data]
fn search() {}

fn main() {}
