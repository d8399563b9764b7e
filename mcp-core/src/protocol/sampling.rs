use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::wire::{open_enum, optional_number, read_by_tag, request, wire};
use super::{
    AudioContent, ContentBlock, ImageContent, RawJson, Role, TaskMetadata, TextContent, Tool,
};

request! {
    /// `sampling/createMessage`: asks the client's model. A request of the server, or an input request (2026-07-28).
    CreateMessage = "sampling/createMessage", CreateMessageParams => CreateMessageResult
}

wire! {
    /// What to ask the model.
    pub struct CreateMessageParams {
        /// The conversation so far.
        pub messages: Vec<SamplingMessage>,
    }
    exact {
        /// The most tokens to answer with.
        pub max_tokens: u64,
    }
    strict {
        /// Tools the model may use (2025-11-25).
        pub tools: Vec<Tool>, with_tools;
        /// Whether it may or must use them (2025-11-25).
        pub tool_choice: ToolChoice, with_tool_choice;
        /// 2025-11-25: run as a task.
        pub task: TaskMetadata, with_task;
    }
    lenient {
        /// Which model would be best.
        pub model_preferences: ModelPreferences, with_model_preferences;
        /// What the model is told first.
        pub system_prompt: String, with_system_prompt;
        /// Whose context to include (deprecated).
        pub include_context: IncludeContext, with_include_context;
        /// How free the model is.
        #[serde(serialize_with = "optional_number")]
        pub temperature: f64, with_temperature;
        /// Texts at which the model stops.
        pub stop_sequences: Vec<String>, with_stop_sequences;
        /// What the provider of the model wants to know besides: an object.
        pub metadata: RawJson, with_metadata;
    }
    _meta as meta
}

wire! {
    /// One message of a conversation.
    pub struct SamplingMessage {
        /// Who speaks.
        pub role: Role,
        /// What they say: one block, or several (2025-11-25).
        #[serde(with = "one_or_many")]
        pub content: Vec<SamplingContent>,
    }
    _meta as meta
}

impl SamplingMessage {
    /// The person says this.
    #[must_use]
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::User, vec![content.into()])
    }

    /// The model says this.
    #[must_use]
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, vec![content.into()])
    }
}

wire! {
    /// What the model said.
    pub struct CreateMessageResult {
        /// Who speaks: the model.
        pub role: Role,
        /// What it says: one block, or several (2025-11-25).
        #[serde(with = "one_or_many")]
        pub content: Vec<SamplingContent>,
        /// Which model it was.
        pub model: String,
    }
    lenient {
        /// Why it stopped.
        pub stop_reason: StopReason, with_stop_reason;
    }
    _meta as meta
}

impl CreateMessageResult {
    /// A model of this name says this.
    ///
    /// ```
    /// use mcp_core::protocol::CreateMessageResult;
    ///
    /// let said = CreateMessageResult::assistant("some-model", "Four.");
    /// assert_eq!((said.model.as_str(), said.text().as_str()), ("some-model", "Four."));
    /// ```
    #[must_use]
    pub fn assistant(model: impl Into<String>, content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, vec![content.into()], model)
    }

    /// What the model said in words, without whatever else there is.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            SamplingContent::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}

open_enum! {
    /// Why a model stopped; providers have reasons of their own.
    pub enum StopReason {
        /// It was done.
        EndTurn = "endTurn",
        /// It came to a text at which to stop.
        StopSequence = "stopSequence",
        /// It may say no more.
        MaxTokens = "maxTokens",
        /// It wants to use a tool (2025-11-25).
        ToolUse = "toolUse",
    }
}

open_enum! {
    /// Whose context to include in a prompt (deprecated).
    pub enum IncludeContext {
        /// Nobody's.
        None = "none",
        /// That of the server that asks.
        ThisServer = "thisServer",
        /// That of all servers.
        AllServers = "allServers",
    }
}

