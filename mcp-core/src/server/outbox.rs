//! What handlers report while they run, on its way to the session.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

use futures_util::task::AtomicWaker;

use super::asks::{Answered, Ask, AskKey, Waiting};
use crate::protocol::{LoggingLevel, RawJson};
use crate::session::CallKey;

/// Reports that may wait for the session. At a hundred bytes each this is about 2 MiB.
const MAX_REPORTS: usize = 16_384;
/// Bytes of log data that may wait.
const MAX_LOG_BYTES: usize = 4 << 20;

/// One report of a running call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Report {
    Progress(Progress),
    Log(LogEntry),
    LogsDropped(DroppedLogs),
    /// The client is to be asked.
    Ask(Ask),
    /// The answer is no longer wanted, from this time on.
    Withdraw(AskKey, Instant),
    /// What a person was sent to a URL for is done; the elicitation, which may outlive the call.
    VisitComplete(String),
}

/// Log messages of a call that were dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DroppedLogs {
    pub(crate) count: u64,
    /// The gravest of their levels, which the client wants to hear of as it wanted that message.
    pub(crate) level: LoggingLevel,
}

impl DroppedLogs {
    /// One more was dropped.
    pub(crate) fn add(&mut self, level: LoggingLevel) {
        self.merge(Self { count: 1, level });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.count += other.count;
        if other.level.severity() > self.level.severity() {
            self.level = other.level;
        }
    }
}

impl Default for DroppedLogs {
    fn default() -> Self {
        Self {
            count: 0,
            level: LoggingLevel::Debug,
        }
    }
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Progress {
    pub(crate) done: f64,
    pub(crate) total: Option<f64>,
    pub(crate) message: Option<String>,
}

/// One log message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEntry {
    pub(crate) level: LoggingLevel,
    pub(crate) logger: Option<String>,
    /// JSON.
    pub(crate) data: String,
}

/// The queue between the handlers of a connection and its driver. Handlers never wait for it: when it is full, the
/// last progress of a call replaces the one before, and logs are dropped and counted.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// Whether the queue holds anything, so that the driver need not lock it to see that it does not.
    filled: AtomicBool,
    driver: AtomicWaker,
}

#[derive(Debug, Default)]
struct Queue {
    reports: VecDeque<(CallKey, Report)>,
    log_bytes: usize,
    /// What did not fit: at most one entry of each kind a call that runs.
    late: Vec<Late>,
    waiting: Waiting,
}

#[derive(Debug)]
struct Late {
    call: CallKey,
    progress: Option<Progress>,
    dropped: DroppedLogs,
}

impl Outbox {
    pub(crate) fn progress(&self, call: CallKey, progress: Progress) {
        let mut queue = self.lock();
        if queue.reports.len() < MAX_REPORTS && queue.late.is_empty() {
            queue.reports.push_back((call, Report::Progress(progress)));
        } else {
            queue.late(call).progress = Some(progress);
        }
        self.tell_driver(queue);
    }

    pub(crate) fn log(&self, call: CallKey, entry: LogEntry) {
        let mut queue = self.lock();
        let bytes = queue.log_bytes + entry.data.len();
        if queue.reports.len() < MAX_REPORTS && queue.late.is_empty() && bytes <= MAX_LOG_BYTES {
            queue.log_bytes = bytes;
            queue.reports.push_back((call, Report::Log(entry)));
        } else {
            queue.late(call).dropped.add(entry.level);
        }
        self.tell_driver(queue);
    }

    /// Tells the end of an errand, unless too much waits already.
    pub(crate) fn visit_complete(&self, call: CallKey, id: String) {
        let mut queue = self.lock();
        if queue.reports.len() < MAX_REPORTS {
            queue.reports.push_back((call, Report::VisitComplete(id)));
            self.tell_driver(queue);
        }
    }

    /// Asks the client. Questions are few and never dropped, whatever else waits.
    pub(crate) fn ask(
        &self,
        call: CallKey,
        method: &'static str,
        params: RawJson,
        at: Instant,
        deadline: Option<Instant>,
    ) -> (
        AskKey,
        impl Future<Output = Option<Answered>> + Send + use<>,
    ) {
        let mut queue = self.lock();
        let (key, answer) = queue.waiting.enter();
        let ask = Ask {
            key,
            method,
            params,
            at,
            deadline,
        };
        queue.reports.push_back((call, Report::Ask(ask)));
        self.tell_driver(queue);
        (key, answer)
    }

    /// Whoever asked does not want to know any more.
    pub(crate) fn withdraw(&self, call: CallKey, key: AskKey, now: Instant) {
        let mut queue = self.lock();
        if queue.waiting.leave(key).is_some() {
            let reports = queue.reports.len();
            let is_it = |report: &Report| matches!(report, Report::Ask(ask) if ask.key == key);
            queue.reports.retain(|(_, report)| !is_it(report));
            if queue.reports.len() < reports {
                // It was not sent yet, so there is nothing to take back.
                return;
            }
            queue.reports.push_back((call, Report::Withdraw(key, now)));
            self.tell_driver(queue);
        }
    }

