use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{CallToolResult, ContentBlock};

/// What came of the call of a tool: a result, which may be an error that the model reads, or a JSON-RPC error.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::testing::TestClient;
/// use mcp_core::{ErrorCode, Server, tool};
/// use serde_json::json;
///
/// /// Divides.
/// #[tool]
/// fn divide(a: f64, b: f64) -> Result<f64, String> {
///     if b == 0.0 { Err("division by zero".to_owned()) } else { Ok(a / b) }
/// }
///
/// let mut client = TestClient::new(Server::new("calculator", "1").tool::<divide>());
/// assert_eq!(client.call_tool("divide", json!({"a": 1, "b": 2})).text(), "0.5");
/// let failed = client.call_tool("divide", json!({"a": 1, "b": 0}));
/// assert!(failed.is_error());
/// assert_eq!(failed.text(), "division by zero");
/// assert_eq!(client.call_tool("dividee", json!({})).error_code(), Some(ErrorCode::INVALID_PARAMS));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutcome(Result<Value, ErrorObject>);

impl ToolOutcome {
    pub(super) const fn new(outcome: Result<Value, ErrorObject>) -> Self {
        Self(outcome)
    }

    /// The text that the model reads: that of all text blocks, one a line.
    ///
    /// # Panics
    ///
    /// When the call ended in a JSON-RPC error.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> String {
        let texts: Vec<_> = (self.content().into_iter())
            .filter_map(|block| match block {
                ContentBlock::Text(text) => Some(text.text),
                _ => None,
            })
            .collect();
        texts.join("\n")
    }

    /// All content.
    ///
    /// # Panics
    ///
    /// When the call ended in a JSON-RPC error.
    #[must_use]
    #[track_caller]
    pub fn content(&self) -> Vec<ContentBlock> {
        match serde_json::from_value::<CallToolResult>(self.result().clone()) {
            Ok(result) => result.content,
            Err(fault) => panic!("the result is none of a tool: {fault}"),
        }
    }

    /// The structured content, as it was sent. Up to 2025-11-25 a value that is no object stands under `result`.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        self.0.as_ref().ok()?.get("structuredContent")
    }

    /// Whether the tool failed, in words for the model. A JSON-RPC error is none of these.
    #[must_use]
    pub fn is_error(&self) -> bool {
        let result = self.0.as_ref().ok();
        result.is_some_and(|result| result.get("isError") == Some(&Value::Bool(true)))
    }

    /// The JSON-RPC error, if the call ended in one.
    #[must_use]
    pub fn error(&self) -> Option<&ErrorObject> {
        self.0.as_ref().err()
    }

    /// The code of the JSON-RPC error.
    #[must_use]
    pub fn error_code(&self) -> Option<ErrorCode> {
        self.error().map(|error| error.code)
    }

    /// The result as it was sent.
    ///
    /// # Panics
    ///
    /// When the call ended in a JSON-RPC error.
    #[must_use]
    #[track_caller]
    pub fn result(&self) -> &Value {
        match &self.0 {
            Ok(result) => result,
            Err(error) => panic!(
                "the call ended in error {}: {}",
                error.code.get(),
                error.message
            ),
        }
    }

    /// What the tool returned: its structured content where there is some, else its text, read as JSON or taken as a
    /// string.
    ///
    /// # Panics
    ///
    /// When the call failed in either way, or returned something else.
    #[must_use]
    #[track_caller]
    pub fn decode<T: DeserializeOwned>(&self) -> T {
        let text = self.text();
        assert!(!self.is_error(), "the tool failed: {text}");
        let wrapped = |value: &Value| {
            let members = value.as_object().filter(|members| members.len() == 1)?;
            members.get("result").cloned()
        };
        let structured = self.structured().cloned();
        let inner = structured.as_ref().and_then(wrapped);
        let candidates = [
            structured,
            inner,
            serde_json::from_str(&text).ok(),
            Some(Value::String(text.clone())),
        ];
        let mut decoded = candidates
            .into_iter()
            .flatten()
            .filter_map(|value| serde_json::from_value(value).ok());
        decoded.next().unwrap_or_else(|| {
            panic!(
                "the result is no `{}`: {}",
                std::any::type_name::<T>(),
                self.result()
            )
        })
    }
}
