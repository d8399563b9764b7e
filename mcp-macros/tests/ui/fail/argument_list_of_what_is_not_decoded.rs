#![allow(unused)]
use mcp_core::tool;

struct Page;

#[tool]
fn search(pages: Vec<Page>, more: &[Page], text: Option<String>) {}

fn main() {}
