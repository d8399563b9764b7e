#![allow(unused)]
use mcp_core::tool;

#[mcp_core::data]
struct Page {}

#[tool]
fn search(#[serde(flatten)] page: Page) {}

fn main() {}
