//! The client's half of a conversation.
//!
//! [`ClientSession`] is told what came (`receive`, `handle_timeout`, `handle_end`) and what the application wants
//! (`request`, `abandon`, `respond`, `notify`), and is asked what to do next (`poll_effect`, `take_output`,
//! `take_wakers`, `deadline`). Whoever waits for an answer takes it out of the session by itself.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Instant;

use crate::diagnostics;
use crate::jsonrpc::{self, write_json, write_string};
use crate::protocol::{
    Cancelled, Discover, Initialize, LoggingLevel, Notification, ProgressParams, ProtocolVersion,
    Request, SubscriptionFilter,
};

mod asked;
mod departures;
pub(crate) mod era;
mod event;
mod facts;
mod inbound;
mod listening;
mod noise;
mod notices;
mod outline;
mod pending;
#[cfg(test)]
mod tests;

pub(crate) use asked::{Asked, AskedKey, MAX_ASKED, check as check_input};
pub(crate) use departures::text_of;
pub use event::Event;
pub(crate) use facts::ClientFacts;
pub use listening::Change;
pub(crate) use listening::Listener;
pub(crate) use notices::event as event_of;
pub(crate) use outline::Outline;
pub(crate) use pending::{Answer, Patience};

use asked::AskedRequests;
use departures::Departures;
use listening::Listening;
use noise::Noise;
use pending::{Entry, Pending, Progress, Reports, Unsent};

/// Requests that wait for an answer at the same time.
pub(crate) const MAX_PENDING: usize = 1 << 16;
/// Bytes that wait to be sent before further requests have to.
const FULL: usize = 1 << 20;

/// What the driver is to do.
#[derive(Debug)]
pub(crate) enum ClientEffect {
    /// The server asks for something: answer by `respond`.
    Serve(AskedKey, Box<Asked>),
    /// It no longer wants to know.
    Withdraw(AskedKey),
    /// Something has happened.
    Event(Event),
    /// What was kept of this is out of date.
    Stale(Change),
}

/// Why a request can't be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsendable {
    /// [`MAX_PENDING`] others wait.
    Overloaded,
    /// The connection is gone.
    Ended,
}

#[derive(Debug)]
pub(crate) struct ClientSession {
    facts: Arc<ClientFacts>,
    version: ProtocolVersion,
    /// The log messages that are wanted, where every request says so.
    log_level: Option<LoggingLevel>,
    /// What every request says in `_meta`.
    meta: Vec<u8>,
    next_id: u64,
    pending: Pending,
    out: Vec<u8>,
    /// What is to be said, where each message is carried by itself.
    departures: Option<Departures>,
    /// How much of what waits answers the server.
    answers: usize,
    /// Requests that wait until there is room to send them, in order.
    unsent: VecDeque<u64>,
    asked: AskedRequests,
    effects: VecDeque<ClientEffect>,
    wakers: Vec<Waker>,
    noise: Noise,
    /// Until it is known how to speak with the server, there is one request at a time.
    is_opening: bool,
    /// Requests that got no answer in time while the connection was opened. It may still come.
    given_up: u32,
    has_ended: bool,
}

impl ClientSession {
    /// Begins in the newest revision, as a client does that does not know its server.
    pub(crate) fn new(facts: Arc<ClientFacts>) -> Self {
        let version = ProtocolVersion::LATEST;
        let meta = facts.meta(version, None);
        Self {
            facts,
            version,
            log_level: None,
            meta,
            next_id: 1,
            pending: Pending::default(),
            out: Vec::new(),
            departures: None,
            answers: 0,
            unsent: VecDeque::new(),
            asked: AskedRequests::default(),
            effects: VecDeque::new(),
            wakers: Vec::new(),
            noise: Noise::default(),
            is_opening: true,
            given_up: 0,
            has_ended: false,
        }
    }

    /// From here on, requests may be many.
    pub(crate) const fn open(&mut self) {
        self.is_opening = false;
    }

    /// Speaks this revision from here on.
    pub(crate) fn speak(&mut self, version: ProtocolVersion) {
        self.version = version;
        self.meta = self.facts.meta(version, self.log_level.as_ref());
    }

    /// Asks for log messages with every request, in the revisions where that is how it is done.
    pub(crate) fn log(&mut self, level: LoggingLevel) {
        self.log_level = Some(level);
        self.speak(self.version);
    }

    /// The log messages that are wanted.
    pub(crate) fn log_level(&self) -> Option<LoggingLevel> {
        self.log_level.clone()
    }

