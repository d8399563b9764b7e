//! A place for one value that another thread or task will put there.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

#[derive(Debug)]
struct State<T> {
    value: Option<T>,
    waiting: Option<Waker>,
    /// Whether the filler is done, with or without a value.
    is_settled: bool,
}

/// The end that fills the place.
#[derive(Debug)]
pub(crate) struct Filler<T>(Arc<Mutex<State<T>>>);

impl<T> Filler<T> {
    pub(crate) fn fill(self, value: T) {
        self.finish(Some(value));
    }

    fn finish(&self, value: Option<T>) {
        let waiting = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_settled = true;
            if value.is_some() {
                state.value = value;
            }
            state.waiting.take()
        };
        if let Some(waker) = waiting {
            waker.wake();
        }
    }
}

impl<T> Drop for Filler<T> {
    fn drop(&mut self) {
        self.finish(None);
    }
}

/// A place and the wait for its value, which is `None` when nobody will put one there.
pub(crate) fn slot<T: Send>() -> (Filler<T>, impl Future<Output = Option<T>> + Send) {
    let state = Arc::new(Mutex::new(State {
        value: None,
        waiting: None,
        is_settled: false,
    }));
    let filler = Filler(Arc::clone(&state));
    let wait = poll_fn(move |cx| {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_settled {
            return Poll::Ready(state.value.take());
        }
        state.waiting = Some(cx.waker().clone());
        Poll::Pending
    });
    (filler, wait)
}
