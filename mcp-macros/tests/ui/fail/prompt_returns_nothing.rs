#![allow(unused)]
use mcp_core::prompt;

#[prompt]
fn write(text: &str) {}

fn main() {}
