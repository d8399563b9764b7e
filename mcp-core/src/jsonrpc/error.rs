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

    /// Reads the error of a response. Peers are not always exact here, and an answer that says less than it should is
    /// still an answer: a missing code reads as [`ErrorCode::INTERNAL_ERROR`].
    pub(crate) fn from_json(text: &str) -> Self {
        #[derive(Deserialize)]
        struct Lenient {
            code: Option<Value>,
            message: Option<Value>,
            data: Option<Value>,
        }
        if let Ok(error) = serde_json::from_str(text) {
            return error;
        }
        let Ok(error) = serde_json::from_str::<Lenient>(text) else {
            // A bare text is the message.
            let message = serde_json::from_str::<String>(text);
            return Self::new(
                ErrorCode::INTERNAL_ERROR,
                message.unwrap_or_else(|_| "an error that is no error object".to_owned()),
            );
        };
        let code = error.code.as_ref().and_then(|code| match code {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        });
        let message = match error.message {
            Some(Value::String(text)) => text.into(),
            _ => Cow::Borrowed("an error without a message"),
        };
        Self {
            code: code.map_or(ErrorCode::INTERNAL_ERROR, ErrorCode::new),
            message,
            data: error.data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_of_an_error_is() {
        let read = |text| {
            let error = ErrorObject::from_json(text);
            (error.code.get(), error.message.into_owned())
        };
        assert_eq!(read(r#"{"code":-1,"message":"no"}"#), (-1, "no".to_owned()));
        assert_eq!(
            read(r#"{"code":"-5","message":"no"}"#),
            (-5, "no".to_owned())
        );
        let nameless = "an error without a message".to_owned();
        assert_eq!(read(r#"{"code":1.5,"message":null}"#), (-32603, nameless));
        assert_eq!(read(r#""broken""#), (-32603, "broken".to_owned()));
        assert_eq!(read("7").0, -32603);
    }
}
