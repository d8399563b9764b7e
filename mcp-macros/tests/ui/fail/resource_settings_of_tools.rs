#![allow(unused)]
use mcp_core::resource;

#[resource("notes://all", read_only, open, strict, flow("network-out"), titel = "All")]
fn all() -> &'static str {
    ""
}

fn main() {}
