//! Arguments called like the function and like locals of the expansion, and types called like its items.

use mcp_core::{Tool, tool};

#[mcp_core::data]
struct Arguments {
    definition: u8,
}

#[tool]
fn find(
    find: u8,
    invocation: u8,
    value: u8,
    definition: u8,
    start: u8,
    argument_0: Arguments,
) -> u8 {
    find + invocation + value + definition + start + argument_0.definition
}

#[test]
fn they_do_not_meet() {
    assert_eq!(find(1, 2, 3, 4, 5, Arguments { definition: 6 }), 21);
    assert_eq!(find::definition().name(), "find");
}
