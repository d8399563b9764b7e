use crate::protocol::{LoggingMessageParams, RawJson};

/// What a server tells its client without being asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The list of tools has changed.
    ToolsChanged,
    /// The list of prompts has changed.
    PromptsChanged,
    /// The list of resources, or of their templates, has changed.
    ResourcesChanged,
    /// A resource, or a part of one, has changed: its URI.
    ResourceUpdated(String),
    /// A log message.
    Log(LoggingMessageParams),
    /// What was to happen at a URL has happened (2025-11-25): the id of the elicitation.
    ElicitationComplete(String),
    /// Something that this version of the SDK does not know.
    Other {
        /// The method.
        method: String,
        /// What it says.
        params: Option<RawJson>,
    },
    /// Events came faster than they were taken, and so many were dropped here.
    Lagged(u64),
}
