//! Prompts, resources and completers whose results borrow from what they are given.

use std::borrow::Cow;

use mcp_core::{Completing, Context, Prompt, Resource, prompt, resource};

struct Db(String);

#[prompt]
fn name<'db>(db: &'db Db, _text: &str) -> &'db str {
    &db.0
}

#[prompt]
async fn pick<'a>(db: &'a Db, cx: &'a Context, #[complete(same)] text: &'a str) -> Cow<'a, str> {
    std::future::ready(cx).await;
    if text.is_empty() {
        Cow::Borrowed(&db.0)
    } else {
        Cow::Borrowed(text)
    }
}

fn same(typed: &Completing) -> Vec<&str> {
    vec![typed]
}

async fn same_later(typed: &Completing) -> Vec<&str> {
    std::future::ready(()).await;
    typed
        .lent::<Db>()
        .map(|db| vec![&*db.0])
        .unwrap_or_default()
}

#[resource("db:{+text}{#part}")]
async fn read<'a>(
    db: &'a Db,
    #[complete(same_later)] text: &'a str,
    part: Option<&'a str>,
) -> Option<&'a [u8]> {
    std::future::ready(db).await;
    part.map(|_| text.as_bytes())
}

#[resource("db:", blocking)]
fn all(db: &Db) -> &str {
    &db.0
}

#[test]
fn they_are_defined() {
    assert_eq!(name::definition().name(), "name");
    assert_eq!(pick::definition().name(), "pick");
    assert_eq!(read::definition().name(), "read");
    assert_eq!(all::definition().name(), "all");
}
