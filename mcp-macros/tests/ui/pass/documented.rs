//! Documentation in every form.

use mcp_core::{Tool, tool};

/// Finds files,
/// as many as there are.
///
/// # Errors
///
/// Never.
#[tool]
fn find(
    /// Part of the name,
    /// or all of it.
    text: &str,
    #[doc = "How many."] limit: u8,
    /** The context. */
    _cx: &mcp_core::Context,
) -> String {
    format!("{text}{limit}")
}

/** Counts files. */
#[doc(alias = "number")]
#[doc = include_str!("documented.md")]
#[tool]
fn count() -> u8 {
    1
}

#[tool(description = include_str!("documented.md"))]
fn other() -> u8 {
    1
}

#[test]
fn they_are_defined() {
    assert_eq!(find::definition().name(), "find");
    assert_eq!(count::definition().name(), "count");
    assert_eq!(other::definition().name(), "other");
}
