#![allow(unused)]
use mcp_core::resource;

#[resource]
fn all() -> &'static str {
    ""
}

#[resource(name = "one")]
fn one() -> &'static str {
    ""
}

#[resource(URI)]
fn other() -> &'static str {
    ""
}

fn main() {}
