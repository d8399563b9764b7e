//! The tool of the README.

use mcp_core::{Tool, tool};

/// Adds two integers.
#[tool]
fn add(
    /** The left operand. */
    a: i64,
    /** The right operand. */
    b: i64,
) -> i64 {
    a + b
}

#[test]
fn the_function_is_still_a_function_and_the_type_a_tool() {
    assert_eq!(add(1, 2), 3);
    assert_eq!(add::NAME, "add");
    assert_eq!(add::with(2, 3).name(), "add");
    assert_eq!(super::json(add::with(2, 3)), r#"{"a":2,"b":3}"#);
}
