#![allow(unused)]
use mcp_core::tool;

struct Page;

#[tool]
fn search() -> Page {
    Page
}

fn main() {}
