//! What passes between a session and its driver.

use std::borrow::Cow;

use bytes::Bytes;

use super::calls::CallKey;
use super::gate::LogGate;
use super::http::Headers;
use super::params::Params;
use crate::jsonrpc::RequestId;
use crate::protocol::{CompleteParams, ProtocolVersion};
use crate::server::{AboutClient, Answered, AskKey, Given, List};

/// What the driver has to do.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Start a call, and [`respond`](ServerSession::respond) when it is done.
    Start(Call),
    /// Stop a call; its answer is no longer wanted.
    Cancel(CallKey),
    /// Find out when a resource changes, which is named by what its URI is [compared](crate::uri_template::chars::compared)
    /// by.
    Watch(String),
    /// No longer.
    Unwatch(String),
    /// Hand the client's answer, or that there will be none, to whoever asked. The call
    /// [goes on](ServerSession::goes_on) with it.
    Deliver(CallKey, AskKey, Answered),
}

/// A request for the application.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) key: CallKey,
    pub(crate) id: RequestId,
    pub(crate) version: ProtocolVersion,
    pub(crate) request: CallRequest,
    pub(crate) wants_progress: bool,
    pub(crate) log_gate: LogGate,
    pub(crate) client: AboutClient,
    /// The JSON text of `_meta`.
    pub(crate) meta: Option<Bytes>,
    /// What came with it when the client was asked before.
    pub(crate) given: Option<Box<Given>>,
}

/// What is asked of the application.
#[derive(Debug)]
pub(crate) enum CallRequest {
    List {
        list: List,
        cursor: Option<String>,
    },
    CallTool {
        name: Name,
        /// The JSON text of an object; `None` when the call has none.
        arguments: Option<Bytes>,
    },
    GetPrompt {
        name: Name,
        /// As those of a tool.
        arguments: Option<Bytes>,
    },
    ReadResource {
        uri: Name,
    },
    Complete(Box<CompleteParams>),
}

/// A name or a URI in a call, inside its frame unless it had escapes.
#[derive(Debug)]
pub(crate) struct Name(Bytes);

impl Name {
    pub(super) fn new(name: Cow<'_, str>, frame: &Bytes) -> Self {
        Self(match name {
            Cow::Borrowed(name) => frame.slice_ref(name.as_bytes()),
            Cow::Owned(name) => name.into(),
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.0
    }
}

/// A request on its way through the session.
pub(super) struct Incoming<'f> {
    pub(super) id: RequestId,
    pub(super) method: Cow<'f, str>,
    pub(super) params: &'f Params<'f>,
    pub(super) frame: &'f Bytes,
    pub(super) batch: Option<usize>,
    /// Where it came with some.
    pub(super) headers: Option<&'f dyn Headers>,
}
