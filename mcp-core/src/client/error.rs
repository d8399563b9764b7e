use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::shown::shown;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{CallToolResult, Discover, Initialize, ReadResource, Request};

/// Of what a server or a tool says, this many characters are in a message. [`ClientErrorKind`] has all of it.
const SHOWN: usize = 500;

/// What went wrong with a request, or with a connection.
///
/// It says which server and which method it is about, and it is small: a pointer. Its message is a line: what the server
/// says is shortened in it, and without what a terminal would obey.
pub struct ClientError(Box<Inner>);

struct Inner {
    server: String,
    method: Cow<'static, str>,
    kind: ClientErrorKind,
    /// What else is known.
    note: Option<String>,
}

/// What went wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClientErrorKind {
    /// The server has answered with an error.
    Refused(ErrorObject),
    /// The tool has failed: its result says why, in words for a model. Typed calls end in this; others give the result.
    Tool(CallToolResult),
    /// No answer came in time.
    Timeout {
        /// How long it was waited for: since the last sign of life, or in all.
        after: Duration,
        /// Whether the server may have got the request, and may have carried it out.
        sent: bool,
    },
    /// The connection ended before the answer came.
    Disconnected {
        /// Why it ended.
        why: Disconnected,
        /// Whether the server may have got the request, and may have carried it out.
        sent: bool,
    },
    /// The request, or its answer, could not be carried. The connection goes on. For HTTP, the error holds
    /// `mcp_sse::HttpError`.
    Failed {
        /// What happened.
        error: Arc<io::Error>,
        /// Whether the server may have got the request, and may have carried it out.
        sent: bool,
    },
    /// What the server has answered does not follow the protocol, or is not of the type that was asked for.
    Malformed(String),
    /// The answer is longer than this many bytes.
    TooLong(usize),
    /// The server does not offer this, or the revision that is spoken with it does not have it.
    Unsupported(String),
    /// What was to be sent can't be written as JSON.
    Unwritable(String),
    /// The server has asked for what this client has no handler for, its handler failed, or the server asks for too much.
    Input(String),
    /// Too many requests wait for an answer.
    Overloaded,
    /// The caller has cancelled it.
    Cancelled,
}

/// Why a connection has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Disconnected {
    /// This side has closed it.
    Closed,
    /// The server has.
    ByServer,
    /// The transport failed. For a child process that ended, the error holds `mcp_stdio::ChildEnded`.
    Failed(Arc<io::Error>),
    /// The server sent a message of more than this many bytes.
    Overlong(usize),
    /// The runtime has ended, and the task of the connection with it.
    RuntimeEnded,
}

impl ClientError {
    pub(super) fn new(
        server: impl Into<String>,
        method: impl Into<Cow<'static, str>>,
        kind: ClientErrorKind,
    ) -> Self {
        Self(Box::new(Inner {
            server: server.into(),
            method: method.into(),
            kind,
            note: None,
        }))
    }

    /// The same error with what else is known.
    pub(super) fn with_note(mut self, note: String) -> Self {
        self.0.note = Some(note);
        self
    }

