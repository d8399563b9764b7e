//! What a conversation needs besides something that carries it: the session, its handlers, the clock, and what has changed.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::aside::{Aside, Asides};
use super::running::RunningCalls;
use crate::diagnostics;
use crate::jsonrpc::ErrorObject;
use crate::runtime::{BoxFuture, Runtime};
use crate::server::{Callee, Connection, Reply, Router, Running, Started, Tables, spawned};
use crate::session::http::{Headers, check_parameters};
use crate::session::{Call, CallKey, CallRequest, Effect, ServerSession};

/// Outgoing bytes that are sent before more is taken in, as long as the peer takes them.
const FULL: usize = 64 << 10;
/// A call that runs in place for longer keeps everybody else waiting.
const SLOW: Duration = Duration::from_millis(10);

/// A session and those who work for it.
pub(crate) struct Engine {
    pub(crate) session: ServerSession,
    pub(super) router: Arc<Router>,
    pub(super) runtime: Arc<dyn Runtime>,
    /// `None` where nobody has asked to be told of anything.
    pub(super) asides: Option<Asides>,
    pub(super) connection: Arc<Connection>,
    tables: Arc<Tables>,
    pub(super) running: RunningCalls,
    timer: Option<(Instant, BoxFuture<'static, ()>)>,
    is_to_stop: bool,
}

impl Engine {
    pub(crate) fn new(
        session: ServerSession,
        router: Arc<Router>,
        connection: Arc<Connection>,
    ) -> Self {
        let tables = router.registry().tables();
        Self {
            session,
            router,
            runtime: Arc::clone(&connection.runtime),
            asides: None,
            connection,
            tables,
            running: RunningCalls::default(),
            timer: None,
            is_to_stop: false,
        }
    }

    /// From here on the session is told of changes, and of the end of `shutdown`.
    pub(crate) fn attend(&mut self, shutdown: BoxFuture<'static, ()>) {
        let asides = Asides::new(Arc::clone(&self.router), &self.runtime, shutdown);
        self.asides = Some(asides);
        // Looked at afterwards: in this order a change in between is seen twice rather than not at all.
        self.tables = self.router.registry().tables();
    }

    /// What happened while nobody looked. True when something did.
    pub(super) fn catch_up(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = self.poll_asides(cx);
        busy |= self.poll_running(cx);
        self.tell_reports();
        busy
    }

    /// Whether the application has asked for the end since this was last asked.
    pub(super) fn take_stop(&mut self) -> bool {
        std::mem::take(&mut self.is_to_stop)
    }

    /// Has the task woken when a handler reports something.
    pub(crate) fn register(&self, cx: &Context<'_>) {
        self.connection.outbox.register(cx.waker());
    }

    /// One round without input. True when another may find more to do.
    pub(crate) fn turn(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = self.catch_up(cx);
        busy |= self.settle(cx);
        busy || self.has_more()
    }

    /// Headers that repeat arguments of this call must do so exactly.
    pub(crate) fn check_parameters(
        &self,
        call: &Call,
        headers: &dyn Headers,
    ) -> Result<(), ErrorObject> {
        let CallRequest::CallTool { name, arguments } = &call.request else {
            return Ok(());
        };
        match self.tables.header_params(name.bytes()) {
            [] => Ok(()),
            parameters => check_parameters(call.version, parameters, arguments.as_deref(), headers),
        }
    }

    /// Ends what is under way in order.
    pub(crate) fn shut_down(&mut self) {
        let now = self.runtime.now();
        self.session.handle_shutdown(now);
    }

    /// Cancels what is under way. Handlers that finish their work all the same go on in a task.
    pub(crate) fn abandon(&mut self) {
        if self.running.any_finishes() {
            let running = std::mem::take(&mut self.running);
            self.runtime.spawn(Box::pin(running.finish())).detach();
        }
    }

    pub(crate) const fn is_attended(&self) -> bool {
        self.asides.is_some()
    }

    /// What the clock and the session ask for. True when a deadline has passed.
    pub(super) fn settle(&mut self, cx: &mut Context<'_>) -> bool {
        let fired = self.poll_timer(cx);
        self.apply_effects(&mut None, cx);
        fired
    }

    /// Whether something was held up for want of room.
    pub(super) fn has_more(&self) -> bool {
        (self.has_room() && self.connection.outbox.is_filled())
            || self.session.has_effect(self.running.len())
    }

    pub(super) fn has_room(&self) -> bool {
        self.session.outgoing().len() < FULL
    }

    fn poll_asides(&mut self, cx: &Context<'_>) -> bool {
        let mut busy = false;
        while let Some(aside) = self.asides.as_mut().and_then(|asides| asides.poll(cx)) {
            busy = true;
            match aside {
                Aside::Shutdown => self.is_to_stop = true,
                Aside::News(mut news) => {
                    self.tables = self.router.registry().tables();
                    self.router.hide(&mut news, &self.connection);
                    self.session.changed(news);
                }
            }
        }
        busy
    }

