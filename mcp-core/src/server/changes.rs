//! Tells connections what has changed.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as TaskContext, Poll, Waker};

use crate::jsonrpc::{begin_notification, end, write_string};
use crate::protocol::{Notification, ResourceUpdated};

/// Which lists have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedLists {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
}

impl ChangedLists {
    pub(crate) const fn any(self) -> bool {
        self.tools || self.prompts || self.resources
    }

    pub(crate) const fn merge(&mut self, other: Self) {
        self.tools |= other.tools;
        self.prompts |= other.prompts;
        self.resources |= other.resources;
    }
}

/// A resource has changed. Serialised once for all who are told.
pub(crate) struct Update {
    pub(crate) uri: Arc<str>,
    /// The notification of the legacy era, whole.
    pub(crate) line: Vec<u8>,
    /// What that of the modern era has before its `_meta`.
    pub(crate) beginning: Vec<u8>,
}

impl Update {
    fn new(uri: &str) -> Self {
        let mut beginning = Vec::new();
        begin_notification(&mut beginning, ResourceUpdated::METHOD);
        beginning.extend_from_slice(br#"{"uri":"#);
        write_string(&mut beginning, uri);
        let mut line = beginning.clone();
        line.push(b'}');
        end(&mut line);
        beginning.push(b',');
        Self {
            uri: uri.into(),
            line,
            beginning,
        }
    }
}

impl fmt::Debug for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").finish_non_exhaustive()
    }
}

/// What a connection has yet to be told.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) lists: ChangedLists,
    /// Each resource once, however often it has changed.
    pub(crate) updates: Vec<Arc<Update>>,
    /// What is listed has to be looked up again, though nobody needs to be told.
    renewed: bool,
}

/// Tells every connection what has changed. Changes that come fast are told as one.
#[derive(Debug, Default)]
pub(crate) struct Changes(Mutex<Mailboxes>);

#[derive(Debug, Default)]
struct Mailboxes {
    last_key: u64,
    /// By connection, so that those that have ended are forgotten.
    boxes: HashMap<u64, Mailbox>,
    /// Who watches a resource.
    watchers: HashMap<Arc<str>, HashSet<u64>>,
}

#[derive(Debug, Default)]
struct Mailbox {
    news: News,
    waker: Option<Waker>,
    watched: HashSet<Arc<str>>,
}

impl Changes {
    /// A key to wait by, until [`leave`](Self::leave).
    pub(crate) fn enter(&self) -> u64 {
        let mut all = self.lock();
        all.last_key += 1;
        let key = all.last_key;
        all.boxes.insert(key, Mailbox::default());
        key
    }

    pub(crate) fn leave(&self, key: u64) {
        let mut all = self.lock();
        let left = all.boxes.remove(&key);
        for uri in left.into_iter().flat_map(|left| left.watched) {
            all.forget(key, &uri);
        }
    }

    /// The connection wants to know when this resource changes.
    pub(crate) fn watch(&self, key: u64, uri: &str) {
        let mut all = self.lock();
        let uri: Arc<str> = uri.into();
        if let Some(own) = all.boxes.get_mut(&key)
            && own.watched.insert(Arc::clone(&uri))
        {
            all.watchers.entry(uri).or_default().insert(key);
        }
    }

    pub(crate) fn unwatch(&self, key: u64, uri: &str) {
        let mut all = self.lock();
        if let Some(own) = all.boxes.get_mut(&key) {
            own.watched.remove(uri);
        }
        all.forget(key, uri);
    }

    /// Ready when there is something to tell.
    pub(crate) fn poll_news(&self, cx: &TaskContext<'_>, key: u64) -> Poll<News> {
        let mut all = self.lock();
        let Some(own) = all.boxes.get_mut(&key) else {
            return Poll::Pending;
        };
        if own.news.lists.any() || !own.news.updates.is_empty() || own.news.renewed {
            return Poll::Ready(std::mem::take(&mut own.news));
        }
        match &mut own.waker {
            Some(waker) => waker.clone_from(cx.waker()),
            waker => *waker = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    pub(super) fn lists_changed(&self, lists: ChangedLists) {
        self.tell_all(|news| news.lists.merge(lists));
    }

    /// The same things are listed as before, and something else is said of them.
    #[cfg(feature = "fs")]
    pub(super) fn lists_renewed(&self) {
        self.tell_all(|news| news.renewed = true);
    }

    fn tell_all(&self, tell: impl Fn(&mut News)) {
        let mut all = self.lock();
        let woken: Vec<Waker> = (all.boxes.values_mut())
            .filter_map(|own| {
                tell(&mut own.news);
                own.waker.take()
            })
            .collect();
        drop(all);
        woken.into_iter().for_each(Waker::wake);
    }

    pub(super) fn resource_updated(&self, uri: &str) {
        let mut all = self.lock();
        let Mailboxes {
            boxes, watchers, ..
        } = &mut *all;
        let Some(keys) = watchers.get(uri) else {
            return;
        };
        let update = Arc::new(Update::new(uri));
        let mut woken = Vec::new();
        for key in keys {
            let Some(own) = boxes.get_mut(key) else {
                continue;
            };
            if !own.news.updates.iter().any(|known| known.uri == update.uri) {
                own.news.updates.push(Arc::clone(&update));
            }
            woken.extend(own.waker.take());
        }
        drop(all);
        woken.into_iter().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, Mailboxes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mailboxes {
    fn forget(&mut self, key: u64, uri: &str) {
        if let Some(keys) = self.watchers.get_mut(uri) {
            keys.remove(&key);
            if keys.is_empty() {
                self.watchers.remove(uri);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: ChangedLists = ChangedLists {
        tools: true,
        prompts: false,
        resources: false,
    };

    #[test]
    fn whoever_leaves_is_forgotten_and_a_change_is_told_once() {
        let changes = Changes::default();
        let cx = TaskContext::from_waker(Waker::noop());
        let key = changes.enter();
        changes.watch(key, "x:///a");
        assert!(changes.poll_news(&cx, key).is_pending());
        changes.lists_changed(TOOLS);
        changes.lists_changed(TOOLS);
        changes.resource_updated("x:///a");
        changes.resource_updated("x:///a");
        changes.resource_updated("x:///b");
        let Poll::Ready(news) = changes.poll_news(&cx, key) else {
            panic!("there is news");
        };
        assert_eq!((news.lists, news.updates.len()), (TOOLS, 1));
        assert!(changes.poll_news(&cx, key).is_pending());
        changes.leave(key);
        let all = changes.lock();
        assert!(all.boxes.is_empty() && all.watchers.is_empty());
    }

    #[test]
    fn a_thousand_watchers_share_one_serialisation() {
        let changes = Changes::default();
        let cx = TaskContext::from_waker(Waker::noop());
        let keys: Vec<u64> = (0..1000).map(|_| changes.enter()).collect();
        for key in &keys {
            changes.watch(*key, "x:///a");
        }
        changes.resource_updated("x:///a");
        let told: Vec<_> = (keys.iter())
            .filter_map(|key| match changes.poll_news(&cx, *key) {
                Poll::Ready(news) => news.updates.into_iter().next(),
                Poll::Pending => None,
            })
            .collect();
        assert_eq!(told.len(), 1000);
        assert!(told.iter().all(|update| Arc::ptr_eq(update, &told[0])));
    }
}
