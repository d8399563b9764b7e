#![allow(unused)]
use mcp_core::tool;

#[mcp_core::data]
struct Page {}

#[tool]
fn search(#[args(all)] #[arg(default)] #[serde(default)] page: Page) {}

fn main() {}
