#![allow(unused)]
#[mcp_core::data(open)]
struct Search {}

fn main() {}
