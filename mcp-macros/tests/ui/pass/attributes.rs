//! Attributes that are not ours stay where they are.

use mcp_core::{Tool, tool};

#[tool]
#[inline]
#[must_use]
#[deprecated = "use `count`"]
#[expect(clippy::too_many_arguments, reason = "that is what is tested")]
fn find(
    #[expect(unused_variables, reason = "that is what is tested")] a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
) -> u8 {
    b + c + d + e + f + g
}

#[cfg(any())]
#[tool]
fn absent(missing: Missing) {}

#[tool]
#[cfg(any())]
fn absent_too(missing: Missing) {}

#[tool]
const fn count(a: u8) -> u8 {
    a
}

#[tool]
extern "C" fn foreign(a: u8) -> u8 {
    a
}

#[test]
fn each_is_a_tool() {
    assert_eq!(find::NAME, "find");
    const ONE: u8 = count(1);
    assert_eq!(ONE, foreign(1));
}
