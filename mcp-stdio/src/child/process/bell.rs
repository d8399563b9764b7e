//! Signals that are looked for only when one has come.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake, Waker};

/// Stands between what is seldom ready and a task that looks at it each time around.
pub(super) struct Bell {
    state: Arc<State>,
    waker: Waker,
}

struct State {
    rang: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Bell {
    /// One that has rung, for what was never polled.
    pub(super) fn new() -> Self {
        let state = Arc::new(State {
            rang: AtomicBool::new(true),
            task: Mutex::new(None),
        });
        let waker = Waker::from(Arc::clone(&state));
        Self { state, waker }
    }

    /// What to poll with, if it has rung since the last time.
    pub(super) fn answer(&self, cx: &Context<'_>) -> Option<Waker> {
        let mut task = (self.state.task.lock()).unwrap_or_else(PoisonError::into_inner);
        if !task.as_ref().is_some_and(|task| task.will_wake(cx.waker())) {
            *task = Some(cx.waker().clone());
        }
        drop(task);
        // In this order nothing is missed that rings in between.
        let rang = self.state.rang.swap(false, Ordering::AcqRel);
        rang.then(|| self.waker.clone())
    }
}

impl Wake for State {
    fn wake(self: Arc<Self>) {
        self.rang.store(true, Ordering::Release);
        let task = self
            .task
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(task) = task {
            task.wake();
        }
    }
}
