//! The loop that carries values between a transport, a session and handlers.
//!
//! It knows no rule of the protocol. All of a connection happens in its one task: a call that is ready at once costs
//! no task, no channel and no flush of its own.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::runtime::BoxFuture;
use crate::server::{Closed, Connection, Router, SessionError};
use crate::session::ServerSession;
use crate::transport::{Incoming, Transport};

mod aside;
mod engine;
mod running;

pub(crate) use engine::Engine;

/// Frames taken in before the handlers of this connection get their turn.
const FRAMES: usize = 256;
/// Rounds before others on the same thread do: the clock and the signals of a runtime, other connections. Not every
/// transport makes way by itself while there is something to read.
const ROUNDS: usize = 16;
/// One connection of a server.
pub(crate) struct Driver<T> {
    engine: Engine,
    transport: T,
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
        let mut engine = Engine::new(session, router, connection);
        engine.attend(shutdown);
        Self {
            engine,
            transport,
            ended: None,
            flushed: true,
            is_stuck: false,
        }
    }

    /// One round; true when another may find more to do.
    fn turn(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        let mut busy = self.engine.catch_up(cx);
        if self.engine.take_stop() {
            self.end(Closed::Shutdown);
        }
        let more_input = self.poll_input(cx)?;
        busy |= self.engine.settle(cx);
        self.poll_output(cx)?;
        // What the output held up may go on if it went out.
        Ok(busy || (more_input && self.takes_input()) || self.engine.has_more())
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
                    Some(Incoming::Frame(frame)) => self.engine.session.receive(&frame),
                    Some(Incoming::Overlong { head, limit }) => {
                        self.engine.session.receive_overlong(&head, limit);
                    }
                    None => self.end(Closed::EndOfInput),
                },
            }
            self.engine.apply_effects(&mut now, cx);
        }
        Ok(true)
    }

    /// A peer that takes no more answers is listened to all the same: it may cancel its calls, or hang up.
    fn takes_input(&self) -> bool {
        self.engine.session.wants_input() && (self.engine.has_room() || self.is_stuck)
    }

    fn poll_output(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        while self.engine.session.outgoing().len() > 0 {
            let unsent = self.engine.session.outgoing().unsent();
            match self.transport.poll_send(cx, unsent) {
                Poll::Pending => {
                    self.is_stuck = true;
                    return Ok(());
                }
                Poll::Ready(sent) => match sent? {
                    0 => return Err(io::ErrorKind::WriteZero.into()),
                    sent => {
                        self.flushed = false;
                        self.engine.session.wrote(sent);
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
        let now = self.engine.runtime.now();
        match how {
            Closed::Shutdown => self.engine.session.handle_shutdown(now),
            Closed::EndOfInput | Closed::PeerGone => self.engine.session.handle_eof(now),
        }
    }

    fn is_over(&self) -> bool {
        self.engine.session.is_expired()
            || (self.engine.session.is_drained()
                && self.engine.session.outgoing().len() == 0
                && self.flushed
                && self.engine.running.len() == 0)
    }
}

impl<T: Transport> Future for Driver<T> {
    type Output = Result<Closed, SessionError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.engine.connection.outbox.register(cx.waker());
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
