use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::connection::Connection;
use super::context::Context;
use crate::session::CallKey;

/// A person's errand at a URL, which the client may be told the end of (2025-11-25): see
/// [`Question::visit`](crate::Question::visit).
///
/// It may be kept as long as the errand takes, and be used from anywhere: it does not keep the connection, and a call
/// that is over does not end it. Clones are the same errand.
///
/// <https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>
#[derive(Clone)]
pub struct Visit(Arc<Errand>);

struct Errand {
    connection: Weak<Connection>,
    call: CallKey,
    /// `None` where the revision has no ids, so that there is nothing to tell.
    id: Option<String>,
    is_done: AtomicBool,
}

impl Visit {
    pub(super) fn new(context: &Context, id: Option<String>) -> Self {
        let state = context.state();
        Self(Arc::new(Errand {
            connection: Arc::downgrade(&state.connection),
            call: state.key,
            id: id.filter(|_| state.version.has_elicitation_ids()),
            is_done: AtomicBool::new(false),
        }))
    }

    /// Tells the client that the person is done there, by `notifications/elicitation/complete`, so that it can go on by
    /// itself.
    ///
    /// Only the client that was asked is told, once. Nothing happens in other revisions, which do not have this
    /// notification, and when the connection is gone; while a client reads nothing, it may be left out. So it is a
    /// courtesy: what the person did is for the page to keep.
    pub fn complete(&self) {
        let errand = &self.0;
        if let Some(id) = &errand.id
            && let Some(connection) = errand.connection.upgrade()
            && !errand.is_done.swap(true, Ordering::Relaxed)
        {
            connection.visit_complete(errand.call, id.clone());
        }
    }

    /// The `elicitationId` that the client knows it by; `None` in revisions that have none.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }
}

impl fmt::Debug for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visit").finish_non_exhaustive()
    }
}