    /// Hands an answer to whoever asked.
    pub(crate) fn answer(&self, key: AskKey, answered: Answered) {
        let filler = self.lock().waiting.leave(key);
        if let Some(filler) = filler {
            filler.fill(answered);
        }
    }

    /// Whether there may be something to take.
    pub(crate) fn is_filled(&self) -> bool {
        self.filled.load(Ordering::Acquire)
    }

    /// Takes the oldest report.
    pub(crate) fn take(&self) -> Option<(CallKey, Report)> {
        if !self.is_filled() {
            return None;
        }
        let mut queue = self.lock();
        let report = queue.take();
        if report.is_none() {
            self.filled.store(false, Ordering::Release);
        }
        report
    }

    /// Forgets what did not fit of a call that was cancelled. While the peer reads nothing, nobody would take it, and a
    /// peer that cancels what it calls could make any number of such calls.
    pub(crate) fn forget(&self, call: CallKey) {
        if self.is_filled() {
            self.lock().late.retain(|late| late.call != call);
        }
    }

    /// Has the driver woken when the queue fills.
    pub(crate) fn register(&self, driver: &Waker) {
        self.driver.register(driver);
    }

    /// Has the driver look, though there is nothing new here.
    pub(crate) fn rouse(&self) {
        self.driver.wake();
    }

    fn tell_driver(&self, queue: MutexGuard<'_, Queue>) {
        let first = !self.filled.swap(true, Ordering::AcqRel);
        drop(queue);
        if first {
            self.driver.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn late(&mut self, call: CallKey) -> &mut Late {
        let at = self.late.iter().position(|late| late.call == call);
        let at = at.unwrap_or_else(|| {
            self.late.push(Late {
                call,
                progress: None,
                dropped: DroppedLogs::default(),
            });
            self.late.len() - 1
        });
        &mut self.late[at]
    }

    fn take(&mut self) -> Option<(CallKey, Report)> {
        if let Some((call, report)) = self.reports.pop_front() {
            if let Report::Log(entry) = &report {
                self.log_bytes = self.log_bytes.saturating_sub(entry.data.len());
            }
            return Some((call, report));
        }
        let late = self.late.last_mut()?;
        let call = late.call;
        if late.dropped.count > 0 {
            let dropped = std::mem::take(&mut late.dropped);
            return Some((call, Report::LogsDropped(dropped)));
        }
        let progress = self.late.pop().and_then(|late| late.progress);
        match progress {
            Some(progress) => Some((call, Report::Progress(progress))),
            None => self.take(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: f64) -> Progress {
        Progress {
            done,
            total: None,
            message: None,
        }
    }

    fn log(data: &str) -> LogEntry {
        LogEntry {
            level: LoggingLevel::Info,
            logger: None,
            data: data.to_owned(),
        }
    }

    #[test]
    fn a_full_outbox_keeps_the_last_progress_and_counts_dropped_logs() {
        let outbox = Outbox::default();
        let call = CallKey::for_test(0);
        for n in 0..MAX_REPORTS + 10 {
            outbox.progress(call, progress(n as f64));
        }
        outbox.log(call, log("1"));
        outbox.log(
            call,
            LogEntry {
                level: LoggingLevel::Error,
                ..log("2")
            },
        );
        outbox.log(call, log("3"));
        let mut taken = Vec::new();
        while let Some((_, report)) = outbox.take() {
            taken.push(report);
        }
        assert_eq!(taken.len(), MAX_REPORTS + 2);
        assert_eq!(
            taken[MAX_REPORTS],
            Report::LogsDropped(DroppedLogs {
                count: 3,
                level: LoggingLevel::Error
            })
        );
        let last = (MAX_REPORTS + 9) as f64;
        assert_eq!(taken[MAX_REPORTS + 1], Report::Progress(progress(last)));
    }

    #[test]
    fn cancelled_calls_do_not_pile_up_in_a_full_outbox() {
        let outbox = Outbox::default();
        let stays = CallKey::for_test(0);
        for n in 0..=MAX_REPORTS {
            outbox.progress(stays, progress(n as f64));
        }
        for index in 1..100 {
            let cancelled = CallKey::for_test(index);
            outbox.progress(cancelled, progress(1.0));
            outbox.log(cancelled, log("1"));
            outbox.forget(cancelled);
        }
        let left = std::iter::from_fn(|| outbox.take()).skip(MAX_REPORTS);
        let last = (stays, Report::Progress(progress(MAX_REPORTS as f64)));
        assert_eq!(left.collect::<Vec<_>>(), [last]);
    }

    #[test]
    fn log_data_is_bounded_in_bytes() {
        let outbox = Outbox::default();
        let call = CallKey::for_test(0);
        let big = "x".repeat(MAX_LOG_BYTES / 2);
        for _ in 0..3 {
            outbox.log(call, log(&big));
        }
        let kinds: Vec<_> = std::iter::from_fn(|| outbox.take())
            .map(|(_, report)| matches!(report, Report::Log(_)))
            .collect();
        assert_eq!(kinds, [true, true, false]);
        outbox.log(call, log(&big));
        assert!(matches!(outbox.take(), Some((_, Report::Log(_)))));
    }
}
