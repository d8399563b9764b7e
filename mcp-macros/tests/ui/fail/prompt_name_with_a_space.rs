#![allow(unused)]
use mcp_core::prompt;

#[prompt(name = "write it")]
fn write() -> &'static str {
    ""
}

#[prompt]
fn größe() -> &'static str {
    ""
}

fn main() {}
