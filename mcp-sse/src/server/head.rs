//! The head of a request, for the rules of the protocol and for handlers.

use std::sync::{Arc, OnceLock};

use http::header::{HeaderMap, HeaderName};
use http::request::Parts;
use mcp_core::Context;
use mcp_core::exchange::{Header, Headers};

use super::stream::EventStream;

/// The head of the HTTP request that a call came with.
#[derive(Debug)]
pub struct RequestHead {
    parts: Parts,
    /// The stream that the call is answered on, where it may break and be taken up again.
    stream: OnceLock<Arc<EventStream>>,
}

impl RequestHead {
    pub(super) const fn new(parts: Parts) -> Self {
        Self {
            parts,
            stream: OnceLock::new(),
        }
    }

    /// Method, URI, headers and extensions, as the layers around the service have left them.
    #[must_use]
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The headers.
    #[must_use]
    pub const fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// What a layer around the service has put into the request.
    #[must_use]
    pub fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.extensions.get()
    }

    pub(super) fn answer_on(&self, stream: &Arc<EventStream>) {
        let _ = self.stream.set(Arc::clone(stream));
    }

    pub(super) fn stream(&self) -> Option<&Arc<EventStream>> {
        self.stream.get()
    }
}

/// What handlers can learn of the HTTP request that they answer.
pub trait HttpContext {
    /// The head of the request; `None` when the call came another way.
    fn http(&self) -> Option<&RequestHead>;

    /// Lets the client go while the call runs on: the connection is closed, and the client asks for the rest of the answer
    /// later. For calls that take long, so that no connection has to stay open. Does nothing where clients can't do that
    /// (before 2025-11-25, from 2026-07-28 on, and without a session).
    fn close_stream(&self);
}

impl HttpContext for Context {
    fn http(&self) -> Option<&RequestHead> {
        self.parts()
    }

    fn close_stream(&self) {
        if let Some(stream) = self.http().and_then(RequestHead::stream) {
            stream.let_go();
        }
    }
}

/// Headers, as the rules of the protocol look at them.
pub(super) struct View<'h>(pub(super) &'h HeaderMap);

impl Headers for View<'_> {
    fn get(&self, name: &str) -> Header<'_> {
        // Names from schemas are tokens, but need not be in lower case.
        let mut values = match HeaderName::try_from(name) {
            Ok(name) => self.0.get_all(name).iter(),
            Err(_) => return Header::Missing,
        };
        match (values.next(), values.next()) {
            (None, _) => Header::Missing,
            (Some(value), None) => Header::Value(value.as_bytes()),
            (Some(_), Some(_)) => Header::Repeated,
        }
    }
}
