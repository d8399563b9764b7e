//! For transports that give each request a stream of its own, as HTTP does. [`transport`](crate::transport) is for those
//! where all that two peers say goes over one connection.
//!
//! [`BuiltServer::exchanges`] makes an [`Exchange`] of each message that comes. It is polled for the frames that answer
//! it, by whoever holds the other end: there is no task and no channel behind it. In 2026-07-28 that is all. Before, a
//! client opens a [`Session`] first, and what it says later belongs to that.
//!
//! What is specific to HTTP is in the crate `mcp-sse`; the rules for what its headers say are here, for they compare the
//! headers with the message.

mod inbox;
mod post;
mod session;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::jsonrpc::ErrorCode;
use crate::runtime::Runtime;
use crate::server::{BuiltServer, ClientFacts, Principal};
use crate::session::{Negotiated, ServerSession, Verdict};

pub use crate::session::http::{Claim, Header, Headers};
pub use post::Exchange;
pub use session::{Posted, Session};

/// Who has sent a message, as far as the transport knows.
#[derive(Clone, Default)]
pub struct Sender {
    /// Who it is.
    pub(crate) principal: Option<Principal>,
    /// What else the transport knows of the request.
    pub(crate) parts: Option<Arc<dyn Any + Send + Sync>>,
}

impl Sender {
    /// Somebody nobody knows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says who it is.
    #[must_use]
    pub fn with_principal(mut self, principal: Principal) -> Self {
        self.principal = Some(principal);
        self
    }

    /// Gives handlers what is known of the request: they get it by
    /// [`Context::parts`](crate::Context::parts).
    #[must_use]
    pub fn with_parts(mut self, parts: Arc<dyn Any + Send + Sync>) -> Self {
        self.parts = Some(parts);
        self
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

/// What an exchange has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// There is nothing to say: it was a notification, or was cancelled.
    Silent,
    /// The request has a result.
    Result,
    /// The request has failed with this code.
    Error(ErrorCode),
    /// The request lacks what every request of its revision states in `_meta`, or what came was no message at all.
    Malformed(ErrorCode),
}

impl Outcome {
    /// What the last request of a session came to.
    fn of(session: &ServerSession) -> Self {
        match session.verdict() {
            None => Self::Silent,
            Some(Verdict::Result) => Self::Result,
            Some(Verdict::Unstated) => Self::Malformed(ErrorCode::INVALID_PARAMS),
            Some(Verdict::Refused(
                code @ (ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST),
            )) => Self::Malformed(code),
            Some(Verdict::Refused(code) | Verdict::Error(code)) => Self::Error(code),
        }
    }
}

/// A server whose messages come one by one. Clones are handles on the same server.
#[derive(Clone)]
pub struct Exchanges {
    server: BuiltServer,
    runtime: Arc<dyn Runtime>,
}

impl fmt::Debug for Exchanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchanges").finish_non_exhaustive()
    }
}

/// What a message came to that belongs to no session.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport that forgets one must not compile"
)]
pub enum Unbound {
    /// An exchange of its own. Dropping it cancels what is under way.
    Exchange(Box<Exchange>),
    /// It has opened a session, and this is the answer to it.
    Opened(Bytes, Session),
}

impl BuiltServer {
    /// Serves messages one by one, for a transport that gives each a stream of its own.
    #[must_use]
    pub fn exchanges(&self, runtime: Arc<dyn Runtime>) -> Exchanges {
        Exchanges {
            server: self.clone(),
            runtime,
        }
    }
}

impl Exchanges {
    /// Takes in a message that stands for itself, as all do in 2026-07-28. Nothing of a user's runs before the exchange is
    /// polled.
    #[must_use]
    pub fn modern(&self, frame: &Bytes, headers: &dyn Headers, sender: Sender) -> Exchange {
        let mut session = self.fresh();
        session.receive_with(frame, Some(headers));
        Exchange::new(self, session, sender, headers)
    }

    /// Takes in a message of an older revision that belongs to no session. It may open one; where the transport
    /// keeps none (`stateless`), any other request is answered as well, for a client that has said nothing of itself.
    #[must_use]
    pub fn unbound(
        &self,
        frame: &Bytes,
        headers: &dyn Headers,
        sender: Sender,
        stateless: bool,
    ) -> Unbound {
        let mut session = self.fresh();
        if stateless {
            let version = Claim::of(headers).legacy_version();
            session.assume(Negotiated::new(version, ClientFacts::default()));
        }
        session.receive_with(frame, Some(headers));
        if let Some(negotiated) = session.opened().cloned() {
            let answer = session.take_output(0).into();
            let session = Session::new(self.clone(), session, negotiated, sender);
            return Unbound::Opened(answer, session);
        }
        Unbound::Exchange(Box::new(Exchange::new(self, session, sender, headers)))
    }

    fn fresh(&self) -> ServerSession {
        ServerSession::new(Arc::clone(&self.server.facts), self.server.limits)
    }

    fn within(&self, negotiated: Negotiated, question: u64) -> ServerSession {
        let facts = Arc::clone(&self.server.facts);
        ServerSession::within(facts, self.server.limits, negotiated, question)
    }
}
