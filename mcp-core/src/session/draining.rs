//! Time: deadlines of calls and of questions, and how long what is under way may go on once input has ended.

use std::time::Instant;

use super::call::Effect;
use super::server::ServerSession;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::server::{Reply, Unanswered};

/// Input has ended, and calls under way are given some time.
#[derive(Debug)]
pub(super) struct Draining {
    /// `None` for a time that never comes.
    deadline: Option<Instant>,
    /// Whether the time begins anew for calls that had to wait for others.
    extends: bool,
    /// Whether such a call has started since the deadline was set.
    pub(super) has_started: bool,
}

impl ServerSession {
    /// The peer will send no more: calls under way have until a deadline, and those that wait for them as much again, as
    /// long as one after the other gets its turn.
    pub(crate) fn handle_eof(&mut self, now: Instant) {
        self.drain(now, true);
    }

    /// The application wants to stop: calls under way have until a deadline.
    pub(crate) fn handle_shutdown(&mut self, now: Instant) {
        self.drain(now, false);
    }

    fn drain(&mut self, now: Instant, extends: bool) {
        if self.draining.is_none() {
            self.draining = Some(Draining {
                deadline: now.checked_add(self.limits.drain),
                extends,
                has_started: false,
            });
            for call in (self.subscriptions).end_all(&self.facts, self.out.buffer()) {
                self.calls.remove(call);
            }
            // Nothing more is read, so nobody will be answered.
            for (key, call) in self.asked.take_all() {
                self.one_question_less(call);
                let gone = Err(Unanswered::Gone);
                self.effects.push_back(Effect::Deliver(call, key, gone));
            }
        }
    }

    /// A deadline may have passed.
    pub(crate) fn handle_timeout(&mut self, now: Instant) {
        while let Some(call) = self.calls.overdue(now) {
            self.effects.push_back(Effect::Cancel(call));
            let is_tool = self.calls.get_mut(call).is_some_and(|entry| entry.is_tool);
            self.respond(
                call,
                if is_tool {
                    Reply::tool_error("The tool took too long and was stopped.")
                } else {
                    let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "it took too long");
                    Reply::protocol_error(error)
                },
            );
        }
        while let Some((key, call)) = self.asked.overdue(now, self.out.buffer()) {
            self.one_question_less(call);
            let late = Err(Unanswered::TimedOut);
            self.effects.push_back(Effect::Deliver(call, key, late));
        }
        if self.drain_is_over(now) {
            self.expired = true;
            for call in self.calls.keys() {
                self.drop_call(call);
            }
        }
    }

    fn drain_is_over(&mut self, now: Instant) -> bool {
        let Some(draining) = &mut self.draining else {
            return false;
        };
        if draining.deadline.is_none_or(|deadline| deadline > now) {
            return false;
        }
        if draining.extends && std::mem::take(&mut draining.has_started) {
            draining.deadline = now.checked_add(self.limits.drain);
            return false;
        }
        true
    }

    /// When to call [`handle_timeout`](Self::handle_timeout).
    pub(crate) fn deadline(&self) -> Option<Instant> {
        // Also when no call is booked: one that was cancelled may still have something to finish.
        let drain = self.draining.as_ref().filter(|_| !self.expired);
        let drain = drain.and_then(|drain| drain.deadline);
        [
            drain,
            self.calls.next_deadline(),
            self.asked.next_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether input has ended and all of it was answered; what is outgoing has still to be sent.
    pub(crate) fn is_drained(&self) -> bool {
        self.draining.is_some() && self.calls.len() == 0 && self.effects.is_empty()
    }

    /// Whether the time for what was under way is over: the connection ends, whatever is left.
    pub(crate) const fn is_expired(&self) -> bool {
        self.expired
    }
}
