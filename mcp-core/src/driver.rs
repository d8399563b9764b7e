//! The loop that carries values between a transport, a session and handlers.
//!
//! It knows no rule of the protocol. All of a connection happens in its one task: a call that is ready at once costs
//! no task, no channel and no flush of its own.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use crate::diagnostics;
use crate::runtime::{BoxFuture, Runtime};
use crate::server::{
    Callee, Closed, Connection, Reply, Router, Running, SessionError, Started, Tables, spawned,
};
use crate::session::{Call, CallKey, Effect, ServerSession};
use crate::transport::{Incoming, Transport};

mod aside;
mod running;

use aside::{Aside, Asides};
use running::RunningCalls;

/// Outgoing bytes that are sent before more input is taken in, as long as the peer takes them.
const FULL: usize = 64 << 10;
/// Frames taken in before the handlers of this connection get their turn.
const FRAMES: usize = 256;
/// Rounds before others on the same thread do: the clock and the signals of a runtime, other connections. Not every
/// transport makes way by itself while there is something to read.
const ROUNDS: usize = 16;
/// A call that runs in place for longer keeps everybody else waiting.
const SLOW: Duration = Duration::from_millis(10);

/// One connection of a server.
pub(crate) struct Driver<T> {
    session: ServerSession,
    router: Arc<Router>,
    transport: T,
    runtime: Arc<dyn Runtime>,
    asides: Asides,
    connection: Arc<Connection>,
    tables: Arc<Tables>,
    running: RunningCalls,
    timer: Option<(Instant, BoxFuture<'static, ()>)>,
    ended: Option<Closed>,
    /// Whether the transport holds nothing back.
    flushed: bool,
    /// Whether the peer takes nothing more at the moment.
    is_stuck: bool,
}

impl<T: Transport> Driver<T> {
    pub(crate) fn new(
        session: ServerSession,
        router: Arc<Router>,
        transport: T,
        connection: Arc<Connection>,
        shutdown: BoxFuture<'static, ()>,
    ) -> Self {
        let asides = Asides::new(Arc::clone(&router), &connection.runtime, shutdown);
        let tables = router.registry().tables();
        Self {
            session,
            router,
            transport,
            runtime: Arc::clone(&connection.runtime),
            asides,
            connection,
            tables,
            running: RunningCalls::default(),
            timer: None,
            ended: None,
            flushed: true,
            is_stuck: false,
        }
    }

    /// One round; true when another may find more to do.
    fn turn(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        let mut busy = self.poll_asides(cx);
        busy |= self.poll_running(cx);
        self.tell_reports();
        let more_input = self.poll_input(cx)?;
        busy |= self.poll_timer(cx);
        self.apply_effects(&mut None, cx);
        self.poll_output(cx)?;
        // What the output held up may go on if it went out.
        Ok(busy
            || (more_input && self.takes_input())
            || (self.has_room() && self.connection.outbox.is_filled())
            || self.session.has_effect(self.running.len()))
    }

    fn poll_asides(&mut self, cx: &Context<'_>) -> bool {
        let mut busy = false;
        while let Some(aside) = self.asides.poll(cx) {
            busy = true;
            match aside {
                Aside::Shutdown => self.end(Closed::Shutdown),
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

    /// True when something other than the peer's silence ended it.
    fn poll_input(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        let mut now = None;
        for _ in 0..FRAMES {
            if !self.takes_input() {
                break;
            }
            match self.transport.poll_receive(cx) {
                Poll::Pending => return Ok(false),
                Poll::Ready(received) => match received? {
                    Some(Incoming::Frame(frame)) => self.session.receive(&frame),
                    Some(Incoming::Overlong { head, limit }) => {
                        self.session.receive_overlong(&head, limit);
                    }
                    None => self.end(Closed::EndOfInput),
                },
            }
            self.apply_effects(&mut now, cx);
        }
        Ok(true)
    }

    /// A peer that takes no more answers is listened to all the same: it may cancel its calls, or hang up.
    fn takes_input(&self) -> bool {
        self.session.wants_input() && (self.has_room() || self.is_stuck)
    }

    fn has_room(&self) -> bool {
        self.session.outgoing().len() < FULL
    }

    /// `now` is the time of the last start, where there was one, so that it is not asked for twice.
    fn apply_effects(&mut self, now: &mut Option<Instant>, cx: &mut Context<'_>) {
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
            Effect::Watch(uri) => self.asides.watch(&uri),
            Effect::Unwatch(uri) => self.asides.unwatch(&uri),
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

    fn poll_output(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        while self.session.outgoing().len() > 0 {
            let unsent = self.session.outgoing().unsent();
            match self.transport.poll_send(cx, unsent) {
                Poll::Pending => {
                    self.is_stuck = true;
                    return Ok(());
                }
                Poll::Ready(sent) => match sent? {
                    0 => return Err(io::ErrorKind::WriteZero.into()),
                    sent => {
                        self.flushed = false;
                        self.session.wrote(sent);
                    }
                },
            }
        }
        self.is_stuck = false;
        if !self.flushed
            && let Poll::Ready(flushed) = self.transport.poll_flush(cx)
        {
            flushed?;
            self.flushed = true;
        }
        Ok(())
    }

    fn end(&mut self, how: Closed) {
        self.ended.get_or_insert(how);
        let now = self.runtime.now();
        match how {
            Closed::Shutdown => self.session.handle_shutdown(now),
            Closed::EndOfInput | Closed::PeerGone => self.session.handle_eof(now),
        }
    }

    fn is_over(&self) -> bool {
        self.session.is_expired()
            || (self.session.is_drained()
                && self.session.outgoing().len() == 0
                && self.flushed
                && self.running.len() == 0)
    }
}

impl<T: Transport> Future for Driver<T> {
    type Output = Result<Closed, SessionError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.connection.outbox.register(cx.waker());
        for _ in 0..ROUNDS {
            match this.turn(cx) {
                Ok(_) if this.is_over() => {
                    return Poll::Ready(Ok(this.ended.unwrap_or(Closed::EndOfInput)));
                }
                Ok(true) => {}
                Ok(false) => {
                    return (this.transport.poll_peer_gone(cx)).map(|()| Ok(Closed::PeerGone));
                }
                Err(error) if is_gone(&error) => return Poll::Ready(Ok(Closed::PeerGone)),
                Err(error) => return Poll::Ready(Err(SessionError::Transport(error))),
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::WriteZero
    )
}

fn warn_once(callee: &Callee, held: Duration) {
    if callee.first_slowness() {
        diagnostics::slow(callee.kind(), callee.name(), held);
    }
}
