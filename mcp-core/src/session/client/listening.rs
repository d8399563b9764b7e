//! What has come on a stream of changes that was not taken yet.

use std::collections::VecDeque;

use crate::protocol::SubscriptionFilter;

/// Changes that nobody has taken. They are kept once each, so only watched resources fill this.
const MAX_CHANGES: usize = 1_024;
/// Bytes of their URIs.
const MAX_URI_BYTES: usize = 1 << 20;

/// Something that a client watches has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources, or of their templates.
    Resources,
    /// A resource, or a part of one, by its URI.
    Resource(String),
    /// Some changes are lost: they came faster than they were taken, or while the server ended the stream and it was
    /// opened anew. Look at everything that was watched.
    Missed,
}

/// Who is told what comes on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listener {
    /// Whoever holds the subscription.
    Subscription,
    /// Whoever takes the events of the client.
    Events,
}

#[derive(Debug)]
pub(super) struct Listening {
    pub(super) listener: Listener,
    /// What the server has agreed to, once it has.
    pub(super) acknowledged: Option<SubscriptionFilter>,
    changes: VecDeque<Change>,
    uri_bytes: usize,
}

impl Listening {
    pub(super) const fn new(listener: Listener) -> Self {
        Self {
            listener,
            acknowledged: None,
            changes: VecDeque::new(),
            uri_bytes: 0,
        }
    }

    /// A stream that needs no agreement, since the server tells everybody.
    pub(super) const fn agreed(filter: SubscriptionFilter) -> Self {
        Self {
            listener: Listener::Subscription,
            acknowledged: Some(filter),
            changes: VecDeque::new(),
            uri_bytes: 0,
        }
    }

    /// Whether a change that is told to everybody is one for this stream.
    pub(super) fn wants(&self, change: &Change) -> bool {
        let Some(filter) = &self.acknowledged else {
            return false;
        };
        match change {
            Change::Tools => filter.tools_list_changed == Some(true),
            Change::Prompts => filter.prompts_list_changed == Some(true),
            Change::Resources => filter.resources_list_changed == Some(true),
            Change::Resource(uri) => watches(filter, uri),
            Change::Missed => true,
        }
    }

    /// A change that was not taken yet need not be told twice.
    pub(super) fn push(&mut self, change: Change) {
        if self.changes.contains(&change) {
            return;
        }
        let bytes = uri_bytes(&change);
        if self.changes.len() < MAX_CHANGES && self.uri_bytes + bytes <= MAX_URI_BYTES {
            self.uri_bytes += bytes;
            self.changes.push_back(change);
        } else if self.changes.back() != Some(&Change::Missed) {
            self.changes.push_back(Change::Missed);
        }
    }

    pub(super) fn take(&mut self) -> Option<Change> {
        let change = self.changes.pop_front()?;
        self.uri_bytes -= uri_bytes(&change);
        Some(change)
    }
}

const fn uri_bytes(change: &Change) -> usize {
    match change {
        Change::Resource(uri) => uri.len(),
        Change::Tools | Change::Prompts | Change::Resources | Change::Missed => 0,
    }
}

/// A server may tell of a part of what is watched, as a folder's file.
fn watches(filter: &SubscriptionFilter, uri: &str) -> bool {
    let watched = filter.resource_subscriptions.iter().flatten();
    watched.into_iter().any(|watched| {
        uri.strip_prefix(watched.as_str()).is_some_and(|rest| {
            rest.is_empty() || watched.ends_with('/') || rest.starts_with(['/', '#', '?'])
        })
    })
}
