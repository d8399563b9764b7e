//! What a frame turns out to be.

use bytes::Bytes;

use super::ClientSession;
use super::pending::Answer;
use crate::jsonrpc::{self, ErrorObject, Fault, Message, RequestId};
use crate::transport::{Answered, Incoming};

impl ClientSession {
    /// Takes a frame in. Nothing that a server sends is ever answered but its requests: what is wrong with a frame is
    /// told to whoever waits for it, or skipped.
    pub(crate) fn receive(&mut self, frame: &Bytes) {
        match jsonrpc::decode(frame, &mut ()) {
            Ok(message) => self.on_message(message, frame),
            Err(Fault::Batch(members)) if self.version.has_batching() => {
                for member in members {
                    // A copy: one answer of a batch must not keep all of it.
                    let own = Bytes::copy_from_slice(member.as_bytes());
                    match jsonrpc::decode(&own, &mut ()) {
                        Ok(message) => self.on_message(message, &own),
                        Err(fault) => self.on_fault(&fault, &own),
                    }
                }
            }
            Err(fault) => self.on_fault(&fault, frame),
        }
    }

    fn on_message(&mut self, message: Message<'_>, frame: &Bytes) {
        match message {
            Message::Response { id, outcome } => {
                let answer = match outcome {
                    Ok(result) => Answer::Result(frame.slice_ref(result.as_bytes())),
                    Err(error) => Answer::Error(ErrorObject::from_json(error)),
                };
                match id.as_number() {
                    Some(id) => self.answer(id, answer),
                    None => self.skip("an answer to a request of nobody"),
                }
            }
            Message::Notification { method, params } => self.on_notification(&method, params),
            Message::Request { id, method, params } => self.on_request(id, &method, params),
        }
    }

    /// Answers that come twice, late, or to what was never asked are ignored.
    fn answer(&mut self, id: u64, answer: Answer) {
        let entry = self.pending.get_mut(id);
        let Some(entry) = entry.filter(|entry| entry.is_on_wire()) else {
            return self.skip("an answer to no request of ours");
        };
        let is_detached = entry.is_detached;
        entry.answer(answer, &mut self.wakers);
        if is_detached {
            self.pending.remove(id);
        }
    }

    /// The request that an answer without an id is for. Some servers refuse what they do not know without a word on what
    /// it is; while the connection is opened that can be told all the same, for little else waits then.
    fn unnamed(&mut self) -> Option<u64> {
        // Where each message is carried by itself, the transport knows.
        if !self.is_opening || self.departures.is_some() {
            return None;
        }
        if self.given_up > 0 {
            self.given_up -= 1;
            return None;
        }
        Some(self.next_id - 1)
    }

    fn on_fault(&mut self, fault: &Fault<'_>, frame: &[u8]) {
        match fault {
            Fault::Response { id, why } => {
                match id
                    .as_ref()
                    .and_then(RequestId::as_number)
                    .or_else(|| self.unnamed())
                {
                    Some(id) => self.answer(id, Answer::Malformed(why)),
                    None => self.skip(why),
                }
            }
            // An answer that says nothing.
            Fault::Invalid { id: Some(id), why } if *why == jsonrpc::NO_METHOD => {
                match id.as_number() {
                    Some(id) => self.answer(id, Answer::Malformed("it has no result")),
                    None => self.skip(why),
                }
            }
            Fault::NotJson { .. } => {
                self.noise.keep(frame);
                self.skip("a line that is not JSON");
            }
            Fault::Invalid { why, .. } => {
                self.noise.keep(frame);
                self.skip(why);
            }
            Fault::Batch(_) => self.skip("a batch, which this revision does not have"),
        }
    }

    /// Takes in the last that comes for a request, which should be its answer, and says how many bytes that were. An
    /// error need not say what it is for.
    pub(crate) fn take_last(&mut self, id: u64, incoming: &Incoming) -> usize {
        match incoming {
            Incoming::Frame(frame) => {
                self.receive_last(id, frame);
                frame.len()
            }
            Incoming::Overlong { head, limit } => {
                self.fail(id, Answer::Overlong(*limit));
                head.len()
            }
        }
    }

    fn receive_last(&mut self, id: u64, frame: &Bytes) {
        self.receive(frame);
        if self.is_waiting(id) {
            let answered = Answered::read(frame).filter(|answered| answered.id.is_none());
            self.fail(
                id,
                match answered.map(|answered| answered.outcome) {
                    Some(Err(error)) => Answer::Error(error),
                    _ => Answer::Malformed("what came is no answer to the request"),
                },
            );
        }
    }

    /// What a request comes to that is not answered by a message.
    pub(crate) fn fail(&mut self, id: u64, answer: Answer) {
        if self.is_waiting(id) {
            self.answer(id, answer);
        }
    }

    fn is_waiting(&self, id: u64) -> bool {
        let entry = self.pending.get(id);
        entry.is_some_and(|entry| entry.is_on_wire() && !entry.is_answered())
    }

    /// A frame that was longer than the limit allows: only its first bytes came.
    pub(crate) fn receive_overlong(&mut self, head: &[u8], limit: usize) {
        match jsonrpc::read_response_id(head)
            .as_ref()
            .and_then(RequestId::as_number)
        {
            Some(id) => self.answer(id, Answer::Overlong(limit)),
            None => self.skip("a line that is too long"),
        }
    }
}
