//! The rules for conversations with tools.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/client/sampling>

use crate::protocol::{
    CreateMessageParams, ProtocolVersion, Role, SamplingContent, SamplingMessage,
};

/// Every use of a tool is followed by one message of the user that holds the results of exactly those uses.
pub(crate) fn check(asked: &CreateMessageParams, version: ProtocolVersion) -> Result<(), String> {
    let mut due: Vec<&str> = Vec::new();
    for message in &asked.messages {
        let several = message.content.len() != 1 || uses(message).next().is_some();
        if several && !version.has_sampling_tools() {
            return Err("the conversation needs a newer revision of the protocol".to_owned());
        }
        let mut results: Vec<_> = results(message).collect();
        results.sort_unstable();
        let of_others = message.content.len() > results.len() || message.role != Role::User;
        if results != due || (!results.is_empty() && of_others) {
            return Err("a use of a tool must be followed by a message of its results".to_owned());
        }
        due = uses(message).collect();
        due.sort_unstable();
    }
    if due.is_empty() {
        return Ok(());
    }
    Err("the conversation ends with the use of a tool".to_owned())
}

fn uses(message: &SamplingMessage) -> impl Iterator<Item = &str> {
    message.content.iter().filter_map(|block| match block {
        SamplingContent::ToolUse(usage) => Some(usage.id.as_str()),
        _ => None,
    })
}

fn results(message: &SamplingMessage) -> impl Iterator<Item = &str> {
    message.content.iter().filter_map(|block| match block {
        SamplingContent::ToolResult(result) => Some(result.tool_use_id.as_str()),
        _ => None,
    })
}
