//! One value with all three blocks, and one block with two attributes.

use std::sync::Arc;

use mcp_core::{Completing, Context, PromptSet, ResourceSet, Server, prompts, resources, tools};

struct Notes {
    titles: Vec<String>,
}

#[tools]
impl Notes {
    /// Counts the notes.
    #[tool(read_only)]
    fn count(&self) -> usize {
        self.titles.len()
    }
}

#[prompts(prefix = "notes_")]
impl Notes {
    /// Sums a note up.
    #[prompt(title = "Sum up")]
    async fn sum_up(
        self: Arc<Self>,
        cx: &Context,
        #[complete(Self::titles)] title: &str,
        #[complete(Self::words)] word: Option<String>,
        #[complete(self.later)] later: Option<&str>,
    ) -> String {
        let _ = (cx, word, later);
        format!("Sum up {title} of {}.", self.titles.len())
    }

    #[prompt]
    fn free() -> &'static str {
        "Write."
    }

    fn titles(&self, typed: &Completing) -> Vec<String> {
        let mut titles = self.titles.clone();
        titles.retain(|title| title.starts_with(&**typed));
        titles
    }

    async fn words(_typed: &str) -> [&'static str; 2] {
        ["a", "b"]
    }
}

impl Notes {
    async fn later(&self, typed: &Completing) -> Vec<String> {
        self.titles(typed)
    }
}

#[resources]
impl Notes {
    /// A note.
    #[resource("notes://{title}", mime_type = "text/plain")]
    fn note(&self, #[complete(self.titles)] title: &str) -> Option<&'static str> {
        self.titles
            .iter()
            .any(|known| known == title)
            .then_some("text")
    }

    #[resource("notes://")]
    async fn all(&self) -> String {
        self.titles.join("\n")
    }
}

/// Both at once.
struct Both;

#[prompts]
#[resources(crate = ::mcp_core)]
impl Both {
    #[prompt(name = "say")]
    fn say_it(&self, what: &str) -> String {
        what.to_owned()
    }

    #[resource("what:")]
    fn what(&self) -> &'static str {
        "what"
    }
}

#[test]
fn all_are_offered() {
    let notes = Arc::new(Notes { titles: vec![] });
    let prompts = Notes::definitions_of_prompts(&notes);
    assert_eq!(prompts, ["notes_sum_up", "notes_free"]);
    let server = Server::new("test", "1")
        .tools(Arc::clone(&notes))
        .prompts(Arc::clone(&notes))
        .resources(notes)
        .prompts(Both)
        .resources(Both);
    server.build().unwrap();
}

impl Notes {
    fn definitions_of_prompts(this: &Arc<Self>) -> Vec<String> {
        let definitions = <Self as PromptSet>::definitions(Arc::clone(this));
        let resources = <Self as ResourceSet>::definitions(Arc::clone(this));
        assert_eq!(resources[0].uri(), "notes://{title}");
        definitions
            .iter()
            .map(|prompt| prompt.name().to_owned())
            .collect()
    }
}
