//! The two ways in which a driver says what its session has to say, and hears what comes.

use std::io;
use std::task::{Context, Poll};

use super::shared::Shared;
use crate::session::client::ClientSession;
use crate::transport::{Arrival, MessageTransport, Transport};

/// What the driver asks of a transport.
pub(super) trait Wire: Send + Unpin + 'static {
    /// Sends what there is. True when some of it was.
    fn poll_output(
        &mut self,
        shared: &Shared,
        is_held: &mut bool,
        cx: &mut Context<'_>,
    ) -> io::Result<bool>;

    /// Whether what the session has to say now can be sent at once, as far as is known.
    fn can_send(&self, session: &ClientSession) -> bool;

    /// Whether all is sent that the session has to say.
    fn is_drained(&self, session: &ClientSession) -> bool;

    fn poll_input(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Arrival>>>;

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;
}

/// One frame after the other, over one connection.
pub(super) struct Lines<T> {
    transport: T,
    /// What is being sent.
    out: Vec<u8>,
    sent: usize,
    flushed: bool,
}

impl<T> Lines<T> {
    pub(super) const fn new(transport: T) -> Self {
        Self {
            transport,
            out: Vec::new(),
            sent: 0,
            flushed: true,
        }
    }
}

impl<T: Transport> Wire for Lines<T> {
    fn poll_output(
        &mut self,
        shared: &Shared,
        is_held: &mut bool,
        cx: &mut Context<'_>,
    ) -> io::Result<bool> {
        if self.sent == self.out.len() {
            self.out.clear();
            self.sent = 0;
            let mut state = shared.lock();
            state.session.take_output(&mut self.out);
            *is_held = state.session.is_full();
        }
        let mut wrote = false;
        while let Some(unsent) = self
            .out
            .get(self.sent..)
            .filter(|unsent| !unsent.is_empty())
        {
            match self.transport.poll_send(cx, unsent) {
                Poll::Pending => return Ok(wrote),
                Poll::Ready(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(sent) => {
                    self.sent += sent?;
                    self.flushed = false;
                    wrote = true;
                }
            }
        }
        if !self.flushed
            && let Poll::Ready(flushed) = self.transport.poll_flush(cx)
        {
            flushed?;
            self.flushed = true;
        }
        Ok(wrote)
    }

    fn can_send(&self, session: &ClientSession) -> bool {
        self.out.len() == self.sent && session.has_output()
    }

    fn is_drained(&self, session: &ClientSession) -> bool {
        self.sent == self.out.len() && self.flushed && !session.has_output()
    }

    fn poll_input(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Arrival>>> {
        self.transport
            .poll_receive(cx)
            .map_ok(|incoming| incoming.map(Arrival::Message))
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.transport.poll_close(cx)
    }
}

/// Each message by itself.
pub(super) struct Messages<T> {
    transport: T,
    /// Whether there was room for a request when it was last asked.
    has_room: bool,
}

impl<T> Messages<T> {
    pub(super) const fn new(transport: T) -> Self {
        Self {
            transport,
            has_room: false,
        }
    }
}

impl<T: MessageTransport> Wire for Messages<T> {
    fn poll_output(
        &mut self,
        shared: &Shared,
        is_held: &mut bool,
        cx: &mut Context<'_>,
    ) -> io::Result<bool> {
        let mut sent = false;
        loop {
            self.has_room = self.transport.poll_ready(cx).is_ready();
            let mut state = shared.lock();
            let message = state.session.next_departure(self.has_room);
            *is_held = state.session.is_full();
            drop(state);
            let Some(message) = message else {
                return Ok(sent);
            };
            self.transport.send(message);
            sent = true;
        }
    }

    fn can_send(&self, session: &ClientSession) -> bool {
        session.has_departure(self.has_room)
    }

    fn is_drained(&self, session: &ClientSession) -> bool {
        !session.has_departure(false)
    }

    fn poll_input(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Arrival>>> {
        self.transport.poll_arrival(cx)
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.transport.poll_close(cx)
    }
}
