use std::collections::{BTreeMap, btree_map};
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ClientCapabilities, Implementation, LoggingLevel, RawJson, RelatedTask};
use crate::RequestId;

/// What `_meta` holds: JSON by name.
///
/// The names the protocol defines are constants here and have typed getters, which give `None` for what is absent
/// and for what is malformed alike.
///
/// ```
/// use mcp_core::protocol::{Meta, ProgressToken};
///
/// let meta = Meta::new().with_progress_token(7_i64);
/// assert_eq!(meta.progress_token(), Some(ProgressToken::from(7_i64)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meta(BTreeMap<String, RawJson>);

impl Meta {
    /// The revision of a request (2026-07-28).
    pub const PROTOCOL_VERSION: &'static str = "io.modelcontextprotocol/protocolVersion";
    /// What the client can do, on each request (2026-07-28).
    pub const CLIENT_CAPABILITIES: &'static str = "io.modelcontextprotocol/clientCapabilities";
    /// Who the client is, on each request (2026-07-28).
    pub const CLIENT_INFO: &'static str = "io.modelcontextprotocol/clientInfo";
    /// Asks for log messages of this level and above (2026-07-28).
    pub const LOG_LEVEL: &'static str = "io.modelcontextprotocol/logLevel";
    /// Who the server is, on each result (2026-07-28).
    pub const SERVER_INFO: &'static str = "io.modelcontextprotocol/serverInfo";
    /// The listen request that a notification answers (2026-07-28).
    pub const SUBSCRIPTION_ID: &'static str = "io.modelcontextprotocol/subscriptionId";
    /// Asks for progress, under this token.
    pub const PROGRESS_TOKEN: &'static str = "progressToken";
    /// The task a message belongs to (2025-11-25).
    pub const RELATED_TASK: &'static str = "io.modelcontextprotocol/related-task";
    /// What a model may be told while a task runs (2025-11-25).
    pub const MODEL_IMMEDIATE_RESPONSE: &'static str =
        "io.modelcontextprotocol/model-immediate-response";
    /// Trace context, as W3C defines it.
    pub const TRACEPARENT: &'static str = "traceparent";
    /// Vendors' trace context, as W3C defines it.
    pub const TRACESTATE: &'static str = "tracestate";
    /// Baggage, as W3C defines it.
    pub const BAGGAGE: &'static str = "baggage";

    /// No metadata.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The entry of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawJson> {
        self.0.get(name)
    }

    /// The entry of this name as a `T`, unless it is absent or does not fit.
    #[must_use]
    pub fn parse<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// Sets an entry and gives back the one it replaced.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        value: impl Into<RawJson>,
    ) -> Option<RawJson> {
        self.0.insert(name.into(), value.into())
    }

    /// Takes an entry out.
    pub fn remove(&mut self, name: &str) -> Option<RawJson> {
        self.0.remove(name)
    }

    /// The entries, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The same with one more entry.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<RawJson>) -> Self {
        self.insert(name, value);
        self
    }

    /// The token under which the sender of a request wants progress.
    #[must_use]
    pub fn progress_token(&self) -> Option<ProgressToken> {
        self.parse(Self::PROGRESS_TOKEN)
    }

    /// The revision of a request, as the client wrote it.
    #[must_use]
    pub fn protocol_version(&self) -> Option<String> {
        self.parse(Self::PROTOCOL_VERSION)
    }

    /// What the client can do.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<ClientCapabilities> {
        self.parse(Self::CLIENT_CAPABILITIES)
    }

    /// Who the client is.
    #[must_use]
    pub fn client_info(&self) -> Option<Implementation> {
        self.parse(Self::CLIENT_INFO)
    }

    /// The least level of log messages wanted.
    #[must_use]
    pub fn log_level(&self) -> Option<LoggingLevel> {
        self.parse(Self::LOG_LEVEL)
    }

    /// Who the server is.
    #[must_use]
    pub fn server_info(&self) -> Option<Implementation> {
        self.parse(Self::SERVER_INFO)
    }

    /// The listen request that a notification belongs to.
    #[must_use]
    pub fn subscription_id(&self) -> Option<RequestId> {
        self.parse(Self::SUBSCRIPTION_ID)
    }

    /// The task a message belongs to.
    #[must_use]
    pub fn related_task(&self) -> Option<RelatedTask> {
        self.parse(Self::RELATED_TASK)
    }

    /// The same, asking for progress under this token.
    #[must_use]
    pub fn with_progress_token(self, token: impl Into<ProgressToken>) -> Self {
        self.with(Self::PROGRESS_TOKEN, RawJson::of_plain(&token.into()))
    }

    /// The same with the revision of the request.
    #[must_use]
    pub fn with_protocol_version(self, version: impl Into<String>) -> Self {
        self.with(
            Self::PROTOCOL_VERSION,
            serde_json::Value::from(version.into()),
        )
    }

    /// The same with what the client can do.
    #[must_use]
    pub fn with_client_capabilities(self, capabilities: &ClientCapabilities) -> Self {
        self.with(Self::CLIENT_CAPABILITIES, RawJson::of_plain(capabilities))
    }

    /// The same with who the client is.
    #[must_use]
    pub fn with_client_info(self, info: &Implementation) -> Self {
        self.with(Self::CLIENT_INFO, RawJson::of_plain(info))
    }

    /// The same, asking for log messages of this level and above.
    #[must_use]
    pub fn with_log_level(self, level: &LoggingLevel) -> Self {
        self.with(Self::LOG_LEVEL, RawJson::of_plain(level))
    }

    /// The same with who the server is.
    #[must_use]
    pub fn with_server_info(self, info: &Implementation) -> Self {
        self.with(Self::SERVER_INFO, RawJson::of_plain(info))
    }

    /// The same with the listen request it belongs to.
    #[must_use]
    pub fn with_subscription_id(self, id: &RequestId) -> Self {
        self.with(Self::SUBSCRIPTION_ID, RawJson::of_plain(id))
    }

    /// The same with the task it belongs to.
    #[must_use]
    pub fn with_related_task(self, task: &RelatedTask) -> Self {
        self.with(Self::RELATED_TASK, RawJson::of_plain(task))
    }
}

impl<N: Into<String>, V: Into<RawJson>> FromIterator<(N, V)> for Meta {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        Self(
            entries
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}

impl IntoIterator for Meta {
    type Item = (String, RawJson);
    type IntoIter = btree_map::IntoIter<String, RawJson>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Names the progress of one request: an integer or a string, echoed exactly as it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProgressToken(RequestId);

impl ProgressToken {
    /// The integer, when the token is one that fits an `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    /// The string, when the token is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }
}

impl AsRef<RequestId> for ProgressToken {
    fn as_ref(&self) -> &RequestId {
        &self.0
    }
}

impl<T: Into<RequestId>> From<T> for ProgressToken {
    fn from(token: T) -> Self {
        Self(token.into())
    }
}

impl fmt::Display for ProgressToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
