#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(text: &str, #[arg(rename = "text")] words: &str) {}

fn main() {}
