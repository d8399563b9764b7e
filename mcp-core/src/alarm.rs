//! Futures that are polled only when something has woken them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Stands between a future and the task that polls it among many others, so that to look at it in vain costs next to
/// nothing.
pub(crate) struct Alarm {
    state: Arc<State>,
    bell: Waker,
}

/// Whether something was woken.
struct State {
    rang: AtomicBool,
    task: AtomicWaker,
}

impl Alarm {
    /// One that has rung, for a future that was never polled.
    pub(crate) fn new() -> Self {
        let state = Arc::new(State {
            rang: AtomicBool::new(true),
            task: AtomicWaker::new(),
        });
        let bell = Waker::from(Arc::clone(&state));
        Self { state, bell }
    }

    /// A context to poll the future with, if it has rung since the last time.
    pub(crate) fn answer(&self, cx: &Context<'_>) -> Option<Context<'_>> {
        // In this order nothing is missed that rings in between.
        self.state.task.register(cx.waker());
        let rang = self.state.rang.swap(false, Ordering::AcqRel);
        rang.then(|| Context::from_waker(&self.bell))
    }

    /// The future is to be polled again: it was ready, and there may be more.
    pub(crate) fn ring(&self) {
        self.state.rang.store(true, Ordering::Release);
    }
}

impl Wake for State {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rang.store(true, Ordering::Release);
        self.task.wake();
    }
}
