//! One message and what answers it.

use std::fmt;
use std::future::pending;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;

use super::session::Route;
use super::{Exchanges, Headers, Outcome, Sender};
use crate::driver::Engine;
use crate::server::{Connection, Reply};
use crate::session::ServerSession;

/// Rounds before others on the same thread get their turn.
const ROUNDS: usize = 16;

/// One message, and the frames that answer it: what its call reports, then its answer.
///
/// Dropping it cancels its call, as the end of a connection does in 2026-07-28.
pub struct Exchange {
    engine: Engine,
    /// Where it belongs to a session.
    route: Option<Route>,
    is_over: bool,
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("outcome", &self.outcome())
            .finish_non_exhaustive()
    }
}

impl Exchange {
    pub(super) fn new(
        exchanges: &Exchanges,
        session: ServerSession,
        sender: Sender,
        headers: &dyn Headers,
    ) -> Self {
        let router = &exchanges.server.router;
        let runtime = Arc::clone(&exchanges.runtime);
        let connection = router.connect_part(runtime, sender, None);
        let mut exchange = Self::of(exchanges, session, connection, None);
        exchange.check_parameters(headers);
        exchange
    }

    /// One that belongs to a session.
    pub(super) fn routed(
        exchanges: &Exchanges,
        session: ServerSession,
        connection: Arc<Connection>,
        route: Route,
    ) -> Self {
        Self::of(exchanges, session, connection, Some(route))
    }

    fn of(
        exchanges: &Exchanges,
        session: ServerSession,
        connection: Arc<Connection>,
        route: Option<Route>,
    ) -> Self {
        let router = Arc::clone(&exchanges.server.router);
        let mut engine = Engine::new(session, router, connection);
        if engine.session.is_listened_to() {
            engine.attend(Box::pin(pending()));
        }
        Self {
            engine,
            route,
            is_over: false,
        }
    }

    /// Headers that repeat arguments must do so exactly.
    fn check_parameters(&mut self, headers: &dyn Headers) {
        let Some(call) = self.engine.session.next_call() else {
            return;
        };
        if let Err(error) = self.engine.check_parameters(call, headers) {
            let key = call.key;
            self.engine
                .session
                .respond(key, Reply::protocol_error(error));
        }
    }

    /// The next frames, each ended by a line feed; `None` when there will be no more.
    ///
    /// It takes in nothing while nobody polls: so who reads slowly slows the handlers down that report to them.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the caller stops polling for a while.
    pub fn poll_frames(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        if let Some(route) = &self.route {
            let Some(frames) = route.inbox.take(cx) else {
                self.is_over = true;
                return Poll::Ready(None);
            };
            for frame in frames {
                self.engine.session.receive(&frame);
            }
        }
        self.engine.register(cx);
        for _ in 0..ROUNDS {
            let busy = self.engine.turn(cx);
            if self.engine.session.outgoing().len() > 0 {
                return Poll::Ready(Some(self.engine.session.take_output(0).into()));
            }
            if self.engine.session.is_idle() {
                self.is_over = true;
                return Poll::Ready(None);
            }
            if !busy {
                return Poll::Pending;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Whether there will be no more frames than [`poll_frames`](Self::poll_frames) has given.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over || (self.engine.session.is_idle() && self.engine.session.outgoing().len() == 0)
    }

    /// What it has come to, so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::of(&self.engine.session)
    }

    /// Ends it in order: a subscription is told that it is over, a call has the server's drain deadline to finish.
    pub fn shut_down(&mut self) {
        self.engine.shut_down();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.engine.abandon();
    }
}
