#![allow(unused)]
use mcp_core::resource;

#[resource("a:{id}", mime_type = "text", audience = [model], priority = 2, last_modified = "today", size = 3)]
fn a(id: u8) -> &'static str {
    ""
}

#[resource("b:", mime_type, mime = "a/b", audience = [], priority = "high", size = "big", name = "")]
fn b() -> &'static str {
    ""
}

#[resource("c:", audience = user, audience, priority, last_modified, size)]
fn c() -> &'static str {
    ""
}

fn main() {}
