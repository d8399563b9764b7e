#![allow(unused)]
use mcp_core::resource;

#[resource("notes://{?page}")]
fn notes(page: u32) -> &'static str {
    ""
}

#[resource("notes://{#part}")]
fn part(part: &str) -> &'static str {
    ""
}

fn main() {}
