#![allow(unused)]
use mcp_core::resource;

#[resource("a:", audience = [user, user], priority = 0.5, priority = 0.6)]
fn a() -> &'static str {
    ""
}

fn main() {}
