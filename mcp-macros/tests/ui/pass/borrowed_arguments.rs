//! Text and lists that are borrowed from the call.

use std::borrow::Cow;

use mcp_core::tool;

#[tool]
fn join(text: &str, words: &[String], numbers: &[u8], more: Cow<'_, str>) -> String {
    format!("{text}{}{}{more}", words.concat(), numbers.len())
}

#[tool]
async fn first<'a>(text: &'a str, words: Vec<&'a str>) -> String {
    std::future::ready(()).await;
    words.first().map_or(text, |word| word).to_owned()
}

#[test]
fn a_call_borrows_them_too() {
    let words = [String::from("b")];
    let call = join::with("a", &words, &[1, 2], Cow::Borrowed("c"));
    assert_eq!(
        super::json(call),
        r#"{"text":"a","words":["b"],"numbers":[1,2],"more":"c"}"#
    );
    assert_eq!(
        super::json(first::with("a", vec!["b"])),
        r#"{"text":"a","words":["b"]}"#
    );
}
