//! A server's side of one connection.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::answer::Answer;
use super::asked::Asked;
use super::batch::Batches;
use super::call::{Call, CallRequest, Effect, Incoming};
use super::calls::{CallKey, Calls, Entry, Stage};
use super::draining::Draining;
use super::facts::ServerFacts;
use super::gate::LogGate;
use super::handshake::{Handshake, Negotiated};
use super::http::Headers;
use super::notices;
use super::outgoing::Outgoing;
use super::params::Params;
use super::parking::Parking;
use super::subscriptions::Subscriptions;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, Fault, RequestId};
use crate::protocol::ProtocolVersion;
use crate::server::{AboutClient, News, Reply};

/// A queue of answers this long makes calls wait: the peer has to take some first.
pub(super) const BACKLOG: usize = 1 << 20;
/// One this long makes the session stop reading: not even a ping is answered any more.
const MAX_BACKLOG: usize = 2 << 20;
/// So does this much that waits for the rest of its batch. It is more, for the peer can do nothing about it: what the
/// batch waits for may be a cancellation.
const MAX_HELD: usize = 32 << 20;
/// And this much of messages whose calls are under way: a handful of the longest.
const MAX_MESSAGES: usize = 64 << 20;

/// What a connection may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionLimits {
    /// Handlers that run at once.
    pub(crate) in_flight: usize,
    /// How long calls may go on after the end of input.
    pub(crate) drain: Duration,
}

/// A server's side of one connection: see the [module](super).
#[derive(Debug)]
pub(crate) struct ServerSession {
    pub(super) facts: Arc<ServerFacts>,
    pub(super) handshake: Handshake,
    pub(super) calls: Calls,
    pub(super) subscriptions: Subscriptions,
    pub(super) asked: Asked,
    pub(super) batches: Batches,
    pub(super) out: Outgoing,
    pub(super) effects: VecDeque<Effect>,
    parking: Parking,
    pub(super) limits: SessionLimits,
    /// When calls that still run are given up, once input has ended.
    pub(super) draining: Option<Draining>,
    /// Whether that time has come.
    pub(super) expired: bool,
    /// What has yet to be told: the backlog was too long.
    pub(super) news: News,
    /// The calls whose reports have yet to be told, for the same reason.
    pub(super) held: Vec<CallKey>,
    skipped: u64,
    /// What the last request was answered with.
    pub(super) verdict: Option<Verdict>,
}

/// What kind of answer a request got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Result,
    /// The handler's own error.
    Error(ErrorCode),
    /// An error before there was a handler.
    Refused(ErrorCode),
    /// An error, for want of what every request of its revision says in `_meta`.
    Unstated,
}

impl ServerSession {
    pub(crate) fn new(facts: Arc<ServerFacts>, limits: SessionLimits) -> Self {
        Self {
            facts,
            handshake: Handshake::Fresh,
            calls: Calls::default(),
            subscriptions: Subscriptions::default(),
            asked: Asked::default(),
            batches: Batches::default(),
            out: Outgoing::default(),
            effects: VecDeque::new(),
            parking: Parking::default(),
            limits,
            draining: None,
            expired: false,
            news: News::default(),
            held: Vec::new(),
            skipped: 0,
            verdict: None,
        }
    }

    /// A part of a session that was opened elsewhere. Its questions get ids above `question`.
    pub(crate) fn within(
        facts: Arc<ServerFacts>,
        limits: SessionLimits,
        negotiated: Negotiated,
        question: u64,
    ) -> Self {
        let mut session = Self::new(facts, limits);
        session.handshake = Handshake::Ready(negotiated);
        session.asked.number_from(question);
        session
    }

    /// Takes it that this was settled somewhere else, until `initialize` settles something here.
    pub(crate) fn assume(&mut self, negotiated: Negotiated) {
        self.handshake = Handshake::Assumed(negotiated);
    }

    /// What was settled by `initialize`, if it was.
    pub(crate) const fn opened(&self) -> Option<&Negotiated> {
        match &self.handshake {
            Handshake::Answered(negotiated) => Some(negotiated),
            _ => None,
        }
    }

    /// What the last request was answered with.
    pub(crate) const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// A call that is about to start.
    pub(crate) fn next_call(&self) -> Option<&Call> {
        match self.effects.front() {
            Some(Effect::Start(call)) => Some(call),
            _ => None,
        }
    }

