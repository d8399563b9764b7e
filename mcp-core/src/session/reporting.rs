//! What handlers report while they run, and what has changed meanwhile.

use std::time::Instant;

use super::call::Effect;
use super::calls::CallKey;
use super::handshake::Handshake;
use super::server::{BACKLOG, ServerSession};
use super::{notices, subscriptions};
use crate::server::{News, Report, Unanswered};

impl ServerSession {
    /// A question of the call was answered, or is asked no more.
    pub(crate) fn goes_on(&mut self, call: CallKey, now: Instant) {
        if let Some(entry) = self.calls.get_mut(call)
            && entry.questions == 0
        {
            self.calls.resume(call, now);
        }
    }

    /// Tells the client how a call is getting on. What is reported after the answer goes nowhere; while the peer is too
    /// slow, the last progress is held back and logs are counted.
    pub(crate) fn report(&mut self, call: CallKey, report: Report) {
        let slow = self.out.len() >= BACKLOG;
        let Some(entry) = self.calls.get_mut(call) else {
            // People take longer than the calls that send them somewhere.
            if let Report::VisitComplete(id) = report {
                notices::visit_complete(self.out.buffer(), &id);
            }
            return;
        };
        let is_held = slow
            && matches!(
                report,
                Report::Progress(_) | Report::Log(_) | Report::LogsDropped(_)
            );
        if is_held && entry.held.is_none() {
            self.held.push(call);
        }
        match report {
            Report::Progress(progress) if slow => entry.held().progress = Some(progress),
            Report::Log(log) if slow => entry.held().dropped_logs.add(log.level),
            Report::LogsDropped(dropped) if slow => entry.held().dropped_logs.merge(dropped),
            Report::Progress(progress) => {
                notices::progress(self.out.buffer(), entry, &progress);
            }
            Report::Log(log) => notices::log(self.out.buffer(), &log),
            Report::LogsDropped(dropped) => notices::logs_dropped(self.out.buffer(), dropped),
            Report::Ask(ask) if self.draining.is_some() => {
                let gone = Err(Unanswered::Gone);
                self.effects.push_back(Effect::Deliver(call, ask.key, gone));
            }
            Report::Ask(ask) => {
                entry.questions += 1;
                self.calls.pause(call, ask.at);
                self.asked.ask(call, ask, self.out.buffer());
            }
            Report::Withdraw(key, at) => {
                if self.asked.withdraw(key, self.out.buffer()) {
                    entry.questions -= 1;
                    self.goes_on(call, at);
                }
            }
            Report::VisitComplete(id) => notices::visit_complete(self.out.buffer(), &id),
        }
    }

    /// Something has changed.
    pub(crate) fn changed(&mut self, news: News) {
        self.news.lists.merge(news.lists);
        for update in news.updates {
            // Each resource once, however often it has changed since the peer read last.
            if !self
                .news
                .updates
                .iter()
                .any(|known| known.resource == update.resource)
            {
                self.news.updates.push(update);
            }
        }
        self.tell_changes();
    }

    pub(super) fn tell_changes(&mut self) {
        if self.out.len() >= BACKLOG {
            return;
        }
        let News { lists, updates, .. } = std::mem::take(&mut self.news);
        let out = self.out.buffer();
        if matches!(self.handshake, Handshake::Ready(_)) {
            let lists = self.facts.told(lists);
            subscriptions::write_lists_changed(lists, out);
        }
        self.subscriptions.lists_changed(lists, out);
        for update in &updates {
            self.subscriptions.resource_updated(update, out);
        }
    }
}
