use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::{Bytes, BytesMut};
use memchr::memchr;

use crate::transport::{Incoming, Transport};

/// What the stdio transport takes at most.
const LINE_LIMIT: usize = 10 << 20;
/// What is kept of a line that is longer.
const HEAD: usize = 1024;

/// The bytes between a test and a server, seen from the test.
#[derive(Clone, Debug)]
pub(super) struct Wire(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    partial: BytesMut,
    arrived: VecDeque<Incoming>,
    line_limit: usize,
    ended: bool,
    /// Written by the server and not yet read.
    written: Vec<u8>,
    capacity: usize,
    gone: bool,
    /// Whether the other end was dropped.
    let_go: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Wire {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            partial: BytesMut::new(),
            arrived: VecDeque::new(),
            line_limit: LINE_LIMIT,
            ended: false,
            written: Vec::new(),
            capacity: usize::MAX,
            gone: false,
            let_go: false,
            reader: None,
            writer: None,
        })))
    }

    /// The end for the server.
    pub(super) fn transport(&self) -> WireTransport {
        WireTransport(self.clone())
    }

    pub(super) fn set_capacity(&self, bytes: usize) {
        self.lock().capacity = bytes.max(1);
    }

    pub(super) fn set_line_limit(&self, bytes: usize) {
        self.lock().line_limit = bytes;
    }

    pub(super) fn send(&self, bytes: &[u8]) {
        let mut state = self.lock();
        state.partial.extend_from_slice(bytes);
        while let Some(end) = memchr(b'\n', &state.partial) {
            let line = state.partial.split_to(end + 1).freeze();
            state.arrive(line.slice(..end));
        }
        wake(state);
    }

    /// No more comes; a last line may lack its end.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        if !state.partial.is_empty() && !state.ended {
            let line = state.partial.split().freeze();
            state.arrive(line);
        }
        state.ended = true;
        wake(state);
    }

    /// The test is gone, in the middle of a line if it was there.
    pub(super) fn hang_up(&self) {
        let mut state = self.lock();
        state.ended = true;
        state.gone = true;
        wake(state);
    }

    /// Takes up to so many bytes of what the server has written.
    pub(super) fn read(&self, most: usize) -> Vec<u8> {
        let mut state = self.lock();
        let taken = state.written.len().min(most);
        let read = state.written.drain(..taken).collect();
        if taken > 0 {
            wake(state);
        }
        read
    }

    pub(super) fn unread(&self) -> usize {
        self.lock().written.len()
    }

    /// Frames that the server has not taken in yet.
    pub(super) fn untaken(&self) -> usize {
        self.lock().arrived.len()
    }

    pub(super) fn is_let_go(&self) -> bool {
        self.lock().let_go
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn arrive(&mut self, line: Bytes) {
        let incoming = if line.len() > self.line_limit {
            Incoming::Overlong {
                head: line.slice(..line.len().min(HEAD)),
                limit: self.line_limit,
            }
        } else {
            Incoming::Frame(line)
        };
        self.arrived.push_back(incoming);
    }
}

/// Wakes whoever waits for anything, once the lock is released.
fn wake(mut state: MutexGuard<'_, State>) {
    let waiting = [state.reader.take(), state.writer.take()];
    drop(state);
    waiting.into_iter().flatten().for_each(Waker::wake);
}

/// The server's end.
#[derive(Debug)]
pub(super) struct WireTransport(Wire);

impl Drop for WireTransport {
    fn drop(&mut self) {
        self.0.lock().let_go = true;
    }
}

impl Transport for WireTransport {
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        let mut state = self.0.lock();
        if let Some(incoming) = state.arrived.pop_front() {
            return Poll::Ready(Ok(Some(incoming)));
        }
        if state.ended {
            return Poll::Ready(Ok(None));
        }
        state.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut state = self.0.lock();
        if state.gone {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let room = state.capacity.saturating_sub(state.written.len());
        if room == 0 {
            state.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let taken = bytes.get(..room).unwrap_or(bytes);
        state.written.extend_from_slice(taken);
        Poll::Ready(Ok(taken.len()))
    }

    fn poll_peer_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock();
        if state.gone {
            return Poll::Ready(());
        }
        state.writer = Some(cx.waker().clone());
        Poll::Pending
    }
}
