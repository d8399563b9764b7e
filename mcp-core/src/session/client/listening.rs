//! What has come on a stream of changes that was not taken yet.

use std::collections::VecDeque;

use crate::protocol::SubscriptionFilter;

/// Changes that nobody has taken. They are kept once each, so only watched resources fill this.
const MAX_CHANGES: usize = 1_024;

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
    /// Changes came faster than they were taken, and some are lost. Look at everything that was watched anew.
    Missed,
}

#[derive(Debug, Default)]
pub(super) struct Listening {
    /// What the server has agreed to, once it has.
    pub(super) acknowledged: Option<SubscriptionFilter>,
    changes: VecDeque<Change>,
}

impl Listening {
    /// A change that was not taken yet need not be told twice.
    pub(super) fn push(&mut self, change: Change) {
        push_once(&mut self.changes, change);
    }

    pub(super) fn take(&mut self) -> Option<Change> {
        self.changes.pop_front()
    }
}

/// Adds a change unless it waits already; where there is no room, that some were missed.
fn push_once(changes: &mut VecDeque<Change>, change: Change) {
    if changes.contains(&change) {
        return;
    }
    if changes.len() < MAX_CHANGES {
        changes.push_back(change);
    } else if changes.back() != Some(&Change::Missed) {
        changes.push_back(Change::Missed);
    }
}
