//! What may happen beside the conversation.

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::alarm::Alarm;
use crate::runtime::{BoxFuture, Runtime};
use crate::server::{News, Router};

/// What happens seldom. The set is polled only when something in it was woken, so that it costs a call next to nothing.
pub(super) struct Asides {
    set: FuturesUnordered<BoxFuture<'static, Aside>>,
    alarm: Alarm,
    mailbox: Arc<Mailbox>,
}

pub(super) enum Aside {
    /// The application wants to stop.
    Shutdown,
    /// Something has changed.
    News(News),
}

impl Asides {
    /// The caller looks at what there is afterwards: in this order a change in between is seen twice rather than not at
    /// all.
    pub(super) fn new(
        router: Arc<Router>,
        runtime: &Arc<dyn Runtime>,
        shutdown: BoxFuture<'static, ()>,
    ) -> Self {
        let key = router.registry().changes().enter();
        let set = FuturesUnordered::new();
        let stop: BoxFuture<'static, Aside> = Box::pin(shutdown.map(|()| Aside::Shutdown));
        set.push(stop);
        for upkeep in router.upkeep() {
            let keep = Arc::clone(upkeep).keep(Arc::clone(runtime));
            set.push(Box::pin(keep.then(|()| pending())) as BoxFuture<'static, Aside>);
        }
        let mailbox = Arc::new(Mailbox { router, key });
        set.push(next_news(Arc::clone(&mailbox)));
        Self {
            set,
            alarm: Alarm::new(),
            mailbox,
        }
    }

    pub(super) fn poll(&mut self, cx: &Context<'_>) -> Option<Aside> {
        let Poll::Ready(aside) = self.set.poll_next_unpin(&mut self.alarm.answer(cx)?) else {
            return None;
        };
        self.alarm.ring();
        if matches!(aside, Some(Aside::News(_))) {
            self.set.push(next_news(Arc::clone(&self.mailbox)));
        }
        aside
    }

    pub(super) fn watch(&self, uri: &str) {
        let changes = self.mailbox.router.registry().changes();
        changes.watch(self.mailbox.key, uri);
    }

    pub(super) fn unwatch(&self, uri: &str) {
        let changes = self.mailbox.router.registry().changes();
        changes.unwatch(self.mailbox.key, uri);
    }
}

/// Where one connection is told what has changed.
struct Mailbox {
    router: Arc<Router>,
    key: u64,
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        self.router.registry().changes().leave(self.key);
    }
}

fn next_news(mailbox: Arc<Mailbox>) -> BoxFuture<'static, Aside> {
    Box::pin(poll_fn(move |cx| {
        let changes = mailbox.router.registry().changes();
        changes.poll_news(cx, mailbox.key).map(Aside::News)
    }))
}
