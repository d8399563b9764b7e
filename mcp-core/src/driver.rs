//! The loop that carries values between a transport, a session and handlers.
//!
//! It knows no rule of the protocol. All of a connection happens in its one task: a call that is ready at once costs
//! no task, no channel and no flush of its own.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable, Aborted};
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::diagnostics;
use crate::runtime::{BoxFuture, Runtime};
use crate::server::{
    Closed, Outbox, Reply, Router, Running, SessionError, Started, Table, ToolEntry, spawned,
};
use crate::session::{Call, CallKey, Effect, ServerSession};
use crate::transport::{Incoming, Transport};

/// Outgoing bytes that are sent before more input is taken in.
const FULL: usize = 64 << 10;
/// Frames taken in before the handlers of this connection get their turn.
const FRAMES: usize = 256;
/// Rounds before others on the same thread do: the clock and the signals of a runtime, other connections. Not every
/// transport makes way by itself while there is something to read.
const ROUNDS: usize = 16;
/// A call that runs in place for longer keeps everybody else waiting.
const SLOW: Duration = Duration::from_millis(10);

type Pending = FuturesUnordered<BoxFuture<'static, (CallKey, Result<Reply, Aborted>)>>;

/// One connection of a server.
pub(crate) struct Driver<T> {
    session: ServerSession,
    router: Arc<Router>,
    transport: T,
    runtime: Arc<dyn Runtime>,
    /// What seldom happens. The set polls only what was woken, so that it costs a call nothing.
    aside: FuturesUnordered<BoxFuture<'static, Aside>>,
    outbox: Arc<Outbox>,
    table: Arc<Table>,
    pending: Pending,
    running: HashMap<CallKey, Handle>,
    timer: Option<(Instant, BoxFuture<'static, ()>)>,
    ended: Option<Closed>,
    /// Whether the transport holds nothing back.
    flushed: bool,
}

/// What may happen beside the conversation.
enum Aside {
    /// The application wants to stop.
    Shutdown,
    /// The tools are others than at this count of changes.
    ToolsChanged(u64),
}

/// What is needed to end a call that goes on.
struct Handle {
    context: crate::server::Context,
    /// `None` for a call that runs on though it is cancelled.
    abort: Option<AbortHandle>,
}

impl<T: Transport> Driver<T> {
    pub(crate) fn new(
        session: ServerSession,
        router: Arc<Router>,
        transport: T,
        runtime: Arc<dyn Runtime>,
        shutdown: BoxFuture<'static, ()>,
    ) -> Self {
        // In this order: a change in between is seen twice rather than not at all.
        let seen = router.registry().changes().generation();
        let table = router.registry().table();
        let aside = FuturesUnordered::new();
        let stop: BoxFuture<'static, Aside> = Box::pin(shutdown.map(|()| Aside::Shutdown));
        aside.push(stop);
        aside.push(next_change(Arc::clone(&router), seen));
        Self {
            session,
            router,
            transport,
            runtime,
            aside,
            outbox: Arc::default(),
            table,
            pending: FuturesUnordered::new(),
            running: HashMap::new(),
            timer: None,
            ended: None,
            flushed: true,
        }
    }

    /// One round; true when another may find more to do.
    fn turn(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        let mut busy = self.poll_aside(cx);
        busy |= self.poll_pending(cx);
        busy |= self.tell_reports();
        busy |= self.poll_input(cx)?;
        busy |= self.poll_timer(cx);
        self.apply_effects(&mut None, cx);
        self.poll_output(cx)?;
        Ok(busy)
    }

    fn poll_aside(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = false;
        while let Poll::Ready(Some(what)) = self.aside.poll_next_unpin(cx) {
            busy = true;
            match what {
                Aside::Shutdown => self.end(Closed::Shutdown),
                Aside::ToolsChanged(seen) => {
                    self.table = self.router.registry().table();
                    self.session.tools_changed();
                    self.aside.push(next_change(Arc::clone(&self.router), seen));
                }
            }
        }
        busy
    }

    fn poll_pending(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = false;
        while let Poll::Ready(Some((call, reply))) = self.pending.poll_next_unpin(cx) {
            busy = true;
            if let Some(handle) = self.running.remove(&call) {
                handle.context.state().status.end();
            }
            if let Ok(reply) = reply {
                self.respond(call, reply);
            }
        }
        busy
    }

