//! Prompts of every kind of return, argument and running.

use std::fmt::Display;

use mcp_core::protocol::{Completion, GetPromptResult, PromptMessage};
use mcp_core::{Completing, Context, ErrorObject, Prompt, Refused, Server, data, prompt};

/// How strict a review is.
#[data]
pub(crate) enum Strictness {
    Lenient,
    Strict,
}

fn languages(typed: &str) -> Vec<&'static str> {
    ["rust", "ruby"]
        .into_iter()
        .filter(|name| name.starts_with(typed))
        .collect()
}

async fn authors(typed: &Completing) -> Result<Completion, ErrorObject> {
    Ok(Completion::matching(typed, ["ada", "bob"]))
}

/// Reviews code.
///
/// # Errors
///
/// For readers.
#[prompt(
    name = "code-review",
    title = "Review",
    icon = "https://example.com/a.svg",
    meta("vendor/rank" = 1),
    deadline = "30s",
    finishes,
    type = ReviewPrompt
)]
pub(crate) async fn review(
    cx: &Context,
    /// What it is written in.
    #[complete(languages)]
    language: &str,
    #[complete(authors)] author: Option<String>,
    #[complete("short", "long")]
    #[serde(rename = "howLong")]
    length: Option<&str>,
    strictness: Option<Strictness>,
    #[arg(default = 3, range = 1..=9)] findings: u8,
) -> Result<Vec<PromptMessage>, Refused> {
    let _ = (cx, author, length, strictness);
    Ok(vec![PromptMessage::user(format!(
        "{findings} in {language}"
    ))])
}

#[prompt]
fn plain() -> &'static str {
    "Say hello."
}

#[prompt(blocking, deadline = "1m", description = "Whole.")]
fn whole(#[args] all: Whole) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::user(all.text)])
}

#[data]
struct Whole {
    text: String,
}

#[prompt]
fn generic<T: Display>(value: T) -> PromptMessage {
    PromptMessage::user(value.to_string())
}

#[test]
fn each_is_a_prompt() {
    assert_eq!(ReviewPrompt::NAME, "code-review");
    assert_eq!(plain(), "Say hello.");
    assert_eq!(<generic<u8>>::definition().name(), "generic");
    assert_eq!(whole::definition().description(), Some("Whole."));
    let server = Server::new("test", "1")
        .prompt::<ReviewPrompt>()
        .prompt::<plain>()
        .prompt::<whole>()
        .prompt::<generic<u8>>();
    server.build().unwrap();
    let _ = review;
}
