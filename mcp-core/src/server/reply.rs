//! What handlers return, made into what the session sends.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use bytes::Bytes;
use schemars::{Schema, SchemaGenerator};

use super::rounds::InputRequired;
use crate::__private::Structured;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CallToolResult, ContentBlock, GetPromptResult, RawJson, ResourceContents};
use crate::schema::{ArgumentErrors, root_of};

/// The outcome of a call, ready to be written for whatever revision it is answered in.
pub struct Reply(pub(crate) Outcome);

/// What a [`Reply`] holds.
pub(crate) enum Outcome {
    /// One text: by far the most common result, written without a content list being built.
    Text(Cow<'static, str>),
    Result(Box<CallToolResult>),
    /// The same, of a tool whose schema puts every value under `result` where only objects are known.
    Wrapped(Box<CallToolResult>),
    /// A result or an error by the revision: see design 9.
    InvalidArguments(Box<ArgumentErrors>),
    Error(Box<ErrorObject>),
    /// The members of a result that were serialised before, without braces.
    Members(Bytes),
    /// A result that a layer has seen.
    Encoded(RawJson),
    /// What a prompt says.
    Prompt(Box<GetPromptResult>),
    /// What a resource holds.
    Contents(Vec<ResourceContents>),
    /// There is no such resource.
    NotFound,
    /// The call has to ask first.
    InputRequired(Box<InputRequired>),
    /// The handler panicked; its text stays in the log.
    Panicked,
}

impl Reply {
    /// A result of one text.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self(Outcome::Text(text.into()))
    }

    /// A JSON-RPC error, which many hosts hide from the model.
    #[must_use]
    pub fn protocol_error(error: ErrorObject) -> Self {
        Self(Outcome::Error(Box::new(error)))
    }

    /// A result that the model reads as an error.
    pub fn tool_error(text: impl Into<String>) -> Self {
        Self::from(CallToolResult::error(vec![ContentBlock::text(text)]))
    }

    /// An error and its causes, as a result that the model reads: `the note can't be saved: the disk is full`. A cause
    /// that the text before has said already is not repeated.
    ///
    /// A function with `#[tool]` whose `Err` is an error replies so by itself.
    ///
    /// ```
    /// use mcp_core::{Invocation, Reply, Server, Step, ToolDefinition};
    ///
    /// let count = ToolDefinition::new("count", |call: Invocation| {
    ///     Step::now(&call, |_| {
    ///         let words = std::fs::read_to_string("words").map_err(|error| Reply::from_error(&error))?;
    ///         Ok(Reply::text(words.len().to_string()))
    ///     })
    /// });
    /// let server = Server::new("words", "1.0.0").raw_tool(count).build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn from_error(error: &dyn Error) -> Self {
        // `{:#}` makes some errors print their causes themselves.
        let mut text = format!("{error:#}");
        let mut cause = error.source();
        for _ in 0..MAX_CAUSES {
            let Some(error) = cause else { break };
            let said = error.to_string();
            if !says(&text, &said) {
                text.push_str(": ");
                text.push_str(&said);
            }
            cause = error.source();
        }
        Self::tool_error(text)
    }

    pub(crate) fn invalid_arguments(errors: ArgumentErrors) -> Self {
        Self(Outcome::InvalidArguments(Box::new(errors)))
    }
}

/// Nothing hinders an error from naming itself as its cause.
const MAX_CAUSES: usize = 32;

/// Whether a text holds another, and not just as a part of a longer word.
fn says(text: &str, said: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let starts_as_word = is_word(said.chars().next());
    let ends_as_word = is_word(said.chars().next_back());
    said.is_empty()
        || text.match_indices(said).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + said.len()..].chars().next();
            let is_part = starts_as_word && is_word(before) || ends_as_word && is_word(after);
            !is_part
        })
}

impl From<CallToolResult> for Reply {
    fn from(result: CallToolResult) -> Self {
        Self(Outcome::Result(Box::new(result)))
    }
}

impl From<Box<CallToolResult>> for Reply {
    fn from(result: Box<CallToolResult>) -> Self {
        Self(Outcome::Result(result))
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0 {
            Outcome::Text(_) => "text",
            Outcome::Result(_) | Outcome::Wrapped(_) => "result",
            Outcome::InvalidArguments(_) => "invalid arguments",
            Outcome::Error(_) => "error",
            Outcome::Members(_) | Outcome::Encoded(_) => "encoded",
            Outcome::Prompt(_) => "prompt",
            Outcome::Contents(_) => "contents",
            Outcome::NotFound => "not found",
            Outcome::InputRequired(_) => "input required",
            Outcome::Panicked => "panicked",
        };
        f.debug_tuple("Reply").field(&kind).finish()
    }
}

