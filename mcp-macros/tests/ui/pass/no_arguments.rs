//! Tools without arguments, closed and open.

use mcp_core::{Tool, tool};

#[tool]
fn ping() {}

#[tool(open)]
async fn pong() -> &'static str {
    "pong"
}

#[test]
fn their_calls_are_empty_objects() {
    assert_eq!(super::json(ping::with()), "{}");
    assert_eq!(super::json(pong::with()), "{}");
    assert_eq!(pong::definition().name(), "pong");
}
