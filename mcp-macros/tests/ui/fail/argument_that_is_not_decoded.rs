#![allow(unused)]
use mcp_core::tool;

struct Page;

#[tool]
fn search(page: Page) {}

fn main() {}
