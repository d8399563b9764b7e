#![allow(unused)]
use mcp_core::{data, resource};

#[data]
struct All {
    id: u8,
}

#[resource("notes://{id}")]
fn note(#[args] all: All) -> &'static str {
    ""
}

#[resource("note:{id}")]
fn flat(#[serde(flatten)] all: All) -> &'static str {
    ""
}

fn main() {}
