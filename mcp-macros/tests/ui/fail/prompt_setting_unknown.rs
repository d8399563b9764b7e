#![allow(unused)]
use mcp_core::prompt;

#[prompt(tittle = "Write", readonly)]
fn write(text: &str) -> String {
    text.to_owned()
}

fn main() {}
