//! What may happen beside the conversation.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::runtime::BoxFuture;
use crate::server::Router;

/// What happens seldom. The set polls only what was woken, so that it costs a call nothing.
pub(super) struct Asides {
    set: FuturesUnordered<BoxFuture<'static, Aside>>,
    router: Arc<Router>,
}

pub(super) enum Aside {
    /// The application wants to stop.
    Shutdown,
    /// The tools are others than before.
    ToolsChanged,
}

impl Asides {
    /// Looks at the count of changes of the tools; the caller looks at the tools themselves afterwards. In this order a
    /// change in between is seen twice rather than not at all.
    pub(super) fn new(router: Arc<Router>, shutdown: BoxFuture<'static, ()>) -> Self {
        let set = FuturesUnordered::new();
        let stop: BoxFuture<'static, Aside> = Box::pin(shutdown.map(|()| Aside::Shutdown));
        set.push(stop);
        set.push(next_change(Arc::clone(&router)));
        Self { set, router }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Option<Aside> {
        let Poll::Ready(aside) = self.set.poll_next_unpin(cx) else {
            return None;
        };
        if matches!(aside, Some(Aside::ToolsChanged)) {
            self.set.push(next_change(Arc::clone(&self.router)));
        }
        aside
    }
}

/// The wait of one connection for another list of tools.
struct Watch {
    router: Arc<Router>,
    key: u64,
    seen: u64,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.router.registry().changes().leave(self.key);
    }
}

fn next_change(router: Arc<Router>) -> BoxFuture<'static, Aside> {
    let seen = router.registry().changes().generation();
    let key = router.registry().changes().enter();
    let mut watch = Watch { router, key, seen };
    Box::pin(poll_fn(move |cx| {
        let Watch { router, key, seen } = &mut watch;
        let changed = router.registry().changes().poll_changed(cx, *key, seen);
        changed.map(|()| Aside::ToolsChanged)
    }))
}
