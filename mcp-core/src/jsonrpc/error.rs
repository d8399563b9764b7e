use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number that says what kind of error an [`ErrorObject`] is.
///
/// JSON-RPC 2.0 defines those named here; the protocol adds its own in `protocol`. Codes of applications lie
/// outside -32768 to -32000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(i64);

impl ErrorCode {
    /// The text was not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The JSON was not a request.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// No such method, or none that this side has declared.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The params do not fit the method.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The receiver failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);

    /// A code of any number.
    #[must_use]
    pub const fn new(code: i64) -> Self {
        Self(code)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// The error member of a response: a code, one short sentence, and data that depends on the code.
///
/// It does not implement `Display` on purpose: a tool that returns one as its error answers with a protocol error,
/// while any other error becomes a result that the model reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of error.
    pub code: ErrorCode,
    /// One short sentence for people.
    pub message: Cow<'static, str>,
    /// What a program may want to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// An error without data.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The same error with data.
    #[must_use]
    pub fn with_data(self, data: Value) -> Self {
        Self {
            data: Some(data),
            ..self
        }
    }
}
