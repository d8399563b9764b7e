//! Everything in a crate that denies all it can.
#![deny(
    warnings,
    missing_docs,
    unused,
    unused_qualifications,
    unreachable_pub,
    unnameable_types,
    missing_debug_implementations,
    missing_copy_implementations,
    unused_lifetimes,
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    trivial_casts,
    let_underscore_drop,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::exhaustive_structs
)]
#![expect(
    clippy::redundant_pub_crate,
    reason = "`unreachable_pub` wants the opposite"
)]

use std::sync::Arc;

use mcp_core::{Context, Json, Run, Tool, data, tool, tools};

/// A note.
#[data]
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// Its text.
    pub(crate) text: String,
}

/// Finds files.
#[data]
#[derive(Debug, Tool)]
#[tool(read_only)]
pub(crate) struct FindFiles {
    /// Part of the name.
    pub(crate) pattern: String,
}

impl Run for FindFiles {
    type Output = Result<Json<Note>, std::fmt::Error>;

    async fn run(self, _: &Context) -> Self::Output {
        Ok(Json(Note { text: self.pattern }))
    }
}

/// Finds a note.
#[tool(read_only, idempotent, icon = "data:", flow("filesystem-read"), meta("a" = 1), deadline = "1s")]
pub(crate) async fn find(
    cx: &Context,
    /// The text.
    #[arg(length = 1..=80)]
    text: &str,
    words: &[String],
    first: Option<&str>,
    #[arg(default = 5, range = 1..=9)] limit: u8,
) -> Result<Json<Note>, std::fmt::Error> {
    std::future::ready(cx).await;
    let text = format!("{text}{}{first:?}{limit}", words.len());
    Ok(Json(Note { text }))
}

#[tool]
fn shown<T: std::fmt::Display, const N: usize>(value: T) -> String {
    format!("{value}{N}").trim().to_owned() + std::any::type_name_of_val(&value)
}

/// Notes.
#[derive(Debug)]
pub(crate) struct Notes {
    text: String,
}

#[tools(prefix = "notes_", client = pub(crate) NotesClient)]
impl Notes {
    /// Reads.
    #[tool]
    fn read(&self, limit: Option<u8>) -> String {
        format!("{}{limit:?}", self.text)
    }

    /// Writes.
    #[tool(blocking)]
    fn write(self: Arc<Self>, text: &str) -> String {
        format!("{}{text}", self.text)
    }
}

#[test]
fn nothing_is_reported() {
    assert_eq!(find::NAME, "find");
    assert_eq!(FindFiles::NAME, "find_files");
    assert_eq!(super::json(shown::<u8, 1>::with(2)), r#"{"value":2}"#);
    let _: fn(mcp_core::Client) -> NotesClient = NotesClient::new;
    let notes = Notes {
        text: String::new(),
    };
    assert_eq!(super::names(notes), ["notes_read", "notes_write"]);
}
