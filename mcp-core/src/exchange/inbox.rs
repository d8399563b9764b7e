//! What the rest of a session has to tell an exchange under way.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Context;

use bytes::Bytes;
use futures_util::task::AtomicWaker;

/// Frames that may wait: an exchange that takes none is about to end.
const MAX_FRAMES: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    reader: AtomicWaker,
}

#[derive(Debug, Default)]
struct State {
    frames: Vec<Bytes>,
    is_closed: bool,
}

impl Inbox {
    /// A cancellation, or the answer to a question.
    pub(super) fn push(&self, frame: Bytes) {
        let mut state = self.lock();
        if state.frames.len() < MAX_FRAMES {
            state.frames.push(frame);
        }
        drop(state);
        self.reader.wake();
    }

    /// The session is over.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.reader.wake();
    }

    /// What has come; `None` once the session is over.
    pub(super) fn take(&self, cx: &Context<'_>) -> Option<Vec<Bytes>> {
        self.reader.register(cx.waker());
        let mut state = self.lock();
        if state.is_closed {
            return None;
        }
        Some(std::mem::take(&mut state.frames))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
