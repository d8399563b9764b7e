#![allow(unused)]
use mcp_core::tool;

trait Db {}

#[tool]
fn search(db: &dyn Db) {}

fn main() {}
