use std::collections::BTreeMap;

use super::wire::{notification, request, wire};
use super::{
    CacheScope, ContentBlock, Cursor, Icon, InputResponses, NotificationParams, PaginatedParams,
    ResultType, Role,
};

request! {
    /// `prompts/list`: which prompts there are.
    ListPrompts = "prompts/list", PaginatedParams => ListPromptsResult
}

request! {
    /// `prompts/get`: what a prompt says.
    GetPrompt = "prompts/get", GetPromptParams => GetPromptResult
}

notification! {
    /// `notifications/prompts/list_changed`: there are other prompts now.
    PromptListChanged = "notifications/prompts/list_changed", NotificationParams
}

wire! {
    /// One page of prompts.
    pub struct ListPromptsResult {
        /// The prompts.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub prompts: Vec<Prompt>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
        /// Where the next page begins, when there is one.
        pub next_cursor: Cursor, with_next_cursor;
    }
    lenient {
        /// 2026-07-28: how long this may be kept, in milliseconds.
        pub ttl_ms: u64, with_ttl_ms exact;
        /// 2026-07-28: who may share what is kept.
        pub cache_scope: CacheScope, with_cache_scope;
    }
    _meta as meta
}

wire! {
    /// A prompt, as a server describes it.
    pub struct Prompt {
        /// The name for programs.
        pub name: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What it is for.
        pub description: String, with_description;
        /// What it takes.
        pub arguments: Vec<PromptArgument>, with_arguments;
        /// Pictures of it (2025-11-25).
        pub icons: Vec<Icon>, with_icons;
    }
    _meta as meta
}

wire! {
    /// Something a prompt takes. Its value is a string.
    pub struct PromptArgument {
        /// The name for programs.
        pub name: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// Whether it must be given (absent: no).
        pub required: bool, with_required;
    }
}

wire! {
    /// Which prompt, with what.
    pub struct GetPromptParams {
        /// The prompt.
        pub name: String,
    }
    strict {
        /// Its arguments.
        pub arguments: BTreeMap<String, String>, with_arguments;
        /// 2026-07-28: what the server asked for in the round before.
        pub input_responses: InputResponses, with_input_responses;
        /// 2026-07-28: what the server gave along with its questions, echoed exactly.
        pub request_state: String, with_request_state;
    }
    _meta as meta
}

wire! {
    /// What a prompt says.
    pub struct GetPromptResult {
        /// The messages, in order.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub messages: Vec<PromptMessage>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    lenient {
        /// What it is for.
        pub description: String, with_description;
    }
    _meta as meta
}

wire! {
    /// One message of a prompt.
    pub struct PromptMessage {
        /// Who speaks.
        pub role: Role,
        /// What they say.
        pub content: ContentBlock,
    }
}

impl PromptMessage {
    /// The person says something.
    #[must_use]
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::User, content)
    }

    /// The model says something.
    #[must_use]
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::Assistant, content)
    }
}
