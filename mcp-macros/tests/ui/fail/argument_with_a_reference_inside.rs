#![allow(unused)]
use mcp_core::tool;

use std::collections::HashMap;

#[tool]
fn search(words: HashMap<&str, u8>) {}

fn main() {}
