//! Where blocking calls wait for a thread.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use super::wakers::Wakers;

/// Lets so many calls through at once. The others wait here rather than in a queue of jobs: whoever is cancelled is gone
/// at once, so that a peer which cancels what it calls can't fill such a queue.
#[derive(Debug)]
pub(crate) struct Turnstile(Mutex<State>);

#[derive(Debug)]
struct State {
    free: usize,
    last_ticket: u64,
    /// By ticket, so that the first to come is the first to be woken.
    waiting: Wakers,
}

impl Turnstile {
    pub(crate) fn new(places: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            free: places,
            last_ticket: 0,
            waiting: Wakers::default(),
        })))
    }

    pub(crate) fn pass(self: &Arc<Self>) -> Passing {
        Passing {
            turnstile: Arc::clone(self),
            ticket: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_next(&self, mut state: MutexGuard<'_, State>) {
        let next = (state.free > 0)
            .then(|| state.waiting.pop_first())
            .flatten();
        drop(state);
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

/// The wait for a place.
#[derive(Debug)]
pub(crate) struct Passing {
    turnstile: Arc<Turnstile>,
    ticket: Option<u64>,
}

impl Future for Passing {
    type Output = Place;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Place> {
        let turnstile = Arc::clone(&self.turnstile);
        let mut state = turnstile.lock();
        if state.free > 0 {
            state.free -= 1;
            if let Some(ticket) = self.ticket.take() {
                state.waiting.remove(ticket);
            }
            return Poll::Ready(Place(Arc::clone(&turnstile)));
        }
        let ticket = *self.ticket.get_or_insert_with(|| {
            state.last_ticket += 1;
            state.last_ticket
        });
        state.waiting.insert(ticket, cx.waker());
        Poll::Pending
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            let mut state = self.turnstile.lock();
            // One that was woken and does not come any more must not keep the next one waiting.
            if !state.waiting.remove(ticket) {
                self.turnstile.wake_next(state);
            }
        }
    }
}

/// A place behind the turnstile, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<Turnstile>);

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.free += 1;
        self.0.wake_next(state);
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use futures_util::FutureExt;

    use super::*;

    fn poll(passing: &mut Passing) -> Option<Place> {
        match passing.poll_unpin(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Some(place),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_place_is_taken_again_once_it_is_free() {
        let turnstile = Turnstile::new(1);
        let place = poll(&mut turnstile.pass()).unwrap();
        let mut second = turnstile.pass();
        assert!(poll(&mut second).is_none());
        drop(place);
        assert!(poll(&mut second).is_some());
        assert!(turnstile.lock().waiting.len() == 0);
    }

    #[test]
    fn who_leaves_after_being_woken_hands_the_call_on() {
        let turnstile = Turnstile::new(1);
        let place = poll(&mut turnstile.pass()).unwrap();
        let (mut second, mut third) = (turnstile.pass(), turnstile.pass());
        assert!(poll(&mut second).is_none() && poll(&mut third).is_none());
        drop(place);
        assert_eq!(turnstile.lock().waiting.len(), 1, "the second was woken");
        drop(second);
        assert_eq!(turnstile.lock().waiting.len(), 0, "the third was woken");
        assert!(poll(&mut third).is_some());
    }

    #[test]
    fn who_leaves_while_waiting_is_forgotten() {
        let turnstile = Turnstile::new(0);
        for _ in 0..3 {
            assert!(poll(&mut turnstile.pass()).is_none());
        }
        assert!(turnstile.lock().waiting.len() == 0);
    }
}
