#![allow(unused)]
use mcp_core::{prompt, resource};

#[prompt]
fn write(db: &std::rc::Rc<u8>) -> &'static str {
    ""
}

#[resource("notes://all")]
fn read(db: &std::rc::Rc<u8>) -> &'static str {
    ""
}

fn main() {}