    fn poll_input(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        let mut now = None;
        for _ in 0..FRAMES {
            if !self.wants_input() || self.session.outgoing().len() >= FULL {
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
        // Either output must go first, or there may be more input.
        Ok(self.wants_input())
    }

    fn wants_input(&self) -> bool {
        self.session.wants_input(self.pending.len())
    }

    /// `now` is the time of the last start, where there was one, so that it is not asked for twice.
    fn apply_effects(&mut self, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        while let Some(effect) = self.session.poll_effect() {
            self.apply(effect, now, cx);
        }
    }

    fn apply(&mut self, effect: Effect, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        match effect {
            Effect::Start(call) => self.start(call, now, cx),
            Effect::Cancel(call) => {
                if let Some(handle) = self.running.remove(&call) {
                    handle.end();
                    // The set drops the handler when it polls it; a later call must not meet it still alive.
                    self.poll_pending(cx);
                }
            }
        }
    }

    fn start(&mut self, call: Call, now: &mut Option<Instant>, cx: &mut Context<'_>) {
        let key = call.key;
        let before = *now.get_or_insert_with(|| self.runtime.now());
        let (started, tool) = self
            .router
            .start(&self.table, call, &self.outbox, &self.runtime);
        match started {
            Started::Done(reply) => self.respond(key, reply),
            Started::Running(mut running) => match running.future.poll_unpin(cx) {
                Poll::Ready(reply) => self.finish(key, &running, reply),
                Poll::Pending => self.keep(key, running, before, cx),
            },
        }
        let after = self.runtime.now();
        *now = Some(after);
        if let Some(tool) = tool
            && after.saturating_duration_since(before) > SLOW
        {
            warn_once(&tool, after.saturating_duration_since(before));
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
        let finishes = running.finishes();
        let (abort, registration) = AbortHandle::new_pair();
        let future = Abortable::new(running.future, registration).map(move |reply| (call, reply));
        self.pending.push(Box::pin(future));
        let handle = Handle {
            context: running.context,
            abort: (!finishes).then_some(abort),
        };
        self.running.insert(call, handle);
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

    /// Passes reports on as the peer takes them; true when there are more.
    fn tell_reports(&mut self) -> bool {
        while self.session.outgoing().len() < FULL {
            let Some((call, report)) = self.outbox.take() else {
                return false;
            };
            self.session.report(call, report);
        }
        true
    }

    fn take_reports(&mut self) {
        while let Some((call, report)) = self.outbox.take() {
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
                Poll::Pending => return Ok(()),
                Poll::Ready(sent) => match sent? {
                    0 => return Err(io::ErrorKind::WriteZero.into()),
                    sent => {
                        self.flushed = false;
                        self.session.wrote(sent);
                    }
                },
            }
        }
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
        self.session.handle_eof(self.runtime.now());
    }

    fn is_over(&self) -> bool {
        self.session.is_expired()
            || (self.session.is_drained()
                && self.session.outgoing().len() == 0
                && self.flushed
                && self.pending.is_empty())
    }
}

impl<T: Transport> Future for Driver<T> {
    type Output = Result<Closed, SessionError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.outbox.register(cx.waker());
        for _ in 0..ROUNDS {
            match this.turn(cx) {
                Ok(_) if this.is_over() => {
                    return Poll::Ready(Ok(this.ended.unwrap_or(Closed::EndOfInput)));
                }
                Ok(true) if this.session.outgoing().len() < FULL => {}
                Ok(_) => {
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

impl<T> Drop for Driver<T> {
    fn drop(&mut self) {
        // Handlers on other threads learn that nobody waits for them any more.
        for (_, handle) in self.running.drain() {
            handle.end();
        }
    }
}

impl Handle {
    fn end(self) {
        self.context.state().status.end();
        if let Some(abort) = self.abort {
            abort.abort();
        }
    }
}

/// The wait of one connection for another list of tools.
struct Watch {
    router: Arc<Router>,
    key: u64,
    seen: u64,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.router.registry().changes().leave(self.key);
    }
}

fn next_change(router: Arc<Router>, seen: u64) -> BoxFuture<'static, Aside> {
    let key = router.registry().changes().enter();
    let mut watch = Watch { router, key, seen };
    Box::pin(poll_fn(move |cx| {
        let Watch { router, key, seen } = &mut watch;
        let changed = router.registry().changes().poll_changed(cx, *key, seen);
        changed.map(|()| Aside::ToolsChanged(*seen))
    }))
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::WriteZero
    )
}

fn warn_once(tool: &ToolEntry, held: Duration) {
    if tool.first_slowness() {
        diagnostics::slow_tool(tool.name(), held);
    }
}
