#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[arg(rename = "")] text: &str, #[arg(rename = 1)] words: &str) {}

fn main() {}
