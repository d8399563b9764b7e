#![allow(unused)]
use mcp_core::tool;

#[tool]
fn search(db: &std::rc::Rc<u8>) {}

fn main() {}
