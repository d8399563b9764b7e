//! Tells connections what has changed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as TaskContext, Poll, Waker};

use crate::jsonrpc::{begin_notification, end, write_string};
use crate::protocol::{Notification, ResourceUpdated};
use crate::uri_template::chars::compared;

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

/// A resource has changed. Serialised once for all who are told and spell it as the application does.
pub(crate) struct Update {
    /// What its URI is [compared] by.
    pub(crate) resource: Arc<str>,
    /// Its URI as the application spells it.
    pub(crate) uri: Box<str>,
    /// What the notification of the modern era has before its `_meta`.
    beginning: Vec<u8>,
    /// The notification of the legacy era, whole.
    line: Vec<u8>,
}

impl Update {
    fn new(resource: &str, uri: &str) -> Self {
        let beginning = beginning(uri);
        Self {
            resource: resource.into(),
            uri: uri.into(),
            line: line(&beginning),
            beginning,
        }
    }

    /// The notification of the legacy era, to somebody who spells the URI like this.
    pub(crate) fn line(&self, spelled: &str) -> Cow<'_, [u8]> {
        if spelled == &*self.uri {
            Cow::Borrowed(&self.line)
        } else {
            Cow::Owned(line(&beginning(spelled)))
        }
    }

    /// The beginning of that of the modern era, up to its `_meta`.
    pub(crate) fn beginning(&self, spelled: &str) -> Cow<'_, [u8]> {
        if spelled == &*self.uri {
            Cow::Borrowed(&self.beginning)
        } else {
            Cow::Owned(beginning(spelled))
        }
    }
}

fn beginning(uri: &str) -> Vec<u8> {
    let mut out = Vec::new();
    begin_notification(&mut out, ResourceUpdated::METHOD);
    out.extend_from_slice(br#"{"uri":"#);
    write_string(&mut out, uri);
    out.push(b',');
    out
}

fn line(beginning: &[u8]) -> Vec<u8> {
    let mut out = beginning.to_vec();
    // What comes instead of `_meta`.
    out.pop();
    out.push(b'}');
    end(&mut out);
    out
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
    /// Who watches a resource, by what its URI is [compared] by.
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

    /// The connection wants to know when this resource changes; `uri` is what it is [compared] by.
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
        let resource = compared(uri);
        let Some(keys) = watchers.get(&*resource) else {
            return;
        };
        let update = Arc::new(Update::new(&resource, uri));
        let mut woken = Vec::new();
        for key in keys {
            let Some(own) = boxes.get_mut(key) else {
                continue;
            };
            let mut told = own.news.updates.iter();
            if !told.any(|known| known.resource == update.resource) {
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