wire! {
    /// Which model would be best.
    #[derive(Default)]
    pub struct ModelPreferences {}
    lenient {
        /// Parts of names of models, the best first.
        pub hints: Vec<ModelHint>, with_hints;
        /// How much a low price matters, from 0 to 1.
        #[serde(serialize_with = "optional_number")]
        pub cost_priority: f64, with_cost_priority;
        /// How much speed matters, from 0 to 1.
        #[serde(serialize_with = "optional_number")]
        pub speed_priority: f64, with_speed_priority;
        /// How much intelligence matters, from 0 to 1.
        #[serde(serialize_with = "optional_number")]
        pub intelligence_priority: f64, with_intelligence_priority;
    }
}

wire! {
    /// A hint at a model.
    #[derive(Default)]
    pub struct ModelHint {}
    lenient {
        /// A part of its name.
        pub name: String, with_name;
    }
}

wire! {
    /// Whether a model may or must use tools (2025-11-25).
    #[derive(Default)]
    pub struct ToolChoice {}
    lenient {
        /// Absent: it may.
        pub mode: ToolChoiceMode, with_mode;
    }
}

open_enum! {
    /// Whether a model may or must use tools.
    pub enum ToolChoiceMode {
        /// It may.
        Auto = "auto",
        /// It must.
        Required = "required",
        /// It must not.
        None = "none",
    }
}

/// One piece of what is said in sampling. A kind we do not know is kept as it came.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SamplingContent {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// Sound (2025-03-26).
    Audio(AudioContent),
    /// The model wants to use a tool (2025-11-25).
    ToolUse(ToolUseContent),
    /// What the tool gave (2025-11-25).
    ToolResult(ToolResultContent),
    /// A kind that this version of the SDK does not know, as it came.
    #[serde(untagged)]
    Other(RawJson),
}

read_by_tag!(SamplingContent by "type" {
    "text" => Text,
    "image" => Image,
    "audio" => Audio,
    "tool_use" => ToolUse,
    "tool_result" => ToolResult,
});

impl SamplingContent {
    /// Text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// The text, when this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            Self::Image(_)
            | Self::Audio(_)
            | Self::ToolUse(_)
            | Self::ToolResult(_)
            | Self::Other(_) => None,
        }
    }
}

impl From<String> for SamplingContent {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for SamplingContent {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<ToolUseContent> for SamplingContent {
    fn from(tool_use: ToolUseContent) -> Self {
        Self::ToolUse(tool_use)
    }
}

impl From<ToolResultContent> for SamplingContent {
    fn from(result: ToolResultContent) -> Self {
        Self::ToolResult(result)
    }
}

wire! {
    /// The model wants to use a tool. As [`SamplingContent`] it gains its `type`.
    pub struct ToolUseContent {
        /// Names this use.
        pub id: String,
        /// The tool.
        pub name: String,
        /// Its arguments: an object.
        pub input: RawJson,
    }
    _meta as meta
}

wire! {
    /// What a tool gave. As [`SamplingContent`] it gains its `type`.
    pub struct ToolResultContent {
        /// The use it answers.
        pub tool_use_id: String,
        /// What it says.
        #[serde(default, deserialize_with = "super::wire::nullable")]
        pub content: Vec<ContentBlock>,
    }
    lenient {
        /// Whether the tool failed.
        pub is_error: bool, with_is_error;
    }
    present {
        /// The result as a value; null is a value (only objects in 2025-11-25).
        pub structured_content: RawJson, with_structured_content;
    }
    _meta as meta
}

/// Content that stands alone when there is one block: that is the only way before 2025-11-25.
mod one_or_many {
    use super::{Deserialize, Deserializer, RawJson, SamplingContent, Serialize, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        content: &[SamplingContent],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match content {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<SamplingContent>, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        if raw.get().starts_with('[') {
            raw.parse()
        } else {
            raw.parse().map(|one| vec![one])
        }
        .map_err(de::Error::custom)
    }
}
