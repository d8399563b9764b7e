//! Prompts and resources that depend on `cfg`.

use std::sync::Arc;

use mcp_core::{PromptSet, ResourceSet, prompts, resources};

#[cfg(any())]
#[mcp_core::prompt]
fn gone() -> NotThere {}

#[cfg(any())]
#[mcp_core::resource("gone:")]
fn gone_as_well() -> NotThere {}

struct Notes;

#[prompts]
#[resources]
impl Notes {
    #[cfg(any())]
    #[prompt(name = "say")]
    fn not_this(&self) -> NotThere {}

    #[cfg(not(any()))]
    #[prompt(name = "say")]
    fn but_this(&self) -> &'static str {
        "this"
    }

    #[cfg(any())]
    #[resource("say:")]
    fn not_that(&self) -> NotThere {}

    #[cfg(not(any()))]
    #[resource("say:")]
    fn but_that(&self) -> &'static str {
        "that"
    }
}

#[test]
fn only_those_that_are_there_are_offered() {
    let notes = Arc::new(Notes);
    assert_eq!(
        <Notes as PromptSet>::definitions(Arc::clone(&notes)).len(),
        1
    );
    assert_eq!(<Notes as ResourceSet>::definitions(notes).len(), 1);
}
