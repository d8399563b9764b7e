//! Lifetimes, named and elided, in arguments and results.

use std::borrow::Cow;

use mcp_core::{Context, Tool, tool};

struct Db(String);

#[tool]
fn name<'db>(db: &'db Db, _text: &str) -> &'db str {
    &db.0
}

#[tool]
fn pick<'a>(db: &'a Db, cx: &'a Context, text: &'a str) -> Result<Cow<'a, str>, std::fmt::Error> {
    let _ = cx;
    Ok(if text.is_empty() {
        Cow::Borrowed(&db.0)
    } else {
        Cow::Borrowed(text)
    })
}

#[tool]
async fn later(db: &Db) -> &str {
    std::future::ready(()).await;
    &db.0
}

#[test]
fn they_are_defined() {
    assert_eq!(name::definition().name(), "name");
    assert_eq!(pick::definition().name(), "pick");
    assert_eq!(later::definition().name(), "later");
}