    pub(crate) fn facts(&self) -> &Arc<ClientFacts> {
        &self.facts
    }

    pub(crate) const fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Sends a request, or puts it in line, and says under which id. Its time begins with the next
    /// [look at the clock](Self::look_at_clock).
    pub(crate) fn request(
        &mut self,
        outline: &Outline<'_>,
        waker: Option<&Waker>,
    ) -> Result<u64, Unsendable> {
        let id = self.take_id()?;
        let progress = match (outline.asks_progress, outline.shows_progress) {
            (false, _) => Progress::Unasked,
            (true, false) => Progress::Unseen,
            (true, true) => Progress::Kept(Reports::default()),
        };
        let mut entry = Entry::new(outline.patience, progress);
        // A probe that nobody answers may have gone to a server that knows no cancellation either.
        entry.is_cancellable = !matches!(outline.method, Initialize::METHOD | Discover::METHOD);
        if let Some(waker) = waker {
            entry.wait(waker);
        }
        if self.has_room() {
            outline.write(&mut self.out, id, &self.meta);
        } else {
            let mut frame = Vec::new();
            outline.write(&mut frame, id, &self.meta);
            entry.unsent = Some(Unsent {
                frame,
                heading: self.heading(outline),
            });
            if self.unsent.len() > 2 * self.pending.len() + 64 {
                // Requests that were given up before they were sent.
                let pending = &self.pending;
                self.unsent.retain(|id| pending.get(*id).is_some());
            }
            self.unsent.push_back(id);
        }
        self.pending.insert(id, entry);
        Ok(id)
    }

    /// What comes on the stream that a request opens is kept for this listener.
    pub(crate) fn listen(&mut self, id: u64, listener: Listener) {
        if let Some(entry) = self.pending.get_mut(id) {
            entry.listening = Some(Box::new(Listening::new(listener)));
        }
    }

    /// Keeps what the server tells everybody and this filter lets through.
    pub(crate) fn listen_to_all(&mut self, filter: SubscriptionFilter) -> Result<u64, Unsendable> {
        let id = self.take_id()?;
        let entry = Entry::local(Listening::agreed(filter));
        self.pending.insert(id, entry);
        Ok(id)
    }

    fn take_id(&mut self) -> Result<u64, Unsendable> {
        if self.has_ended {
            return Err(Unsendable::Ended);
        }
        if self.pending.len() >= MAX_PENDING {
            return Err(Unsendable::Overloaded);
        }
        let id = self.next_id;
        self.next_id += 1;
        Ok(id)
    }

    fn has_room(&self) -> bool {
        self.departures.is_none() && self.unsent.is_empty() && self.out.len() < FULL
    }

    /// The answer to a request. After it the id stands for nothing.
    pub(crate) fn poll_answer(&mut self, id: u64, waker: &Waker) -> Poll<Answer> {
        self.pending
            .poll_answer(id, waker)
            .map(|answer| answer.unwrap_or(Answer::Gone { sent: true }))
    }

    /// The next progress of a request that nobody has taken.
    pub(crate) fn take_progress(&mut self, id: u64) -> Option<ProgressParams> {
        self.pending.get_mut(id)?.take_progress()
    }

    /// The next change on a stream. Whether the stream has ended, the answer to its request tells.
    pub(crate) fn take_change(&mut self, id: u64) -> Option<Change> {
        self.pending.get_mut(id)?.listening.as_mut()?.take()
    }

    /// What the server has agreed to tell on a stream, once it has.
    pub(crate) fn acknowledged(&self, id: u64) -> Option<&SubscriptionFilter> {
        let listening = self.pending.get(id)?.listening.as_ref()?;
        listening.acknowledged.as_ref()
    }

    /// Nobody waits for the answer any more: the server is told, unless it has answered or never heard of it.
    pub(crate) fn abandon(&mut self, id: u64, reason: &str) {
        let Some(entry) = self.pending.remove(id) else {
            return;
        };
        if !entry.is_answered() && entry.is_on_wire() {
            if entry.is_cancellable {
                self.cancel(id, reason);
            }
            self.let_go(id);
        }
    }

    /// Nobody waits for the answer, but the request is to be carried out.
    pub(crate) fn detach(&mut self, id: u64) {
        if let Some(entry) = self.pending.get_mut(id) {
            entry.is_detached = true;
            if entry.is_answered() {
                self.pending.remove(id);
            }
        }
    }

