#![allow(unused)]
use mcp_core::resource;

#[resource("notes/all")]
fn all() -> &'static str {
    ""
}

#[resource("notes://all of them")]
fn others() -> &'static str {
    ""
}

fn main() {}
