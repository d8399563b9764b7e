//! Questions to clients that are asked by requests of our own (up to 2025-11-25), on their way to the session and back.

use std::collections::HashMap;
use std::future::Future;
use std::time::Instant;

use super::slot::{Filler, slot};
use crate::jsonrpc::ErrorObject;
use crate::protocol::RawJson;

/// Names a question of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AskKey(u64);

/// A request that a call wants sent to its client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ask {
    pub(crate) key: AskKey,
    pub(crate) method: &'static str,
    /// The JSON text of an object.
    pub(crate) params: RawJson,
    /// When it was asked.
    pub(crate) at: Instant,
    /// When it is given up.
    pub(crate) deadline: Option<Instant>,
}

/// What became of a question.
pub(crate) type Answered = Result<RawJson, Unanswered>;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unanswered {
    /// The client answered with an error.
    Error(ErrorObject),
    TimedOut,
    /// The client can say nothing any more.
    Gone,
}

/// Who waits for an answer.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    last: u64,
    fillers: HashMap<AskKey, Filler<Answered>>,
}

impl Waiting {
    pub(super) fn enter(
        &mut self,
    ) -> (
        AskKey,
        impl Future<Output = Option<Answered>> + Send + use<>,
    ) {
        self.last += 1;
        let key = AskKey(self.last);
        let (filler, answer) = slot();
        self.fillers.insert(key, filler);
        (key, answer)
    }

    /// The place for the answer, unless nobody wants it any more.
    pub(super) fn leave(&mut self, key: AskKey) -> Option<Filler<Answered>> {
        self.fillers.remove(&key)
    }
}
