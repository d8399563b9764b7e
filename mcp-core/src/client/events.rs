//! What the server tells without being asked, in order.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

use super::handle::Client;
use super::shared::Phase;
use crate::session::client::Event;

/// Events that nobody has taken. Beyond that the oldest are dropped, and whoever takes them is told how many.
const MAX_EVENTS: usize = 1_024;
/// Bytes of what they say, roughly.
const MAX_WEIGHT: usize = 8 << 20;

#[derive(Debug, Default)]
pub(super) struct EventQueue {
    queue: VecDeque<(Event, usize)>,
    weight: usize,
    dropped: u64,
    /// Nothing is kept before somebody wants it.
    pub(super) is_open: bool,
    wakers: Vec<Waker>,
}

impl EventQueue {
    /// Keeps an event that came in so many bytes; whoever waits is to be woken.
    pub(super) fn push(&mut self, event: Event, weight: usize, wakers: &mut Vec<Waker>) {
        if !self.is_open {
            return;
        }
        self.queue.push_back((event, weight));
        self.weight += weight;
        while self.queue.len() > MAX_EVENTS || (self.weight > MAX_WEIGHT && self.queue.len() > 1) {
            if let Some((_, weight)) = self.queue.pop_front() {
                self.weight -= weight;
                self.dropped += 1;
            }
        }
        wakers.append(&mut self.wakers);
    }

    /// Nothing more comes.
    pub(super) fn end(&mut self, wakers: &mut Vec<Waker>) {
        wakers.append(&mut self.wakers);
    }

    fn pop(&mut self) -> Option<Event> {
        if self.dropped > 0 {
            return Some(Event::Lagged(std::mem::take(&mut self.dropped)));
        }
        let (event, weight) = self.queue.pop_front()?;
        self.weight -= weight;
        Some(event)
    }
}

/// The events of a client, in the order in which the server has told them.
///
/// All of a client's `Events` take from one queue, so each event is handed out once. It holds 1,024 of them that came in
/// 8 MiB at most: then the oldest are dropped, and [`Event::Lagged`] says how many.
#[derive(Debug)]
#[must_use = "events come to whoever takes them"]
pub struct Events {
    client: Client,
}

impl Events {
    pub(super) const fn new(client: Client) -> Self {
        Self { client }
    }

    /// The next event; `None` once the connection is gone and all were taken.
    ///
    /// # Cancel safety
    ///
    /// No event is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|cx| self.poll_event(cx)).await
    }

    fn poll_event(&self, cx: &Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.client.shared().lock();
        if let Some(event) = state.events.pop() {
            return Poll::Ready(Some(event));
        }
        if matches!(state.phase, Phase::Lost(_) | Phase::Done(_)) {
            return Poll::Ready(None);
        }
        let wakers = &mut state.events.wakers;
        if !wakers.iter().any(|known| known.will_wake(cx.waker())) {
            wakers.push(cx.waker().clone());
        }
        Poll::Pending
    }
}

impl Stream for Events {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.poll_event(cx)
    }
}
