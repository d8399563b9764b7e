#![allow(unused)]
use mcp_core::tools;

#[tools]
struct Search;

fn main() {}
