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
use crate::protocol::ProtocolVersion;
use crate::server::{Connection, Principal};
use crate::session::{Addressee, Negotiated, Params, ServerSession};

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
        let message = match jsonrpc::decode(frame, &mut params) {
            Ok(message) => message,
            Err(Fault::Batch(members)) => return self.batch(&members, sender),
            Err(fault) => {
                let mut session = self.part(0);
                session.on_fault(&fault, true);
                return answered(session);
            }
        };
        match Addressee::of(&message, &params) {
            Addressee::Itself(id) => {
                let Some(route) = self.enter(vec![id.clone()]) else {
                    return self.full(Some(&id));
                };
                let mut session = self.part(route.number);
                session.on_message(message, &params, frame, None, Some(headers));
                self.exchange(session, route, sender)
            }
            Addressee::Session => {
                let mut common = self.0.common();
                let before = common.session.outgoing().len();
                (common.session).on_message(message, &params, frame, None, Some(headers));
                let answer = take_answer(&mut common, before);
                if answer.is_empty() {
                    return Posted::Accepted;
                }
                Posted::Answered(answer.into(), Outcome::of(&common.session))
            }
            other => {
                self.pass_on(&other, frame);
                Posted::Accepted
            }
        }
    }

    /// Requests are answered together; what else is in a batch goes where it would go alone.
    fn batch(&self, members: &[&str], sender: Sender) -> Posted {
        let mut requests = Vec::new();
        let mut ids = Vec::new();
        for member in members {
            let frame = Bytes::copy_from_slice(member.as_bytes());
            let mut params = Params::default();
            let Ok(message) = jsonrpc::decode(&frame, &mut params) else {
                requests.push(*member);
                continue;
            };
            let is_request = matches!(message, Message::Request { .. });
            let addressee = Addressee::of(&message, &params);
            // It may also be another of the batch.
            if is_request || matches!(addressee, Addressee::Requests(_)) {
                requests.push(*member);
            }
            match addressee {
                Addressee::Itself(id) => ids.push(id),
                // Only a session that has batches at all is told; the batch is refused otherwise.
                Addressee::Session if self.has_batches() => {
                    let mut common = self.0.common();
                    let before = common.session.outgoing().len();
                    common.session.receive(&frame);
                    // It is answered with the batch.
                    take_answer(&mut common, before);
                }
                Addressee::Session => {}
                other => self.pass_on(&other, &frame),
            }
        }
        if self.has_batches() && requests.is_empty() && !members.is_empty() {
            return Posted::Accepted;
        }
        let Some(route) = self.enter(ids) else {
            return self.full(None);
        };
        let mut session = self.part(route.number);
        session.on_batch(&requests);
        self.exchange(session, route, sender)
    }

    fn has_batches(&self) -> bool {
        self.0.negotiated.version.has_batching()
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

    /// A session for one message. Its questions have ids that tell which exchange asks.
    fn part(&self, number: u64) -> ServerSession {
        let negotiated = self.0.negotiated.clone();
        self.0.exchanges.within(negotiated, number << QUESTIONS)
    }

    fn exchange(&self, session: ServerSession, route: Route, sender: Sender) -> Posted {
        let exchanges = &self.0.exchanges;
        let runtime = Arc::clone(&exchanges.runtime);
        let whole = Some(Arc::clone(&self.0.connection));
        let router = &exchanges.server.router;
        let connection = router.connect_part(runtime, sender, whole);
        let exchange = Exchange::routed(exchanges, session, connection, route);
        Posted::Exchange(Box::new(exchange))
    }

    fn full(&self, id: Option<&RequestId>) -> Posted {
        let mut session = self.part(0);
        session.refuse(id, None, &too_many());
        answered(session)
    }

    /// Tells the exchanges that a message is for.
    fn pass_on(&self, addressee: &Addressee, frame: &Bytes) {
        let routes = self.0.routes();
        match addressee {
            Addressee::Requests(id) => {
                for entry in routes
                    .by_number
                    .values()
                    .filter(|entry| entry.ids.contains(id))
                {
                    entry.inbox.push(Bytes::copy_from_slice(frame));
                }
            }
            Addressee::Asker(id) => {
                let question = id.as_i64().and_then(|id| u64::try_from(id).ok());
                let number = question.map(|id| id.saturating_sub(1) >> QUESTIONS);
                if let Some(entry) = number.and_then(|number| routes.by_number.get(&number)) {
                    entry.inbox.push(Bytes::copy_from_slice(frame));
                }
            }
            Addressee::Itself(_) | Addressee::Session | Addressee::Nobody => {}
        }
    }
}

/// What a message to all of a session was answered with, once its effects are seen to.
fn take_answer(common: &mut Engine, before: usize) -> Vec<u8> {
    // Something is to be watched, or no longer.
    if common.session.has_effect(0) {
        attend(common);
        common.apply_effects(&mut None, &mut Context::from_waker(Waker::noop()));
    }
    common.session.take_output(before)
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
    let outcome = Outcome::of(&session);
    Posted::Answered(session.take_output(0).into(), outcome)
}
