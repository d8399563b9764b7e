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
pub struct OddClient(Client);

impl OddClient {
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

    /// A tool with a keyword for a name.
    ///
    /// fn main() { panic!() }
    ///
    /// \`\`\`
    /// not rust
    /// \`\`\`
    /// See \[this\](that), \<b\>that\</b\> and <https://example.com/a_b>.
    pub fn r#type(&self, arguments: &TypeArguments) -> ToolCallFuture<'_> {
        self.0.call_tool("type", arguments)
    }

    /// Calls the tool.
    pub fn new_2(&self) -> ToolCallFuture<'_> {
        self.0.call_tool("new", ())
    }

    /// Calls the tool.
    pub fn vec(&self, arguments: impl serde::Serialize) -> ToolCallFuture<'_> {
        self.0.call_tool("Vec", arguments)
    }

    /// Calls the tool.
    pub fn panic(&self, arguments: &std::collections::BTreeMap<String, String>) -> ToolCallFuture<'_> {
        self.0.call_tool("*/ } panic!(); /*", arguments)
    }

    /// Draws shapes.
    pub fn draw(&self, arguments: &DrawArguments) -> TypedCallFuture<'_, Vec<String>> {
        self.0.call(TypedToolCall::<_, As<Vec<String>>>::new("draw", arguments))
    }
}

/// What "type" takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeArguments {
    #[serde(rename = "self")]
    pub self_: bool,
    /// What \`kind\`?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(rename = "maxCount", default, skip_serializing_if = "Option::is_none")]
    pub max_count: Option<u64>,
    #[serde(rename = "max_count", default, skip_serializing_if = "Option::is_none")]
    pub max_count_2: Option<i64>,
    #[serde(rename = "2nd")]
    pub n2nd: Option<f64>,
    #[serde(rename = "", default, skip_serializing_if = "Option::is_none")]
    pub unnamed: Option<()>,
    #[serde(rename = "\u{6578}", default, skip_serializing_if = "Option::is_none")]
    pub unnamed_2: Option<serde_json::Value>,
    #[serde(rename = "a \"quoted\" name\u{a}", default, skip_serializing_if = "Option::is_none")]
    pub a_quoted_name: Option<Vec<Vec<i64>>>,
}

/// What "draw" takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawArguments {
    pub shape: DrawShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<DrawColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<DrawMode>,
    pub tree: DrawTree,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endless: Option<Vec<serde_json::Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nowhere: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub both: Option<DrawBoth>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<Vec<serde_json::Value>>,
    pub anything: serde_json::Value,
    /// Members that have no field of their own.
    #[serde(flatten)]
    pub others: std::collections::BTreeMap<String, i64>,
}

/// "shape" in Draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DrawShape {
    Box(DrawShapeBox),
    Circle(DrawShapeCircle),
    Object(DrawShapeObject),
    String(String),
}

/// "Object" in Draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawShapeObject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// "Circle" in Draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawShapeCircle {
    pub kind: DrawShapeCircleKind,
    pub radius: f64,
}

/// "kind" in Draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawShapeCircleKind {
    #[serde(rename = "circle")]
    Circle,
}

/// "Box" in Draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawShapeBox {
    pub kind: DrawShapeBoxKind,
    pub width: f64,
    pub height: f64,
}

/// "kind" in Draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawShapeBoxKind {
    #[serde(rename = "box")]
    Box,
}

/// "color" in Draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawColor {
    /// Like a rose.
    #[serde(rename = "red")]
    Red,
    #[serde(rename = "RED")]
    Red2,
    #[serde(rename = "")]
    Unnamed,
}

/// "mode" in Draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawMode {
    #[serde(rename = "fast")]
    Fast,
    #[serde(rename = "slow")]
    Slow,
}

/// A tree of groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawTree {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Box<DrawTree>>,
    pub children: Vec<DrawTree>,
    #[serde(rename = "byName", default, skip_serializing_if = "Option::is_none")]
    pub by_name: Option<std::collections::BTreeMap<String, DrawTree>>,
}

/// "both" in Draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawBoth {
    pub a: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<i64>,
}
