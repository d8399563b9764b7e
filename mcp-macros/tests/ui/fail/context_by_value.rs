#![allow(unused)]
use mcp_core::tool;

use mcp_core::Context;

#[tool]
fn search(cx: Context) {}

fn main() {}
