//! Optional arguments, by value and borrowed.

use mcp_core::tool;

#[tool]
fn find(
    text: Option<&str>,
    words: Option<&[String]>,
    limit: Option<u32>,
    all: Option<bool>,
) -> String {
    format!("{text:?}{words:?}{limit:?}{all:?}")
}

#[test]
fn a_call_leaves_out_what_is_none() {
    assert_eq!(super::json(find::with(None, None, None, None)), "{}");
    let words = [String::from("b")];
    assert_eq!(
        super::json(find::with(Some("a"), Some(&words), Some(0), Some(false))),
        r#"{"text":"a","words":["b"],"limit":0,"all":false}"#
    );
}
