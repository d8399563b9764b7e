#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(#[serde(skip)] limit: u32) {}

fn main() {}
