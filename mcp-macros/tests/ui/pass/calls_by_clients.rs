//! What `with` takes, and what a client gets.

use std::borrow::Cow;

use mcp_core::client::{IntoToolCall, Returned};
use mcp_core::{Content, Json, Tool, ToolResult, data, tool};

#[data]
#[derive(Debug, PartialEq)]
struct Note {
    text: String,
}

#[data]
struct Page<'a, T> {
    items: Vec<T>,
    next: Option<Cow<'a, str>>,
}

/// What only the server can make.
struct Secret;

impl mcp_core::IntoReply for Secret {
    fn into_reply(self) -> mcp_core::Reply {
        mcp_core::Reply::text("hush")
    }
}

#[tool]
fn save(
    title: String,
    #[serde(default)] tags: Vec<String>,
    #[serde(rename = "type")] kind: &str,
) -> Result<Json<Note>, String> {
    Err(format!("{title}{tags:?}{kind}"))
}

#[tool]
fn secret(n: u8) -> Secret {
    let _ = n;
    Secret
}

#[tool]
fn plain() -> Note {
    Note {
        text: String::new(),
    }
}

#[tool]
fn page() -> Page<'static, u8> {
    Page {
        items: Vec::new(),
        next: None,
    }
}

#[tool]
fn same<T: std::fmt::Display>(value: T, name: String) -> String {
    format!("{value}{name}")
}

fn value<C: IntoToolCall>(_: &C, text: &str) -> <C::Returned as Returned>::Value
where
    C::Returned: Returned,
{
    C::Returned::from_result(ToolResult::new([Content::text(text)])).unwrap()
}

#[test]
fn text_that_is_owned_is_given_as_anything_that_becomes_it() {
    assert_eq!(
        super::json(save::with("a", None, "b")),
        r#"{"title":"a","type":"b"}"#
    );
    let cow = Cow::Borrowed("a");
    assert_eq!(
        super::json(save::with(cow, vec!["t".to_owned()], "b")),
        r#"{"title":"a","tags":["t"],"type":"b"}"#
    );
    assert_eq!(
        super::json(same::<u8>::with(1, 'c')),
        r#"{"value":1,"name":"c"}"#
    );
}

#[test]
fn a_client_gets_what_the_type_stands_for() {
    let note: Note = value(&save::with("a", None, "b"), r#"{"text":"x"}"#);
    assert_eq!(
        note,
        Note {
            text: "x".to_owned()
        }
    );
    assert_eq!(value(&plain::with(), r#"{"text":"x"}"#), note);
    assert_eq!(value(&same::<u8>::with(1, "x"), "7"), "7");
}

#[test]
fn a_type_that_no_client_reads_is_one_that_tools_return_all_the_same() {
    assert_eq!(super::json(secret::with(1)), r#"{"n":1}"#);
    assert_eq!(secret::NAME, "secret");
    assert_eq!(page::with().name(), "page");
}
