#![allow(unused)]
use mcp_core::tool;

#[tool(name = "a b", readonly, finishes)]
fn search(_: u8, #[arg(range = 3..=1)] limit: u32, #[arg(rang = 1)] text: &str) {
    let _ = (limit, text);
}

fn main() {}
