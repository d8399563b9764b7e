//! Written by mcp-gen from what a server says of its tools. It needs mcp-core, serde (with `derive`) and serde_json.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    rustdoc::all,
    clippy::all,
    clippy::pedantic,
    reason = "names and texts are those of the server"
)]

use mcp_core::client::{As, Client, ToolCallFuture, TypedCallFuture, TypedToolCall};
use serde::{Deserialize, Serialize};

/// Calls the tools of the server. Clones are handles on the same connection.
#[derive(Clone, Debug)]
pub struct MyNotesClient(Client);

impl MyNotesClient {
    /// A client that makes its calls over this connection.
    #[must_use]
    pub const fn new(client: Client) -> Self {
        Self(client)
    }

    /// The connection.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.0
    }

    /// Finds notes.
    pub fn find(&self, arguments: &FindArguments) -> TypedCallFuture<'_, Vec<FindResultItem>> {
        self.0.call(TypedToolCall::<_, As<Vec<FindResultItem>>>::new("find", arguments))
    }

    /// Saves a note.
    pub fn save(&self, arguments: &SaveArguments) -> TypedCallFuture<'_, SaveResult> {
        self.0.call(TypedToolCall::<_, As<SaveResult>>::new("save", arguments))
    }

    /// Counts notes.
    pub fn count_all(&self) -> ToolCallFuture<'_> {
        self.0.call_tool("count-all", ())
    }
}

/// What "find" takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindArguments {
    pub text: String,
    /// How to sort.
    /// - \`by-date\`: The latest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<FindOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// How to sort.
/// - \`by-date\`: The latest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FindOrder {
    #[serde(rename = "by-title")]
    ByTitle,
    #[serde(rename = "by-date")]
    ByDate,
}

/// What "find" gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindResultItem {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<FindResultNote>,
    pub stars: Option<u64>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindResultNote {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<FindResultNote>,
    pub stars: Option<u64>,
}

/// What "save" takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaveArguments {
    /// A note.
    pub note: SaveNote,
    pub r#where: std::collections::BTreeMap<String, String>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaveNote {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<SaveNote2>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<u64>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaveNote2 {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<SaveNote2>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<u64>,
}

/// What "save" gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaveResult {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<SaveResultRoot>,
    pub stars: Option<u64>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaveResultRoot {
    /// Shown in lists.
    pub title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    pub parent_notes: Vec<SaveResultRoot>,
    pub stars: Option<u64>,
}
