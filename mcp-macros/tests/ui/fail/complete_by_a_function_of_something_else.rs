#![allow(unused)]
use mcp_core::prompt;

fn names(typed: u8) -> Vec<String> {
    vec![]
}

#[prompt]
fn write(#[complete(names)] name: &str, #[complete(missing)] other: &str) -> &'static str {
    ""
}

fn main() {}
