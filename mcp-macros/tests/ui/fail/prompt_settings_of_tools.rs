#![allow(unused)]
use mcp_core::prompt;

#[prompt(read_only, destructive = false, flow("network-out"), open, strict)]
fn write(text: &str) -> String {
    text.to_owned()
}

fn main() {}
