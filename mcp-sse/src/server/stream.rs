//! The events that answer one request of a session, kept for clients whose connection breaks (up to 2025-11-25).

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::sse;

/// Bytes that a reader has yet to take before nothing more is made for it.
const UNREAD: usize = 64 << 10;
/// Bytes that are kept for a reader that may come back.
const KEPT: usize = 256 << 10;
/// Bytes that are kept while nobody reads.
const MAX: usize = 1 << 20;

/// The events of one stream. Who wrote them does not know whether anybody reads.
pub(super) struct EventStream {
    /// Which one of its session.
    number: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By number; the frames are without their line feeds.
    events: VecDeque<(u64, Bytes)>,
    bytes: usize,
    /// The number of the last event.
    last: u64,
    /// The last event that a reader has taken.
    taken: u64,
    is_done: bool,
    /// The reader is to go, and come back.
    lets_go: bool,
    /// The reader that counts: who comes later takes over.
    reader: u64,
    is_read: bool,
    reader_waker: Option<Waker>,
    writer_waker: Option<Waker>,
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl EventStream {
    pub(super) fn new(number: u64) -> Self {
        Self {
            number,
            state: Mutex::default(),
        }
    }

    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Adds frames, each ended by a line feed.
    pub(super) fn push(&self, frames: &Bytes) {
        let mut state = self.lock();
        for frame in sse::split(frames) {
            state.last += 1;
            state.bytes += frame.len();
            let number = state.last;
            state.events.push_back((number, frames.slice_ref(frame)));
        }
        state.trim();
        let waker = state.reader_waker.take();
        drop(state);
        wake(waker);
    }

    /// As [`push`](Self::push), for who takes them at once.
    pub(super) fn push_read(&self, frames: &Bytes) {
        {
            let mut state = self.lock();
            state.taken = u64::MAX;
        }
        self.push(frames);
    }

    /// The first event that is kept after this one.
    pub(super) fn event_after(&self, after: u64) -> Option<(u64, Bytes)> {
        let state = self.lock();
        let next = (state.events.iter()).find(|(number, _)| *number > after);
        next.map(|(number, frame)| (*number, frame.clone()))
    }

    /// The number of the last event.
    pub(super) fn last(&self) -> u64 {
        self.lock().last
    }

    /// There will be no more.
    pub(super) fn finish(&self) {
        let mut state = self.lock();
        state.is_done = true;
        let waker = state.reader_waker.take();
        drop(state);
        wake(waker);
    }

    /// Sends the reader away; it may come back for the rest.
    pub(super) fn let_go(&self) {
        let mut state = self.lock();
        state.lets_go = !state.is_done;
        let waker = state.reader_waker.take();
        drop(state);
        wake(waker);
    }

    /// Ready when more may be written: a reader who is there but slow is waited for.
    pub(super) fn poll_room(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.is_read && state.unread() > UNREAD {
            state.writer_waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Whether all is written and all of it was taken.
    pub(super) fn is_spent(&self) -> bool {
        let state = self.lock();
        state.is_done && !state.is_read && state.taken == state.last
    }

    pub(super) fn is_done(&self) -> bool {
        self.lock().is_done
    }

    pub(super) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Takes over from whoever reads, after this event.
    pub(super) fn read(self: &Arc<Self>, after: u64) -> Reader {
        let mut state = self.lock();
        state.reader += 1;
        state.is_read = true;
        let number = state.reader;
        let waker = state.reader_waker.take();
        drop(state);
        wake(waker);
        Reader {
            stream: Arc::clone(self),
            number,
            after,
        }
    }

    /// As [`read`](Self::read), for a reader who comes back.
    pub(super) fn resume(self: &Arc<Self>, after: u64) -> Reader {
        self.lock().lets_go = false;
        self.read(after)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn unread(&self) -> usize {
        let unread = (self.events.iter().rev()).take_while(|(number, _)| *number > self.taken);
        unread.map(|(_, frame)| frame.len()).sum()
    }

    /// Forgets the oldest events, but never the last: it may be the answer.
    fn trim(&mut self) {
        while self.events.len() > 1 {
            let is_taken = self
                .events
                .front()
                .is_some_and(|(number, _)| *number <= self.taken);
            if self.bytes <= KEPT || (!is_taken && self.bytes <= MAX) {
                break;
            }
            if let Some((_, frame)) = self.events.pop_front() {
                self.bytes -= frame.len();
            }
        }
    }
}

/// Someone who reads a stream from some event on.
#[derive(Debug)]
pub(super) struct Reader {
    stream: Arc<EventStream>,
    number: u64,
    after: u64,
}

/// What a reader finds.
pub(super) enum Read {
    Event(u64, Bytes),
    /// No more, or not now: the client is to ask again.
    End,
    /// All there was; and it was nothing but this one event.
    Only(Bytes),
}

impl Reader {
    pub(super) fn stream(&self) -> &Arc<EventStream> {
        &self.stream
    }

    /// The next event.
    pub(super) fn poll_read(&mut self, cx: &Context<'_>) -> Poll<Read> {
        let mut state = self.stream.lock();
        if state.reader != self.number {
            return Poll::Ready(Read::End);
        }
        let next = (state.events.iter()).find(|(number, _)| *number > self.after);
        if let Some((number, frame)) = next {
            let (number, frame) = (*number, frame.clone());
            let is_only = state.is_done && number == 1 && state.last == 1 && self.after == 0;
            self.after = number;
            state.taken = state.taken.max(number);
            let waker = state.writer_waker.take();
            drop(state);
            wake(waker);
            return Poll::Ready(if is_only {
                Read::Only(frame)
            } else {
                Read::Event(number, frame)
            });
        }
        if state.is_done || state.lets_go {
            return Poll::Ready(Read::End);
        }
        state.reader_waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.stream.lock();
        if state.reader == self.number {
            state.is_read = false;
            let waker = state.writer_waker.take();
            drop(state);
            wake(waker);
        }
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}
