use super::wire::{notification, open_enum, request, wire};
use super::{
    CacheScope, ContentBlock, Cursor, Icon, InputResponses, NotificationParams, PaginatedParams,
    RawJson, ResultType, TaskMetadata,
};

request! {
    /// `tools/list`: which tools there are.
    ListTools = "tools/list", PaginatedParams => ListToolsResult
}

request! {
    /// `tools/call`: runs a tool.
    CallTool = "tools/call", CallToolParams => CallToolResult
}

notification! {
    /// `notifications/tools/list_changed`: there are other tools now.
    ToolListChanged = "notifications/tools/list_changed", NotificationParams
}

wire! {
    /// One page of tools.
    pub struct ListToolsResult {
        /// The tools.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub tools: Vec<Tool>,
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
    /// A tool, as a server describes it.
    ///
    /// ```
    /// use mcp_core::protocol::{RawJson, Tool, ToolAnnotations};
    ///
    /// let tool = Tool::new("clock", RawJson::from_value(&serde_json::json!({"type": "object"}))?)
    ///     .with_description("Tells the time.")
    ///     .with_annotations(ToolAnnotations::new().with_read_only_hint(true));
    /// assert_eq!(tool.display_name(), "clock");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Tool {
        /// The name for programs.
        pub name: String,
        /// The JSON Schema of its arguments, byte for byte as it came. A tool without one reads as null, so that it
        /// can be passed over by name while the rest of its list stands.
        #[serde(default = "RawJson::null")]
        pub input_schema: RawJson,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What it does, for the model.
        pub description: String, with_description;
        /// The JSON Schema of its structured content (2025-06-18).
        pub output_schema: RawJson, with_output_schema;
        /// What to expect of it (2025-03-26).
        pub annotations: ToolAnnotations, with_annotations;
        /// How it runs (2025-11-25).
        pub execution: ToolExecution, with_execution;
        /// Pictures of it (2025-11-25).
        pub icons: Vec<Icon>, with_icons;
    }
    _meta as meta
}

impl Tool {
    /// The best name for people: its title, that of its annotations, or its name.
    #[must_use]
    pub fn display_name(&self) -> &str {
        let annotated = || self.annotations.as_ref()?.title.as_deref();
        self.title
            .as_deref()
            .or_else(annotated)
            .unwrap_or(&self.name)
    }
}

wire! {
    /// What to expect of a tool: hints, not to be trusted from a server that is not.
    #[derive(Default)]
    pub struct ToolAnnotations {}
    lenient {
        /// The name for people.
        pub title: String, with_title;
        /// It changes nothing (absent: it may).
        pub read_only_hint: bool, with_read_only_hint;
        /// It may destroy (absent: it may).
        pub destructive_hint: bool, with_destructive_hint;
        /// Calling it again with the same arguments changes nothing more (absent: it may).
        pub idempotent_hint: bool, with_idempotent_hint;
        /// It deals with the world outside (absent: it does).
        pub open_world_hint: bool, with_open_world_hint;
    }
}

wire! {
    /// How a tool runs (2025-11-25).
    #[derive(Default)]
    pub struct ToolExecution {}
    lenient {
        /// Whether it may run as a task (absent: forbidden).
        pub task_support: TaskSupport, with_task_support;
    }
}

open_enum! {
    /// Whether a tool may run as a task (2025-11-25).
    pub enum TaskSupport {
        /// It must not.
        Forbidden = "forbidden",
        /// It may.
        Optional = "optional",
        /// It must.
        Required = "required",
    }
}

wire! {
    /// Which tool to run, on what.
    pub struct CallToolParams {
        /// The tool.
        pub name: String,
    }
    strict {
        /// Its arguments, an object.
        pub arguments: RawJson, with_arguments;
        /// 2025-11-25: run it as a task.
        pub task: TaskMetadata, with_task;
        /// 2026-07-28: what the server asked for in the round before.
        pub input_responses: InputResponses, with_input_responses;
        /// 2026-07-28: what the server gave along with its questions, echoed exactly.
        pub request_state: String, with_request_state;
    }
    _meta as meta
}

wire! {
    /// What a tool gave.
    pub struct CallToolResult {
        /// What it says. Read as none when a server leaves it out.
        #[serde(default, deserialize_with = "super::wire::nullable")]
        pub content: Vec<ContentBlock>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    lenient {
        /// Whether the tool failed; the model should read why.
        pub is_error: bool, with_is_error;
    }
    present {
        /// The result as a value (2025-06-18); null is a value.
        pub structured_content: RawJson, with_structured_content;
    }
    _meta as meta
}

impl CallToolResult {
    /// A failure that the model reads.
    #[must_use]
    pub fn error(content: impl Into<Vec<ContentBlock>>) -> Self {
        Self::new(content).with_is_error(true)
    }

    /// What it says in words: the text of all text blocks, one a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut texts = self.content.iter().filter_map(ContentBlock::as_text);
        let mut text = texts.next().unwrap_or_default().to_owned();
        for next in texts {
            text.push('\n');
            text.push_str(next);
        }
        text
    }
}
