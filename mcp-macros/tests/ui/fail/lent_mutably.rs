#![allow(unused)]
use mcp_core::tool;

struct Db;

#[tool]
fn search(db: &mut Db) {}

fn main() {}
