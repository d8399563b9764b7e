//! A struct that is all arguments.

use mcp_core::{Context, data, tool};

/// What to look for.
#[data]
#[serde(deny_unknown_fields)]
struct Query {
    text: String,
    limit: Option<u32>,
}

#[data]
struct Borrowed<'a> {
    #[serde(borrow)]
    text: std::borrow::Cow<'a, str>,
}

#[tool]
fn find(cx: &Context, #[args] query: Query) -> String {
    let _ = cx;
    format!("{}{:?}", query.text, query.limit)
}

#[tool]
async fn borrow(#[args] Borrowed { text }: Borrowed<'_>) -> String {
    std::future::ready(()).await;
    text.into_owned()
}

#[test]
fn the_call_is_the_struct() {
    let query = Query {
        text: "a".to_owned(),
        limit: None,
    };
    assert_eq!(
        super::json(find::with(query)),
        r#"{"text":"a","limit":null}"#
    );
    let borrowed = Borrowed { text: "a".into() };
    assert_eq!(super::json(borrow::with(borrowed)), r#"{"text":"a"}"#);
}
