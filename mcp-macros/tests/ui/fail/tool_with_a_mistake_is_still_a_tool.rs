#![allow(unused)]
use mcp_core::{Tool, tool};

#[tool(readonly)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    assert_eq!(add(1, 2), 3);
    let _ = add::definition();
    let _ = add::with(1, 2);
}
