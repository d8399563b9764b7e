//! What a frame turns out to be, and who looks after it.

use bytes::Bytes;

use super::asked;
use super::call::{Effect, Incoming};
use super::handshake::Handshake;
use super::http::{Claim, Headers};
use super::params::Params;
use super::server::ServerSession;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, Fault, Message, RequestId};
use crate::protocol::{Cancelled, Initialized, Notification, Ping, Request};

impl ServerSession {
    pub(crate) fn on_message<'f>(
        &mut self,
        message: Message<'f>,
        params: &'f Params<'f>,
        frame: &'f Bytes,
        batch: Option<usize>,
        headers: Option<&'f dyn Headers>,
    ) {
        match message {
            Message::Request {
                id,
                method,
                params: text,
            } => {
                // Mostly nothing else is under way, and then there is room.
                if self.calls.len() > 0
                    && let Err(error) = self.admit(&id, &method)
                {
                    return self.refuse(Some(&id), batch, &error);
                }
                match params.check(text) {
                    Ok(()) => self.on_request(Incoming {
                        id,
                        method,
                        params,
                        frame,
                        batch,
                        headers,
                    }),
                    Err(error) => self.refuse(Some(&id), batch, &error),
                }
            }
            Message::Notification { method, .. } => self.on_notification(&method, params),
            // Where each message has a request of its own, those that a response could belong to look for it before.
            Message::Response { .. } if headers.is_some() => {
                let error = ErrorObject::new(
                    ErrorCode::INVALID_REQUEST,
                    "nothing was asked that this could be the response to",
                );
                self.refuse(None, batch, &error);
            }
            Message::Response { id, outcome } => self.on_response(&id, outcome),
        }
    }

    fn admit(&self, id: &RequestId, method: &str) -> Result<(), ErrorObject> {
        if self.calls.contains(id) {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "another request with this id is still under way",
            ));
        }
        if self.is_full() && method != Ping::METHOD {
            return Err(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                "this connection has as many calls under way as it may",
            ));
        }
        Ok(())
    }

    fn on_request(&mut self, request: Incoming<'_>) {
        let is_modern = (request.params.request.version.is_some())
            || (request.headers).is_some_and(|headers| Claim::of(headers) == Claim::Modern);
        if is_modern {
            self.on_modern_request(request);
        } else {
            self.on_legacy_request(request);
        }
    }

    fn on_response(&mut self, id: &RequestId, outcome: Result<&str, &str>) {
        let Some((key, call)) = self.asked.answered(id) else {
            // It may have been withdrawn while the answer was on its way.
            return self.skip("a response to no request of ours");
        };
        self.one_question_less(call);
        let answered = asked::read(outcome);
        self.effects.push_back(Effect::Deliver(call, key, answered));
    }

    fn on_notification(&mut self, method: &str, params: &Params<'_>) {
        match method {
            <Initialized as Notification>::METHOD => {
                let handshake = std::mem::replace(&mut self.handshake, Handshake::Fresh);
                self.handshake = handshake.initialized();
            }
            <Cancelled as Notification>::METHOD => {
                let id = params.request_id.and_then(RequestId::from_json);
                if let Some(call) = id.and_then(|id| self.calls.find(&id)) {
                    self.drop_call(call);
                }
            }
            // Unknown ones are ignored, as JSON-RPC has it.
            _ => {}
        }
    }

    pub(crate) fn on_batch(&mut self, members: &[&str]) {
        let negotiated = self.handshake.negotiated();
        if !negotiated.is_some_and(|negotiated| negotiated.version.has_batching()) {
            let error = ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "batches are not part of this revision of the protocol",
            );
            return self.refuse(None, None, &error);
        }
        let batch = self.batches.open();
        for member in members {
            // A copy: one call of a batch must not keep all of it.
            let own = Bytes::copy_from_slice(member.as_bytes());
            let mut params = Params::default();
            match jsonrpc::decode(&own, &mut params) {
                Ok(message) => self.on_message(message, &params, &own, Some(batch), None),
                Err(Fault::Invalid { id: Some(id), why }) => {
                    let error = ErrorObject::new(ErrorCode::INVALID_REQUEST, why);
                    self.refuse(Some(&id), Some(batch), &error);
                }
                // This revision has no way to answer what has no id.
                Err(_) => self.skip("a member of a batch that is no message"),
            }
        }
        self.batches.leave(batch, self.out.buffer());
    }

    /// `is_alone` says that the frame has a request of its own: then it is answered, too, where no id can be read.
    pub(crate) fn on_fault(&mut self, fault: &Fault<'_>, is_alone: bool) {
        match fault {
            Fault::NotJson { id } => {
                self.skip("a text that is not JSON");
                if id.is_some() || is_alone {
                    let error = ErrorObject::new(ErrorCode::PARSE_ERROR, "the text is not JSON");
                    self.refuse(id.as_ref(), None, &error);
                }
            }
            Fault::Invalid { id, why } => {
                self.skip(why);
                let error = ErrorObject::new(ErrorCode::INVALID_REQUEST, *why);
                self.refuse(id.as_ref(), None, &error);
            }
            Fault::Response { why, .. } if is_alone => {
                let error = ErrorObject::new(ErrorCode::INVALID_REQUEST, *why);
                self.refuse(None, None, &error);
            }
            Fault::Response { why, .. } => self.skip(why),
            Fault::Batch(_) => {}
        }
    }
}
