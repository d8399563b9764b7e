//! What a client says and hears between `initialize` and the end of its session (up to 2025-11-25).

use std::collections::HashMap;
use std::fmt;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::inbox::Inbox;
use super::post::Exchange;
use super::{Exchanges, Headers, Outcome, Sender};
use crate::driver::Engine;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, Fault, Message, RequestId};
use crate::protocol::{
    Cancelled, Initialize, Notification, ProtocolVersion, Request, Subscribe, Unsubscribe,
};
use crate::server::{Connection, Principal};
use crate::session::{Negotiated, Params, ServerSession};

/// Questions that one exchange may ask: their ids are the number of the exchange, and this many more.
const QUESTIONS: u32 = 20;

/// A session that was opened by `initialize`. Clones are handles on the same one.
///
/// It holds no task and no channel. Each request is an [`Exchange`] of its own; what the server tells without being asked
/// is taken by [`poll_unsolicited`](Self::poll_unsolicited).
#[derive(Clone, Debug)]
pub struct Session(Arc<Shared>);

struct Shared {
    exchanges: Exchanges,
    negotiated: Negotiated,
    principal: Option<Principal>,
    /// What belongs to no request: subscriptions, and what is told unasked.
    common: Mutex<Engine>,
    connection: Arc<Connection>,
    routes: Mutex<Routes>,
}

/// The exchanges under way.
#[derive(Debug, Default)]
struct Routes {
    by_number: HashMap<u64, Entry>,
    last: u64,
    is_over: bool,
}

#[derive(Debug)]
struct Entry {
    inbox: Arc<Inbox>,
    ids: Vec<RequestId>,
}

/// The way from a session to an exchange, as long as that lasts.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) inbox: Arc<Inbox>,
    number: u64,
    session: Arc<Shared>,
}

impl Drop for Route {
    fn drop(&mut self) {
        self.session.routes().by_number.remove(&self.number);
    }
}