    fn cancel(&mut self, id: u64, reason: &str) {
        if self.has_ended || self.cancels_by_letting_go() {
            return;
        }
        let out = &mut self.out;
        jsonrpc::begin_notification(out, Cancelled::METHOD);
        out.extend_from_slice(br#"{"requestId":"#);
        write_json(out, &id);
        out.extend_from_slice(br#","reason":"#);
        write_string(out, reason);
        if !self.meta.is_empty() {
            out.extend_from_slice(br#","_meta":{"#);
            out.extend_from_slice(&self.meta);
            out.push(b'}');
        }
        out.push(b'}');
        jsonrpc::end(out);
        self.depart(Cancelled::METHOD);
    }

    /// Tells the server something. `params` is the JSON text of an object.
    pub(crate) fn notify(&mut self, method: &str, params: &[u8]) -> Result<(), Unsendable> {
        if self.has_ended {
            return Err(Unsendable::Ended);
        }
        if self.waiting() >= FULL {
            return Err(Unsendable::Overloaded);
        }
        jsonrpc::begin_notification(&mut self.out, method);
        self.out.extend_from_slice(params);
        jsonrpc::end(&mut self.out);
        self.depart(method);
        Ok(())
    }

    /// Whether deadlines are to be set: requests were sent, or have shown signs of life.
    pub(crate) fn wants_time(&self) -> bool {
        self.pending.is_touched()
    }

    /// Sets the deadlines of these requests.
    pub(crate) fn look_at_clock(&mut self, now: Instant) {
        self.pending.look_at_clock(now);
    }

    /// Ends requests whose time is over.
    pub(crate) fn handle_timeout(&mut self, now: Instant) {
        for (id, after) in self.pending.overdue(now) {
            let Some(entry) = self.pending.get_mut(id) else {
                continue;
            };
            let sent = entry.unsent.is_none();
            let cancels = sent && entry.is_cancellable;
            let is_on_wire = entry.is_on_wire();
            let is_detached = entry.is_detached;
            entry.answer(Answer::Timeout { after, sent }, &mut self.wakers);
            if self.is_opening {
                self.given_up += 1;
            }
            if is_detached {
                self.pending.remove(id);
            }
            if cancels {
                self.cancel(id, "it took too long");
            }
            if is_on_wire {
                self.let_go(id);
            }
        }
    }

    /// The connection is gone: nothing that waits will be answered.
    pub(crate) fn handle_end(&mut self) {
        self.has_ended = true;
        for (_, entry) in self.pending.iter_mut() {
            let sent = entry.unsent.is_none();
            entry.answer(Answer::Gone { sent }, &mut self.wakers);
        }
        self.unsent.clear();
        for key in self.asked.take_all() {
            self.effects.push_back(ClientEffect::Withdraw(key));
        }
    }

    /// When `handle_timeout` wants to be called.
    pub(crate) const fn deadline(&self) -> Option<Instant> {
        self.pending.next_check()
    }

    /// Hands over what is to be sent, for an empty buffer. Requests in line take the room it leaves.
    pub(crate) fn take_output(&mut self, buffer: &mut Vec<u8>) {
        std::mem::swap(&mut self.out, buffer);
        self.answers = 0;
        while self.out.len() < FULL
            && let Some(id) = self.unsent.pop_front()
        {
            let entry = self.pending.get_mut(id);
            if let Some(unsent) = entry.and_then(|entry| entry.unsent.take()) {
                self.out.extend_from_slice(&unsent.frame);
            }
        }
    }

    pub(crate) fn has_output(&self) -> bool {
        !self.out.is_empty()
    }

    /// Whether so many answers wait to be sent that nothing more should be read, for reading makes more. Requests do not
    /// count: a server that writes before it reads on would wait for us, and we for it.
    pub(crate) const fn is_full(&self) -> bool {
        self.answers >= 4 * FULL
    }

    pub(crate) fn poll_effect(&mut self) -> Option<ClientEffect> {
        self.effects.pop_front()
    }

    /// Those to be woken, for an empty list. It is done outside of whatever guards the session.
    pub(crate) fn take_wakers(&mut self, wakers: &mut Vec<Waker>) {
        if !self.wakers.is_empty() {
            std::mem::swap(&mut self.wakers, wakers);
        }
    }

    /// What the server has written that was no message, if anything, shortened and without control characters.
    pub(crate) fn noise(&self) -> Option<&str> {
        self.noise.first()
    }

    fn skip(&mut self, what: &'static str) {
        diagnostics::skipped(what, self.noise.count());
    }
}
