#![allow(unused)]
use mcp_core::prompt;

#[prompt]
fn write(#[serde(flatten)] all: All, #[cfg(test)] more: &str) -> &'static str {
    ""
}

#[mcp_core::data]
struct All {}

fn main() {}
