//! Prompts and resources in a crate that denies all it can.
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

use mcp_core::{Completing, Context, Form, Json, Prompt, PromptSet, Resource, ResourceSet};
use mcp_core::{data, prompt, prompts, resource, resources};

/// A form.
#[data]
#[derive(Debug)]
pub(crate) struct Asked {
    /// Its text.
    pub(crate) text: Option<String>,
    /// How it is meant.
    pub(crate) moods: Vec<Mood>,
}

/// How something is meant.
#[data]
#[derive(Debug)]
pub(crate) enum Mood {
    /// Well.
    Good,
}

fn titles(typed: &Completing) -> Vec<String> {
    vec![typed.to_uppercase()]
}

/// Sums up.
#[prompt(title = "Sum up", deadline = "1s")]
pub(crate) async fn sum_up(
    cx: &Context,
    /// The title.
    #[complete(titles)]
    #[arg(length = 1..=80)]
    title: &str,
    #[complete("short", "long")] length: Option<&str>,
    #[arg(default = 5)] limit: u8,
) -> String {
    std::future::ready(cx).await;
    format!("{title}{length:?}{limit}")
}

/// A note.
#[resource("notes://{title}{?limit}", audience = [user], priority = 0.5)]
pub(crate) fn note(#[complete(titles)] title: &str, limit: Option<u8>) -> Json<Option<Mood>> {
    Json((title.len() > usize::from(limit.unwrap_or(1))).then_some(Mood::Good))
}

/// Notes.
#[derive(Debug)]
pub(crate) struct Notes {
    text: String,
}

#[prompts(prefix = "notes_")]
impl Notes {
    /// Reads.
    #[prompt]
    fn read(&self, #[complete(Self::texts)] limit: Option<u8>) -> String {
        format!("{}{limit:?}", self.text)
    }

    fn texts(&self, typed: &str) -> Vec<String> {
        vec![format!("{}{typed}", self.text)]
    }
}

#[resources]
impl Notes {
    /// The text.
    #[resource("text://all")]
    fn all(self: Arc<Self>) -> String {
        self.text.clone()
    }
}

#[test]
fn nothing_is_reported() {
    const fn is_form<T: Form>(_: &T) {}
    is_form(&Asked {
        text: None,
        moods: vec![Mood::Good],
    });
    assert_eq!(sum_up::NAME, "sum_up");
    assert_eq!(note::URI, "notes://{title}{?limit}");
    let notes = Arc::new(Notes {
        text: String::new(),
    });
    let prompts = <Notes as PromptSet>::definitions(Arc::clone(&notes));
    assert_eq!(prompts[0].name(), "notes_read");
    let resources = <Notes as ResourceSet>::definitions(notes);
    assert_eq!(resources[0].uri(), "text://all");
}
