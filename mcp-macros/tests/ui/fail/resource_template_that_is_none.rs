#![allow(unused)]
use mcp_core::resource;

#[resource("notes://{id")]
fn unclosed(id: u8) -> &'static str {
    ""
}

#[resource("notes://{path*}")]
fn exploded(path: &str) -> &'static str {
    ""
}

#[resource("notes://{?a}{?b}")]
fn twice(a: Option<u8>, b: Option<u8>) -> &'static str {
    ""
}

fn main() {}
