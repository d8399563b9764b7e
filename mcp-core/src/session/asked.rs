//! Requests of our own to the client (up to 2025-11-25), and who waits for their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::calls::CallKey;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId};
use crate::protocol::{Cancelled, Notification, RawJson};
use crate::server::{Answered, Ask, AskKey, Unanswered};

#[derive(Debug, Default)]
pub(super) struct Asked {
    last_id: u64,
    by_id: BTreeMap<u64, Question>,
    deadlines: BTreeSet<(Instant, u64)>,
}

#[derive(Debug)]
struct Question {
    key: AskKey,
    call: CallKey,
    deadline: Option<Instant>,
}

impl Asked {
    /// From here on, ids are above this.
    pub(super) const fn number_from(&mut self, id: u64) {
        self.last_id = id;
    }

    pub(super) fn ask(&mut self, call: CallKey, ask: Ask, out: &mut Vec<u8>) {
        self.last_id += 1;
        let id = self.last_id;
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        jsonrpc::write_json(out, &id);
        out.extend_from_slice(br#","method":"#);
        jsonrpc::write_string(out, ask.method);
        if ask.params.get() != "{}" {
            out.extend_from_slice(br#","params":"#);
            out.extend_from_slice(ask.params.get().as_bytes());
        }
        jsonrpc::end(out);
        let question = Question {
            key: ask.key,
            call,
            deadline: ask.deadline,
        };
        if let Some(deadline) = question.deadline {
            self.deadlines.insert((deadline, id));
        }
        self.by_id.insert(id, question);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Whose question this id answers; it is answered once.
    pub(super) fn answered(&mut self, id: &RequestId) -> Option<(AskKey, CallKey)> {
        let id = u64::try_from(id.as_i64()?).ok()?;
        self.remove(id)
            .map(|question| (question.key, question.call))
    }

    /// False when it is under way no more.
    pub(super) fn withdraw(&mut self, key: AskKey, out: &mut Vec<u8>) -> bool {
        let found = self.by_id.iter().find(|(_, question)| question.key == key);
        let id = found.map(|(&id, _)| id);
        id.and_then(|id| self.cancel(id, "it is no longer needed", out))
            .is_some()
    }

    pub(super) fn withdraw_all(&mut self, call: CallKey, out: &mut Vec<u8>) {
        let of_call = self
            .by_id
            .iter()
            .filter(|(_, question)| question.call == call);
        for id in of_call.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.cancel(id, "the call that asked is over", out);
        }
    }

    /// A question whose time is over.
    pub(super) fn overdue(&mut self, now: Instant, out: &mut Vec<u8>) -> Option<(AskKey, CallKey)> {
        let &(deadline, id) = self.deadlines.first()?;
        if deadline > now {
            return None;
        }
        self.cancel(id, "it took too long", out)
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Forgets all; the client is not told, for it has gone.
    pub(super) fn take_all(&mut self) -> Vec<(AskKey, CallKey)> {
        self.deadlines.clear();
        let questions = std::mem::take(&mut self.by_id);
        questions
            .into_values()
            .map(|question| (question.key, question.call))
            .collect()
    }

    fn cancel(&mut self, id: u64, reason: &str, out: &mut Vec<u8>) -> Option<(AskKey, CallKey)> {
        let question = self.remove(id)?;
        jsonrpc::begin_notification(out, Cancelled::METHOD);
        out.extend_from_slice(br#"{"requestId":"#);
        jsonrpc::write_json(out, &id);
        out.extend_from_slice(br#","reason":"#);
        jsonrpc::write_string(out, reason);
        out.push(b'}');
        jsonrpc::end(out);
        Some((question.key, question.call))
    }

    fn remove(&mut self, id: u64) -> Option<Question> {
        let question = self.by_id.remove(&id)?;
        if let Some(deadline) = question.deadline {
            self.deadlines.remove(&(deadline, id));
        }
        Some(question)
    }
}

/// Takes the outcome of a response out of its frame.
pub(super) fn read(outcome: Result<&str, &str>) -> Answered {
    match outcome {
        Ok(result) => RawJson::try_from(result.to_owned()).map_err(|_| {
            // It was scanned as a part of its frame, so this can't be.
            Unanswered::Error(ErrorObject::new(ErrorCode::PARSE_ERROR, "no JSON"))
        }),
        Err(error) => Err(Unanswered::Error(ErrorObject::from_json(error))),
    }
}
