//! A module of the function's name: the type gets another.

use mcp_core::{Tool, tool};

mod search {
    pub(super) const LIMIT: u64 = 3;
}

#[tool(type = SearchTool)]
fn search(limit: Option<u64>) -> u64 {
    limit.unwrap_or(search::LIMIT)
}

#[test]
fn the_name_on_the_wire_is_the_function_s() {
    assert_eq!(SearchTool::NAME, "search");
    assert_eq!(super::json(SearchTool::with(Some(1))), r#"{"limit":1}"#);
    assert_eq!(search(None), 3);
}