/// What a message in a session came to.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport that forgets one must not compile"
)]
pub enum Posted {
    /// It was taken in, and there is nothing to say.
    Accepted,
    /// A request. It runs on when nobody listens; only dropping the exchange cancels it.
    Exchange(Box<Exchange>),
    /// It is answered.
    Answered(Bytes, Outcome),
    /// The session is over, or somebody else's.
    Over,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("version", &self.negotiated.version)
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn common(&self) -> MutexGuard<'_, Engine> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    pub(super) fn new(
        exchanges: Exchanges,
        session: ServerSession,
        negotiated: Negotiated,
        sender: Sender,
    ) -> Self {
        let router = Arc::clone(&exchanges.server.router);
        let runtime = Arc::clone(&exchanges.runtime);
        let principal = sender.principal;
        let connection = router.connect(runtime, principal.clone());
        let common = Engine::new(session, router, Arc::clone(&connection));
        Self(Arc::new(Shared {
            exchanges,
            negotiated,
            principal,
            common: Mutex::new(common),
            connection,
            routes: Mutex::default(),
        }))
    }

    /// The revision that was settled.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.0.negotiated.version
    }

    /// Whether it is the session of whoever sends this.
    #[must_use]
    pub fn is_of(&self, sender: &Sender) -> bool {
        self.0.principal == sender.principal
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.routes().is_over
    }

    /// How many requests are under way.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.0.routes().by_number.len()
    }

    /// Takes in what the client has sent.
    #[must_use]
    pub fn post(&self, frame: &Bytes, headers: &dyn Headers, sender: Sender) -> Posted {
        if !self.is_of(&sender) || self.0.routes().is_over {
            return Posted::Over;
        }
        let mut params = Params::default();
        match jsonrpc::decode(frame, &mut params) {
            Ok(Message::Notification { method, .. }) if method == Cancelled::METHOD => {
                if let Some(id) = params.request_id.and_then(RequestId::from_json) {
                    self.tell_holders(&id, frame);
                }
                Posted::Accepted
            }
            Ok(Message::Response { id, .. }) => {
                self.tell_asker(&id, frame);
                Posted::Accepted
            }
            Ok(message @ Message::Notification { .. }) => {
                let mut common = self.0.common();
                (common.session).on_message(message, &params, frame, None, Some(headers));
                Posted::Accepted
            }
            Ok(message @ Message::Request { .. }) => {
                self.request(message, &params, frame, headers, sender)
            }
            Err(Fault::Batch(members)) => self.batch(&members, sender),
            Err(fault) => {
                let (mut session, _) = self.part(0);
                session.on_fault(&fault, true);
                answered(session)
            }
        }
    }

    fn request(
        &self,
        message: Message<'_>,
        params: &Params<'_>,
        frame: &Bytes,
        headers: &dyn Headers,
        sender: Sender,
    ) -> Posted {
        let Message::Request { id, method, .. } = &message else {
            return Posted::Accepted;
        };
        if matches!(
            &**method,
            Subscribe::METHOD | Unsubscribe::METHOD | Initialize::METHOD
        ) {
            let mut common = self.0.common();
            attend(&mut common);
            let before = common.session.outgoing().len();
            (common.session).on_message(message, params, frame, None, Some(headers));
            common.apply_effects(&mut None, &mut Context::from_waker(Waker::noop()));
            let answer = common.session.take_output(before);
            return Posted::Answered(answer.into(), outcome(&common.session));
        }
        let Some(route) = self.enter(vec![id.clone()]) else {
            return self.full(id);
        };
        let (mut session, connection) = self.part_with(route.number, sender);
        session.on_message(message, params, frame, None, Some(headers));
        Posted::Exchange(Box::new(Exchange::routed(
            &self.0.exchanges,
            session,
            connection,
            route,
        )))
    }

    /// Requests are answered together; what else is in a batch goes where it would go alone.
    fn batch(&self, members: &[&str], sender: Sender) -> Posted {
        let mut requests = Vec::new();
        let mut ids = Vec::new();
        for member in members {
            let frame = Bytes::copy_from_slice(member.as_bytes());
            let mut params = Params::default();
            match jsonrpc::decode(&frame, &mut params) {
                Ok(Message::Response { id, .. }) => self.tell_asker(&id, &frame),
                Ok(Message::Notification { method, .. }) if method == Cancelled::METHOD => {
                    requests.push(*member);
                    if let Some(id) = params.request_id.and_then(RequestId::from_json) {
                        self.tell_holders(&id, &frame);
                    }
                }
                Ok(Message::Notification { .. }) => self.0.common().session.receive(&frame),
                Ok(Message::Request { id, .. }) => {
                    ids.push(id);
                    requests.push(*member);
                }
                Err(_) => requests.push(*member),
            }
        }
        let has_batches = self.0.negotiated.version.has_batching();
        if has_batches && requests.is_empty() && !members.is_empty() {
            return Posted::Accepted;
        }
        let Some(route) = self.enter(ids) else {
            return self.full_without_id();
        };
        let (mut session, connection) = self.part_with(route.number, sender);
        session.on_batch(&requests);
        Posted::Exchange(Box::new(Exchange::routed(
            &self.0.exchanges,
            session,
            connection,
            route,
        )))
    }

    /// From here on, what changes is kept until it is [told](Self::poll_unsolicited).
    pub fn listen(&self) {
        attend(&mut self.0.common());
    }

    /// What the server tells without being asked, each frame ended by a line feed.
    ///
    /// One listener at a time: who polls last is woken.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the caller stops polling.
    pub fn poll_unsolicited(&self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.0.routes().is_over {
            return Poll::Ready(None);
        }
        let mut common = self.0.common();
        attend(&mut common);
        common.register(cx);
        while common.turn(cx) {}
        if common.session.outgoing().len() > 0 {
            return Poll::Ready(Some(common.session.take_output(0).into()));
        }
        Poll::Pending
    }

    /// Ends the session: what is under way in it is cancelled.
    pub fn end(&self) {
        let mut routes = self.0.routes();
        routes.is_over = true;
        for entry in routes.by_number.values() {
            entry.inbox.close();
        }
        drop(routes);
        // Whoever listens learns of it.
        self.0.connection.outbox.rouse();
    }

    fn enter(&self, ids: Vec<RequestId>) -> Option<Route> {
        let mut routes = self.0.routes();
        if routes.by_number.len() >= self.0.exchanges.server.limits.in_flight {
            return None;
        }
        routes.last += 1;
        let number = routes.last;
        let inbox = Arc::new(Inbox::default());
        let entry = Entry {
            inbox: Arc::clone(&inbox),
            ids,
        };
        routes.by_number.insert(number, entry);
        Some(Route {
            inbox,
            number,
            session: Arc::clone(&self.0),
        })
    }

    fn part(&self, number: u64) -> (ServerSession, u64) {
        let first = number << QUESTIONS;
        let negotiated = self.0.negotiated.clone();
        (self.0.exchanges.within(negotiated, first), first)
    }

    fn part_with(&self, number: u64, sender: Sender) -> (ServerSession, Arc<Connection>) {
        let exchanges = &self.0.exchanges;
        let runtime = Arc::clone(&exchanges.runtime);
        let whole = Some(Arc::clone(&self.0.connection));
        let router = &exchanges.server.router;
        let connection = router.connect_part(runtime, sender, whole);
        (self.part(number).0, connection)
    }

    fn full(&self, id: &RequestId) -> Posted {
        let (mut session, _) = self.part(0);
        session.refuse(Some(id), None, &too_many());
        answered(session)
    }

    fn full_without_id(&self) -> Posted {
        let (mut session, _) = self.part(0);
        session.refuse(None, None, &too_many());
        answered(session)
    }

    /// Ids are a namespace of their request, so there may be several.
    fn tell_holders(&self, id: &RequestId, frame: &Bytes) {
        let routes = self.0.routes();
        for entry in routes.by_number.values() {
            if entry.ids.contains(id) {
                entry.inbox.push(Bytes::copy_from_slice(frame));
            }
        }
    }

    fn tell_asker(&self, id: &RequestId, frame: &Bytes) {
        let number = id.as_i64().and_then(|id| u64::try_from(id).ok());
        let number = number.map(|id| id.saturating_sub(1) >> QUESTIONS);
        let routes = self.0.routes();
        if let Some(entry) = number.and_then(|number| routes.by_number.get(&number)) {
            entry.inbox.push(Bytes::copy_from_slice(frame));
        }
    }
}

fn attend(common: &mut Engine) {
    if !common.is_attended() {
        common.attend(Box::pin(pending()));
    }
}

fn too_many() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::INTERNAL_ERROR,
        "this session has as many calls under way as it may",
    )
}

fn answered(mut session: ServerSession) -> Posted {
    let outcome = outcome(&session);
    Posted::Answered(session.take_output(0).into(), outcome)
}

pub(super) fn outcome(session: &ServerSession) -> Outcome {
    use crate::session::Verdict;
    match session.verdict() {
        None => Outcome::Silent,
        Some(Verdict::Result) => Outcome::Result,
        Some(Verdict::Unstated) => Outcome::Malformed(ErrorCode::INVALID_PARAMS),
        Some(Verdict::Refused(code @ (ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST))) => {
            Outcome::Malformed(code)
        }
        Some(Verdict::Refused(code) | Verdict::Error(code)) => Outcome::Error(code),
    }
}
