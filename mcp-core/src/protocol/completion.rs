use std::collections::BTreeMap;

use serde::Serialize;

use super::wire::{read_by_tag, request, wire};
use super::{RawJson, ResultType};

request! {
    /// `completion/complete`: how an argument may go on.
    Complete = "completion/complete", CompleteParams => CompleteResult
}

wire! {
    /// What to complete.
    pub struct CompleteParams {
        /// What the argument belongs to.
        #[serde(rename = "ref")]
        pub reference: CompletionReference,
        /// The argument, as far as it is typed.
        pub argument: CompletionArgument,
    }
    strict {
        /// What is known besides (2025-06-18).
        pub context: CompletionContext, with_context;
    }
    _meta as meta
}

impl CompleteParams {
    /// An argument of a prompt, as far as it is typed.
    ///
    /// ```
    /// use mcp_core::protocol::{CompleteParams, CompletionContext};
    ///
    /// let branch = CompleteParams::prompt("describe", "branch", "ma");
    /// // The arguments that are filled in already may decide what fits.
    /// let known = [("repository".to_owned(), "mcp".to_owned())];
    /// let branch = branch.with_context(CompletionContext::default().with_arguments(known));
    /// assert_eq!(branch.argument.value, "ma");
    /// ```
    #[must_use]
    pub fn prompt(
        name: impl Into<String>,
        argument: impl Into<String>,
        typed: impl Into<String>,
    ) -> Self {
        let prompt = CompletionReference::Prompt(PromptReference::new(name));
        Self::new(prompt, CompletionArgument::new(argument, typed))
    }

    /// A variable of a resource template, as far as it is typed. The template is written as the server lists it.
    ///
    /// ```
    /// use mcp_core::protocol::CompleteParams;
    ///
    /// let id = CompleteParams::resource("notes://{id}", "id", "1");
    /// assert_eq!((id.argument.name.as_str(), id.argument.value.as_str()), ("id", "1"));
    /// ```
    #[must_use]
    pub fn resource(
        template: impl Into<String>,
        variable: impl Into<String>,
        typed: impl Into<String>,
    ) -> Self {
        let template = CompletionReference::Resource(ResourceReference::new(template));
        Self::new(template, CompletionArgument::new(variable, typed))
    }
}

/// What an argument that is to be completed belongs to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum CompletionReference {
    /// A prompt.
    #[serde(rename = "ref/prompt")]
    Prompt(PromptReference),
    /// A resource template.
    #[serde(rename = "ref/resource")]
    Resource(ResourceReference),
    /// A kind that this version of the SDK does not know, as it came.
    #[serde(untagged)]
    Other(RawJson),
}

read_by_tag!(CompletionReference by "type" {
    "ref/prompt" => Prompt,
    "ref/resource" => Resource,
});

wire! {
    /// A prompt by its name.
    pub struct PromptReference {
        /// The name for programs.
        pub name: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
    }
}

wire! {
    /// A resource template by its URI template.
    pub struct ResourceReference {
        /// The URI template.
        pub uri: String,
    }
}

wire! {
    /// An argument, as far as it is typed.
    pub struct CompletionArgument {
        /// Its name.
        pub name: String,
        /// What is typed of its value.
        pub value: String,
    }
}

wire! {
    /// What is known besides the argument that is typed.
    #[derive(Default)]
    pub struct CompletionContext {}
    strict {
        /// The other arguments that are filled in already.
        pub arguments: BTreeMap<String, String>, with_arguments;
    }
}

wire! {
    /// How an argument may go on.
    pub struct CompleteResult {
        /// The values.
        pub completion: Completion,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    _meta as meta
}

wire! {
    /// Values an argument may have.
    pub struct Completion {
        /// The best, [`Completion::MAX_VALUES`] at most.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub values: Vec<String>,
    }
    lenient {
        /// How many there are in all.
        pub total: u64, with_total exact;
        /// Whether there are more.
        pub has_more: bool, with_has_more;
    }
}

impl Completion {
    /// How many values one result may hold.
    pub const MAX_VALUES: usize = 100;
}
