//! What is needed to call a tool, a prompt or a resource, however it is shown.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::context::Kind;
use super::invocation::Handler;
use super::layer::DynLayer;
use super::lend::Lent;
use crate::protocol::ProtocolVersion;
use crate::protocol::http_headers::HeaderParam;
use crate::schema::{ForeignOutput, InputSchema, OutputSchema};

/// Something that can be called.
pub(crate) struct Callee {
    pub(super) kind: Kind,
    /// What it is called by: a name, or a URI or a template of URIs.
    pub(super) name: Arc<str>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) input: Arc<InputSchema>,
    pub(super) output: Option<Output>,
    pub(super) lent: Arc<Lent>,
    pub(super) layers: Vec<Arc<dyn DynLayer>>,
    pub(super) deadline: Option<Duration>,
    pub(super) finishes: bool,
    pub(super) was_slow: AtomicBool,
}

impl Callee {
    pub(crate) const fn kind(&self) -> &'static str {
        self.kind.word()
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Arguments that clients repeat in headers of HTTP.
    pub(crate) fn header_params(&self) -> &[HeaderParam] {
        self.input.header_params()
    }

    /// True the first time only.
    pub(crate) fn first_slowness(&self) -> bool {
        !self.was_slow.swap(true, Ordering::Relaxed)
    }
}

impl fmt::Debug for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callee")
            .field("kind", &self.kind)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What a tool's structured content is.
#[derive(Clone, Debug)]
pub(super) enum Output {
    Ours(Arc<OutputSchema>),
    Foreign(Arc<ForeignOutput>),
}

impl Output {
    pub(super) fn json(&self, version: ProtocolVersion) -> &str {
        match self {
            Self::Ours(schema) if version.wraps_structured_values() => schema.json_object(),
            Self::Ours(schema) => schema.json_any(),
            Self::Foreign(schema) => schema.json(),
        }
    }

    /// Revisions before 2026-07-28 know schemas of objects only.
    pub(super) fn can_be_shown(&self, version: ProtocolVersion) -> bool {
        match self {
            Self::Ours(_) => true,
            Self::Foreign(schema) => !version.wraps_structured_values() || schema.is_object(),
        }
    }
}