    /// The server, as the application has labelled it or as it calls itself: then the first 100 characters, none of which a
    /// terminal would obey.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.0.server
    }

    /// The method of the request.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.0.method
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ClientErrorKind {
        &self.0.kind
    }

    /// The error that the server has answered with, if it is one.
    #[must_use]
    pub fn error_object(&self) -> Option<&ErrorObject> {
        match self.kind() {
            ClientErrorKind::Refused(error) => Some(error),
            _ => None,
        }
    }

    /// Whether the server has no such resource: it was to be read, and the server has answered so.
    #[must_use]
    pub fn is_resource_not_found(&self) -> bool {
        self.method() == ReadResource::METHOD
            && self.error_object().is_some_and(|error| {
                matches!(
                    error.code,
                    ErrorCode::RESOURCE_NOT_FOUND | ErrorCode::INVALID_PARAMS
                )
            })
    }

    /// Whether the answer took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), ClientErrorKind::Timeout { .. })
    }

    /// Whether the connection is gone.
    #[must_use]
    pub fn is_disconnected(&self) -> bool {
        matches!(self.kind(), ClientErrorKind::Disconnected { .. })
    }

    /// Whether the server has left instead of saying which revisions it speaks. A server of before 2026-07-28 may do that
    /// when it is asked: it can be started again and opened [without asking](super::ClientBuilder::without_probe).
    #[must_use]
    pub fn is_probe_refused_by_leaving(&self) -> bool {
        let left = match self.kind() {
            ClientErrorKind::Disconnected { why, .. } => {
                matches!(why, Disconnected::ByServer | Disconnected::Failed(_))
            }
            _ => false,
        };
        left && self.method() == Discover::METHOD
    }

    /// Whether the server may have carried the request out, though nobody can say. Send it again only when doing it
    /// twice does no harm.
    #[must_use]
    pub fn is_outcome_unknown(&self) -> bool {
        match self.kind() {
            ClientErrorKind::Timeout { sent, .. }
            | ClientErrorKind::Failed { sent, .. }
            | ClientErrorKind::Disconnected { sent, .. } => *sent,
            ClientErrorKind::Malformed(_)
            | ClientErrorKind::TooLong(_)
            | ClientErrorKind::Cancelled => true,
            _ => false,
        }
    }
}

impl fmt::Debug for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientError")
            .field("server", &self.0.server)
            .field("method", &self.0.method)
            .field("kind", &self.0.kind)
            .finish()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}`: ", self.server(), self.method())?;
        match self.kind() {
            // Opening a connection carries nothing out that one would have to know of.
            ClientErrorKind::Disconnected { why, .. }
                if [Initialize::METHOD, Discover::METHOD].contains(&self.method()) =>
            {
                write!(f, "{why}")?;
            }
            kind => write!(f, "{kind}")?,
        }
        match &self.0.note {
            Some(note) => write!(f, "; {note}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ClientErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => {
                let message = shown(&error.message, SHOWN);
                write!(f, "error {}: {message}", error.code.get())
            }
            Self::Tool(result) => {
                write!(f, "the tool failed: {}", shown(&result.text(), SHOWN))
            }
            Self::Timeout { after, sent: true } => {
                write!(f, "no answer within {after:?}")
            }
            Self::Timeout { after, sent: false } => {
                write!(f, "not sent within {after:?}: the server takes nothing in")
            }
            Self::Disconnected { why, sent } => {
                write!(f, "{why}")?;
                if *sent && !matches!(why, Disconnected::Closed) {
                    f.write_str("; whether the request was carried out is unknown")?;
                }
                Ok(())
            }
            Self::Failed { error, sent } => {
                write!(f, "{error}")?;
                if *sent {
                    f.write_str("; whether the request was carried out is unknown")?;
                }
                Ok(())
            }
            Self::Malformed(why) => {
                write!(f, "the answer can't be read: {}", shown(why, 4 * SHOWN))
            }
            Self::TooLong(limit) => {
                write!(f, "the answer is longer than {limit} bytes")
            }
            Self::Unsupported(why) | Self::Unwritable(why) | Self::Input(why) => {
                f.write_str(&shown(why, SHOWN))
            }
            Self::Overloaded => f.write_str("too many requests wait for an answer"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl Error for ClientError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.kind() {
            ClientErrorKind::Disconnected {
                why: Disconnected::Failed(error),
                ..
            }
            | ClientErrorKind::Failed { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

impl fmt::Display for Disconnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("the client was closed"),
            Self::ByServer => f.write_str("the server has closed the connection"),
            Self::Failed(error) => write!(f, "the connection failed: {error}"),
            Self::Overlong(limit) => write!(
                f,
                "the connection was closed: the server sent a message of more than {limit} bytes"
            ),
            Self::RuntimeEnded => f.write_str("the runtime of the connection has ended"),
        }
    }
}