    fn poll_running(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = false;
        while let Some((call, reply)) = self.running.poll(cx) {
            busy = true;
            if let Some(reply) = reply {
                self.respond(call, reply);
            }
        }
        busy
    }

    /// `now` is the time of the last start, where there was one, so that it is not asked for twice.
    pub(crate) fn apply_effects(&mut self, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        // Asked first, for mostly there is none, and an effect is large.
        while self.session.has_effect(self.running.len())
            && let Some(effect) = self.session.poll_effect(self.running.len())
        {
            self.apply(effect, now, cx);
        }
    }

    fn apply(&mut self, effect: Effect, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        match effect {
            Effect::Start(call) => self.start(call, now, cx),
            Effect::Cancel(call) => {
                // A later call must not meet its handler still alive.
                if self.running.cancel(call) {
                    self.poll_running(cx);
                }
                self.connection.outbox.forget(call);
            }
            Effect::Watch(uri) => {
                if let Some(asides) = &self.asides {
                    asides.watch(&uri);
                }
            }
            Effect::Unwatch(uri) => {
                if let Some(asides) = &self.asides {
                    asides.unwatch(&uri);
                }
            }
            Effect::Deliver(call, key, answered) => {
                self.session.goes_on(call, self.runtime.now());
                self.connection.outbox.answer(key, answered);
            }
        }
    }

    fn start(&mut self, call: Call, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        let key = call.key;
        let before = *now.get_or_insert_with(|| self.runtime.now());
        let (started, callee) = self.router.start(&self.tables, call, &self.connection);
        match started {
            Started::Done(reply) => self.respond(key, reply),
            Started::Running(mut running) => match running.future.poll_unpin(cx) {
                Poll::Ready(reply) => self.finish(key, &running, reply),
                Poll::Pending => self.keep(key, running, before, cx),
            },
        }
        let after = self.runtime.now();
        *now = Some(after);
        if let Some(callee) = callee
            && after.saturating_duration_since(before) > SLOW
        {
            warn_once(&callee, after.saturating_duration_since(before));
        }
    }

    /// Keeps a call that is not ready yet.
    fn keep(&mut self, call: CallKey, mut running: Running, now: Instant, cx: &mut Context<'_>) {
        if self.router.spawns_handlers() {
            running.future = spawned(running.future, &self.runtime);
            // The task wakes whoever has polled last, and nobody has polled this future yet.
            if let Poll::Ready(reply) = running.future.poll_unpin(cx) {
                return self.finish(call, &running, reply);
            }
        }
        if let Some(limit) = running.deadline
            && let Some(deadline) = now.checked_add(limit)
        {
            self.session.set_deadline(call, deadline);
        }
        self.running.insert(call, running);
    }

    /// Answers a call that was ready after all.
    fn finish(&mut self, call: CallKey, running: &Running, reply: Reply) {
        running.context.state().status.end();
        self.respond(call, reply);
    }

    fn respond(&mut self, call: CallKey, reply: Reply) {
        // What the call reported comes before its answer.
        self.take_reports();
        self.session.respond(call, reply);
    }

    /// Passes reports on as the peer takes them.
    fn tell_reports(&mut self) {
        while self.connection.outbox.is_filled()
            && self.has_room()
            && let Some((call, report)) = self.connection.outbox.take()
        {
            self.session.report(call, report);
        }
    }

    fn take_reports(&mut self) {
        while self.connection.outbox.is_filled()
            && let Some((call, report)) = self.connection.outbox.take()
        {
            self.session.report(call, report);
        }
    }

    /// True when a deadline has passed. Then the timer of the next is set at once, for nobody may come back here soon
    /// when the peer does not read.
    fn poll_timer(&mut self, cx: &mut Context<'_>) -> bool {
        let mut fired = false;
        while let Some(deadline) = self.session.deadline() {
            let current = self.timer.take().filter(|(at, _)| *at == deadline);
            let (_, timer) = self
                .timer
                .insert(current.unwrap_or_else(|| (deadline, self.runtime.sleep_until(deadline))));
            if timer.poll_unpin(cx).is_pending() {
                return fired;
            }
            fired = true;
            self.timer = None;
            // What an overdue call has reported comes before its answer, too.
            self.take_reports();
            // Whatever the clock says: a timer that is early must not make this a loop without end.
            let now = self.runtime.now().max(deadline);
            self.session.handle_timeout(now);
        }
        self.timer = None;
        fired
    }
}

fn warn_once(callee: &Callee, held: Duration) {
    if callee.first_slowness() {
        diagnostics::slow(callee.kind(), callee.name(), held);
    }
}
