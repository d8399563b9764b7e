//! The handlers of a connection that were not ready at once.

use std::collections::HashMap;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable, Aborted};
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::runtime::BoxFuture;
use crate::server::{self, Reply, Running};
use crate::session::CallKey;

#[derive(Default)]
pub(super) struct RunningCalls {
    /// Also those that were cancelled and finish their work.
    pending: FuturesUnordered<BoxFuture<'static, (CallKey, Result<Reply, Aborted>)>>,
    handles: HashMap<CallKey, Handle>,
}

/// What is needed to end a call that goes on.
struct Handle {
    context: server::Context,
    /// `None` for a call that runs on though it is cancelled.
    abort: Option<AbortHandle>,
}

impl RunningCalls {
    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn insert(&mut self, call: CallKey, running: Running) {
        let finishes = running.finishes();
        let (abort, registration) = AbortHandle::new_pair();
        let future = Abortable::new(running.future, registration).map(move |reply| (call, reply));
        self.pending.push(Box::pin(future));
        let handle = Handle {
            context: running.context,
            abort: (!finishes).then_some(abort),
        };
        self.handles.insert(call, handle);
    }

    /// Polls those that were woken; a call that was cancelled ends without a reply. `None` when nobody is done.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Option<(CallKey, Option<Reply>)> {
        // Nearly always, for most calls are ready at once.
        if self.pending.is_empty() {
            return None;
        }
        let Poll::Ready(Some((call, reply))) = self.pending.poll_next_unpin(cx) else {
            return None;
        };
        if let Some(handle) = self.handles.remove(&call) {
            handle.context.state().status.end();
        }
        Some((call, reply.ok()))
    }

    /// Whether some of them run on when they are cancelled.
    pub(super) fn any_finishes(&self) -> bool {
        // What was cancelled before and still runs finishes, too.
        self.pending.len() > self.handles.len()
            || self.handles.values().any(|handle| handle.abort.is_none())
    }

    /// Runs those that are left to their end, for nobody.
    pub(super) async fn finish(mut self) {
        self.handles.drain().for_each(|(_, handle)| handle.end());
        while self.pending.next().await.is_some() {}
    }

    /// False when the call is not under way any more. A handler that does not finish its work is dropped by the next
    /// [`poll`](Self::poll).
    pub(super) fn cancel(&mut self, call: CallKey) -> bool {
        self.handles.remove(&call).map(Handle::end).is_some()
    }
}

impl Drop for RunningCalls {
    fn drop(&mut self) {
        // Handlers on other threads learn that nobody waits for them any more.
        for (_, handle) in self.handles.drain() {
            handle.end();
        }
    }
}

impl Handle {
    fn end(self) {
        self.context.state().status.end();
        if let Some(abort) = self.abort {
            abort.abort();
        }
    }
}
