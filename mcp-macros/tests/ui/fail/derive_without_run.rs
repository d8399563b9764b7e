#![allow(unused)]
use mcp_core::{Tool, data};

#[data]
#[derive(Tool)]
struct Search {
    text: String,
}

fn main() {}
