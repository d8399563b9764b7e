#![allow(unused)]
use mcp_core::Tool;

#[derive(Tool)]
struct Search {
    #[tool(name = "words")]
    text: String,
}

fn main() {}
