#![allow(unused)]
use mcp_core::prompt;

#[prompt]
struct Write {
    text: String,
}

fn main() {}