/// A structured value: `structuredContent` with its output schema, and the same as text for older clients.
///
/// What is no object goes as it is in 2026-07-28, and as `{"result": …}` before, where only objects were allowed; the
/// schema is shown accordingly.
///
/// The value has to be `Serialize` and `JsonSchema`, which [`#[data]`](macro@crate::data) derives.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{Json, Server, data, tool};
///
/// /// A place on earth.
/// #[data]
/// struct Place {
///     latitude: f64,
///     longitude: f64,
/// }
///
/// /// Finds the north pole.
/// #[tool]
/// fn find_north_pole() -> Json<Place> {
///     Json(Place { latitude: 90.0, longitude: 0.0 })
/// }
///
/// let server = Server::new("map", "1.0.0").tool::<find_north_pole>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wrapper made to be taken apart"
)]
pub struct Json<T>(pub T);

/// What a tool may return.
///
/// Numbers, booleans and strings become one text, `()` an empty one, [`ContentBlock`]s are sent as they are, [`Json`]
/// is structured, [`CallToolResult`] says everything itself. The `Err` of a `Result` is an error that the model reads.
///
/// Functions with `#[tool]` may also return whatever else is `Serialize`, which becomes one text of JSON.
#[diagnostic::on_unimplemented(
    message = "a tool can't return `{Self}`",
    label = "not a result of a tool",
    note = "put `#[mcp_core::data]` on your own types; wrap values in `Json` to send them structured with a schema; return text, `Content`, `Vec<Content>` or `ToolResult`, or a `Result` of these"
)]
pub trait IntoReply {
    /// Makes the reply.
    fn into_reply(self) -> Reply;

    /// The schema of `structuredContent`, where there is one.
    #[must_use]
    fn output_schema(_generator: SchemaGenerator) -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }
}

impl IntoReply for Reply {
    fn into_reply(self) -> Reply {
        self
    }
}

impl IntoReply for () {
    fn into_reply(self) -> Reply {
        Reply::text("")
    }
}

impl IntoReply for &str {
    fn into_reply(self) -> Reply {
        Reply::text(self.to_owned())
    }
}

impl IntoReply for Cow<'_, str> {
    fn into_reply(self) -> Reply {
        Reply::text(self.into_owned())
    }
}

impl IntoReply for Box<str> {
    fn into_reply(self) -> Reply {
        Reply::text(String::from(self))
    }
}

macro_rules! text_replies {
    ($($kind:ty => $text:expr),+ $(,)?) => {$(
        impl IntoReply for $kind {
            fn into_reply(self) -> Reply {
                let text: fn(Self) -> String = $text;
                Reply::text(text(self))
            }
        }
    )+};
}

text_replies! {
    String => |text| text,
    char => |c| c.to_string(),
    bool => |b| b.to_string(),
    i8 => |n| n.to_string(), i16 => |n| n.to_string(), i32 => |n| n.to_string(), i64 => |n| n.to_string(),
    i128 => |n| n.to_string(), isize => |n| n.to_string(),
    u8 => |n| n.to_string(), u16 => |n| n.to_string(), u32 => |n| n.to_string(), u64 => |n| n.to_string(),
    u128 => |n| n.to_string(), usize => |n| n.to_string(),
    f32 => |n| n.to_string(), f64 => |n| n.to_string(),
    serde_json::Value => |value| value.to_string(),
}

impl IntoReply for ContentBlock {
    fn into_reply(self) -> Reply {
        CallToolResult::new(vec![self]).into()
    }
}

impl IntoReply for Vec<ContentBlock> {
    fn into_reply(self) -> Reply {
        CallToolResult::new(self).into()
    }
}

impl IntoReply for CallToolResult {
    fn into_reply(self) -> Reply {
        self.into()
    }
}

impl<T: Structured> IntoReply for Json<T> {
    fn into_reply(self) -> Reply {
        match RawJson::from_value(&self.0) {
            Ok(json) => CallToolResult::new(Vec::new())
                .with_structured_content(json)
                .into(),
            Err(fault) => {
                Reply::tool_error(format!("the result can't be written as JSON: {fault}"))
            }
        }
    }

    fn output_schema(generator: SchemaGenerator) -> Option<Schema> {
        Some(root_of::<T>(generator))
    }
}

impl<T: IntoReply, E: IntoToolError> IntoReply for Result<T, E> {
    fn into_reply(self) -> Reply {
        match self {
            Ok(value) => value.into_reply(),
            Err(error) => error.into_tool_error(),
        }
    }

    fn output_schema(generator: SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }
}

/// What the `Err` of a tool's `Result` may be: anything with a `Display`, as errors have.
///
/// The model reads its text, with the causes where `{:#}` prints them, as `anyhow` does. Tools by the macros ask `source()`
/// as well, where the error is an [`Error`] or a box of one; by hand, [`Reply::from_error`] does. An [`ErrorObject`] is sent
/// as a JSON-RPC error instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the error of a tool",
    note = "it needs `Display`, whose text the model reads"
)]
pub trait IntoToolError {
    /// Makes the reply.
    fn into_tool_error(self) -> Reply;
}

impl<E: fmt::Display> IntoToolError for E {
    fn into_tool_error(self) -> Reply {
        Reply::tool_error(format!("{self:#}"))
    }
}

impl IntoToolError for ErrorObject {
    fn into_tool_error(self) -> Reply {
        Reply::protocol_error(self)
    }
}
