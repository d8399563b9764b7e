//! Whom of a session a message is for, where each of its requests is served by itself (up to 2025-11-25).

use super::params::Params;
use crate::jsonrpc::{Message, RequestId};
use crate::protocol::{Cancelled, Initialize, Notification, Request, Subscribe, Unsubscribe};

/// Whom of a session a message is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Addressee {
    /// Nobody else: it is a request that is served by itself.
    Itself(RequestId),
    /// What all requests have in common, and what outlives them.
    Session,
    /// The requests of this id, which may be several: ids are a namespace of the message that they came in.
    Requests(RequestId),
    /// Whoever has asked the question of this id.
    Asker(RequestId),
    /// Nobody knows.
    Nobody,
}

impl Addressee {
    pub(crate) fn of(message: &Message<'_>, params: &Params<'_>) -> Self {
        match message {
            Message::Request { id, method, .. } => match &**method {
                Subscribe::METHOD | Unsubscribe::METHOD | Initialize::METHOD => Self::Session,
                _ => Self::Itself(id.clone()),
            },
            Message::Notification { method, .. } if *method == Cancelled::METHOD => {
                let id = params.request_id.and_then(RequestId::from_json);
                id.map_or(Self::Nobody, Self::Requests)
            }
            Message::Notification { .. } => Self::Session,
            Message::Response { id, .. } => Self::Asker(id.clone()),
        }
    }
}
