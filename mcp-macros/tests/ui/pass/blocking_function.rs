//! Functions that block a thread of their own.

use mcp_core::{Context, Tool, tool};

#[tool(blocking, deadline = "1h")]
fn read(cx: &Context, path: &str) -> std::io::Result<String> {
    let _ = (cx, path);
    Ok(String::new())
}

#[test]
fn it_is_defined() {
    assert_eq!(read::definition().name(), "read");
}
