#![allow(unused)]
use mcp_core::{Context, resource};

#[resource("notes://{id}{?page,user.name}")]
fn note(cx: &Context) -> &'static str {
    ""
}

fn main() {}
