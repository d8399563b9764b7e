//! What has come and was not taken yet.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use mcp_core::transport::{Arrival, Incoming};

/// Bytes that may wait before streams are no longer read.
const FULL: usize = 1 << 20;
/// Arrivals that may.
const MANY: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Inbox(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Arrival>,
    bytes: usize,
    wakers: Vec<Waker>,
}

impl State {
    fn is_full(&self) -> bool {
        self.bytes >= FULL || self.queue.len() >= MANY
    }
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, arrival: Arrival) {
        let mut state = self.lock();
        state.bytes += size(&arrival);
        state.queue.push_back(arrival);
    }

    pub(super) fn pop(&self) -> Option<Arrival> {
        let mut state = self.lock();
        let arrival = state.queue.pop_front()?;
        state.bytes -= size(&arrival);
        if !state.is_full() {
            state.wakers.drain(..).for_each(Waker::wake);
        }
        Some(arrival)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().queue.is_empty()
    }

    /// Waits until what has come is taken: a server that sends faster than that is not read.
    pub(super) async fn room(&self) {
        poll_fn(|cx| {
            let mut state = self.lock();
            if !state.is_full() {
                return Poll::Ready(());
            }
            state.wakers.push(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

fn size(arrival: &Arrival) -> usize {
    match arrival {
        Arrival::Message(incoming) | Arrival::Last { incoming, .. } => match incoming {
            Incoming::Frame(frame) => frame.len(),
            Incoming::Overlong { head, .. } => head.len(),
        },
        Arrival::Refused { .. } | Arrival::Failed { .. } | Arrival::Reopened => 0,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn frame(length: usize) -> Arrival {
        Arrival::Message(Incoming::Frame(vec![b'x'; length].into()))
    }

    #[test]
    fn streams_are_not_read_on_while_much_waits() {
        let inbox = Inbox::default();
        assert!(inbox.room().now_or_never().is_some());
        for (count, length) in [(MANY, 1), (2, FULL / 2)] {
            (0..count).for_each(|_| inbox.push(frame(length)));
            let mut waiting = Box::pin(inbox.room());
            assert!(waiting.as_mut().now_or_never().is_none());
            assert!(inbox.pop().is_some());
            assert!(waiting.now_or_never().is_some());
            while inbox.pop().is_some() {}
            assert!(inbox.is_empty() && inbox.lock().bytes == 0);
        }
    }
}
