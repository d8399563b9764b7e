#![allow(unused)]
use mcp_core::tool;

#[mcp_core::data]
struct Page {}

#[tool]
fn search(#[args] page: Page, limit: u32) {}

fn main() {}
