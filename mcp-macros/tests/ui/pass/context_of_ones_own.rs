//! An argument whose type happens to be called `Context`.

use mcp_core::tool;

#[mcp_core::data]
struct Context {
    text: String,
}

#[tool]
fn find(#[arg] context: Context, cx: &mcp_core::Context) -> String {
    let _ = cx;
    context.text
}

#[test]
fn it_is_an_argument() {
    let context = Context {
        text: "a".to_owned(),
    };
    assert_eq!(
        super::json(find::with(context)),
        r#"{"context":{"text":"a"}}"#
    );
}
