#![allow(unused)]
use mcp_core::prompt;

#[prompt]
fn write() -> impl Into<String> {
    ""
}

fn main() {}
