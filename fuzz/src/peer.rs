use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A peer that says what it was made with, as far as it is let, and keeps what it hears.
#[derive(Clone)]
pub(crate) struct Peer(Arc<Mutex<State>>);

struct State {
    input: Vec<u8>,
    read: usize,
    /// How much of the input has been said.
    said: usize,
    ended: bool,
    written: Vec<u8>,
    /// How much more it takes.
    room: usize,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Peer {
    pub(crate) fn new(input: &[u8]) -> Self {
        Self(Arc::new(Mutex::new(State {
            input: input.to_vec(),
            read: 0,
            said: 0,
            ended: false,
            written: Vec::new(),
            room: 0,
            reader: None,
            writer: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nobody panics in here")
    }

    pub(crate) fn say(&self, bytes: usize) {
        let mut state = self.lock();
        state.said = state.said.saturating_add(bytes).min(state.input.len());
        wake(&mut state.reader);
    }

    /// False when it had done so before.
    pub(crate) fn say_all(&self) -> bool {
        self.say(usize::MAX);
        !std::mem::replace(&mut self.lock().ended, true)
    }

    pub(crate) fn take(&self, bytes: usize) {
        let mut state = self.lock();
        state.room = state.room.saturating_add(bytes);
        wake(&mut state.writer);
    }

    /// False when it had done so before.
    pub(crate) fn take_all(&self) -> bool {
        let before = self.lock().room;
        self.take(usize::MAX / 2);
        before < usize::MAX / 4
    }

    /// The lines it heard, and whether the last one ended.
    pub(crate) fn lines(&self) -> (Vec<String>, bool) {
        let state = self.lock();
        let text = std::str::from_utf8(&state.written).expect("the server writes UTF-8");
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let lines = whole.lines().map(str::to_owned).collect();
        (lines, whole.len() == text.len())
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}

impl AsyncRead for Peer {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        let size = (state.said - state.read).min(buf.remaining());
        if size == 0 && !state.ended {
            state.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let from = state.read;
        buf.put_slice(&state.input[from..from + size]);
        state.read += size;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Peer {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.lock();
        let size = bytes.len().min(state.room);
        if size == 0 {
            state.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        state.written.extend_from_slice(&bytes[..size]);
        state.room -= size;
        Poll::Ready(Ok(size))
    }

    /// As slow as a peer that has to take everything first.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        if state.room == 0 {
            state.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