    /// Whether nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.calls.len() == 0 && self.effects.is_empty()
    }

    /// Whether somebody wants to be told of changes.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.subscriptions.len() > 0
    }

    /// Takes out what was written since there were `len` bytes to send.
    pub(crate) fn take_output(&mut self, len: usize) -> Vec<u8> {
        self.out.take_since(len)
    }

    // What happened outside.

    /// One frame has come.
    pub(crate) fn receive(&mut self, frame: &Bytes) {
        self.receive_with(frame, None);
    }

    /// One frame has come, with headers where the transport has some.
    pub(crate) fn receive_with(&mut self, frame: &Bytes, headers: Option<&dyn Headers>) {
        let copied = self.will_park().then(|| Bytes::copy_from_slice(frame));
        let frame = copied.as_ref().unwrap_or(frame);
        let mut params = Params::default();
        match jsonrpc::decode(frame, &mut params) {
            Ok(message) => self.on_message(message, &params, frame, None, headers),
            Err(Fault::Batch(members)) => self.on_batch(&members),
            Err(fault) => self.on_fault(&fault, headers.is_some()),
        }
    }

    /// A frame over the limit has come and gone.
    pub(crate) fn receive_overlong(&mut self, head: &[u8], limit: usize) {
        self.skip("a message over the limit");
        if let Some(id) = jsonrpc::read_id_leniently(head) {
            let error = ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                format!("the message is longer than the limit of {limit} bytes"),
            );
            self.refuse(Some(&id), None, &error);
        }
    }

    // What the application wants.

    /// Answers a call. An answer to a call that is over is dropped: it may have just been cancelled.
    pub(crate) fn respond(&mut self, call: CallKey, reply: Reply) {
        let Some(mut entry) = self.calls.remove(call) else {
            return;
        };
        if entry.held.is_some() {
            notices::held(self.out.buffer(), &mut entry);
        }
        self.forget_questions(call, &entry);
        let facts = Arc::clone(&self.facts);
        let answer = Answer {
            id: &entry.id,
            version: entry.version,
            facts: &facts,
        };
        let mut verdict = Verdict::Result;
        self.write(entry.batch, |out| {
            if let Some(code) = answer.reply(out, reply) {
                verdict = Verdict::Error(code);
            }
        });
        self.verdict = Some(verdict);
    }

    /// Ends a call that runs too long at this time. While it waits for answers of its client, its time stands still.
    pub(crate) fn set_deadline(&mut self, call: CallKey, deadline: Instant) {
        self.calls.set_deadline(call, deadline);
    }

    // What to do next.

    /// `running` handlers are more than the calls that were started when some of those that were cancelled finish their
    /// work: a peer that cancels what it calls must not have any number of them. A call beyond the limit is parked: its
    /// id is taken and it may be cancelled, but it has yet to start.
    pub(crate) fn poll_effect(&mut self, running: usize) -> Option<Effect> {
        // A call is looked at where it lies and taken out where it goes, for it is large.
        while let Some(effect) = self.effects.front() {
            let Effect::Start(call) = effect else {
                return self.effects.pop_front();
            };
            let (key, may_start) = (call.key, self.may_start(running));
            // Its own batch may have cancelled it already.
            let Some(entry) = self.calls.get_mut(key) else {
                self.effects.pop_front();
                continue;
            };
            if may_start && self.parking.is_empty() {
                entry.stage = Stage::Started;
                return self.effects.pop_front();
            }
            if let Some(Effect::Start(call)) = self.effects.pop_front() {
                self.parking.park(call, entry);
            }
        }
        if self.parking.is_empty() || !self.may_start(running) {
            return None;
        }
        let call = self.parking.leave(&mut self.calls)?;
        if let Some(draining) = &mut self.draining {
            draining.has_started = true;
        }
        Some(Effect::Start(call))
    }

    /// Whether [`poll_effect`](Self::poll_effect) may have something.
    pub(crate) fn has_effect(&self, running: usize) -> bool {
        !self.effects.is_empty() || (!self.parking.is_empty() && self.may_start(running))
    }

    /// Whether a call that comes now has to wait. Then its frame is copied: a slice of what was read keeps all that was
    /// read with it, which is many times what the books of parked calls count.
    fn will_park(&self) -> bool {
        !self.parking.is_empty()
    }

    fn may_start(&self, running: usize) -> bool {
        running < self.limits.in_flight && self.out.len() < BACKLOG
    }

    pub(crate) fn outgoing(&self) -> &Outgoing {
        &self.out
    }

    pub(crate) fn wrote(&mut self, count: usize) {
        self.out.wrote(count);
        if !self.held.is_empty() && self.out.len() < BACKLOG {
            for call in std::mem::take(&mut self.held) {
                if let Some(entry) = self.calls.get_mut(call) {
                    notices::held(self.out.buffer(), entry);
                }
            }
        }
        if self.news.lists.any() || !self.news.updates.is_empty() {
            self.tell_changes();
        }
    }

    /// Whether another frame may be taken in now. While questions are open, it may hold the answer that makes room.
    pub(crate) fn wants_input(&self) -> bool {
        self.draining.is_none()
            && self.out.len() < MAX_BACKLOG
            && (!self.is_full() || !self.asked.is_empty())
    }

    /// Whether no more calls may be under way.
    pub(super) fn is_full(&self) -> bool {
        self.batches.held() >= MAX_HELD
            || self.calls.bytes() >= MAX_MESSAGES
            || self.parking.is_full()
    }

    // How it does it.

    /// Books a request and hands it to the application.
    pub(super) fn start(
        &mut self,
        request: &Incoming<'_>,
        version: ProtocolVersion,
        what: CallRequest,
        log_gate: LogGate,
        client: AboutClient,
    ) {
        let slice = |text: &str| request.frame.slice_ref(text.as_bytes());
        // A server that declares no logging sends none.
        let log_gate = if self.facts.has_logging {
            log_gate
        } else {
            LogGate::Closed
        };
        let progress_token = (request.params.request.progress_token)
            .filter(|token| RequestId::from_json(token).is_some())
            .map(slice);
        let wants_progress = progress_token.is_some();
        let given = version
            .has_input_rounds()
            .then(|| request.params.given(slice))
            .flatten();
        let is_tool = matches!(what, CallRequest::CallTool { .. });
        let key = self.book(request, version, progress_token, is_tool);
        self.effects.push_back(Effect::Start(Call {
            key,
            id: request.id.clone(),
            version,
            request: what,
            wants_progress,
            log_gate,
            client,
            meta: request.params.meta.map(slice),
            given,
        }));
    }

    pub(super) fn book(
        &mut self,
        request: &Incoming<'_>,
        version: ProtocolVersion,
        progress_token: Option<Bytes>,
        is_tool: bool,
    ) -> CallKey {
        if let Some(batch) = request.batch {
            self.batches.join(batch);
        }
        self.calls.insert(Entry {
            id: request.id.clone(),
            version,
            batch: request.batch,
            progress_token,
            last_progress: f64::NEG_INFINITY,
            held: None,
            deadline: None,
            stage: Stage::Booked,
            questions: 0,
            is_tool,
            bytes: request.frame.len(),
        })
    }

    /// Answers a request on the spot.
    pub(super) fn answer(
        &mut self,
        request: &Incoming<'_>,
        version: ProtocolVersion,
        write: impl FnOnce(&mut Vec<u8>, &ServerFacts),
    ) {
        if let Some(batch) = request.batch {
            self.batches.join(batch);
        }
        let facts = Arc::clone(&self.facts);
        let answer = Answer {
            id: &request.id,
            version,
            facts: &facts,
        };
        self.write(request.batch, |out| {
            answer.result(out, |out| write(out, &facts));
        });
        self.verdict = Some(Verdict::Result);
    }

    /// Answers with an error; without an id only where the revision allows it, else not at all.
    pub(crate) fn refuse(
        &mut self,
        id: Option<&RequestId>,
        batch: Option<usize>,
        error: &ErrorObject,
    ) {
        self.verdict = Some(Verdict::Refused(error.code));
        let silent = (self.handshake.negotiated())
            .is_some_and(|negotiated| !negotiated.version.errors_may_lack_id());
        if id.is_none() && silent {
            return;
        }
        if let Some(batch) = batch {
            self.batches.join(batch);
        }
        self.write(batch, |out| jsonrpc::write_error(out, id, error));
    }

    pub(super) fn write(&mut self, batch: Option<usize>, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(index) = batch else {
            return write(self.out.buffer());
        };
        self.batches.answer(index, write);
        self.batches.leave(index, self.out.buffer());
    }

    /// Ends a call without an answer.
    pub(super) fn drop_call(&mut self, call: CallKey) {
        if let Some(entry) = self.calls.remove(call) {
            self.forget_questions(call, &entry);
            if let Some(batch) = entry.batch {
                self.batches.leave(batch, self.out.buffer());
            }
            if self.subscriptions.holds(call) {
                let unwatched = self.subscriptions.remove(call);
                self.unwatch(unwatched);
                return;
            }
            match entry.stage {
                Stage::Booked => {}
                Stage::Parked(_) => self.parking.forget(&entry, &self.calls),
                Stage::Started => self.effects.push_back(Effect::Cancel(call)),
            }
        }
    }

    pub(super) fn one_question_less(&mut self, call: CallKey) {
        if let Some(entry) = self.calls.get_mut(call) {
            entry.questions -= 1;
        }
    }

    /// The call is over, so nobody waits for the answers to its questions.
    fn forget_questions(&mut self, call: CallKey, entry: &Entry) {
        if entry.questions > 0 {
            self.asked.withdraw_all(call, self.out.buffer());
        }
    }

    /// Stops watching what nobody waits for any more.
    fn unwatch(&mut self, uris: Vec<String>) {
        self.effects.extend(uris.into_iter().map(Effect::Unwatch));
    }

    pub(super) fn skip(&mut self, what: &str) {
        self.skipped = self.skipped.saturating_add(1);
        crate::diagnostics::skipped(what, self.skipped);
    }
}
