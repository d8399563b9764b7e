//! Requests of ours that wait for their answer.

use std::collections::{HashMap, VecDeque, hash_map};
use std::hash::BuildHasherDefault;
use std::io;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::listening::Listening;
use crate::hash::FoldHasher;
use crate::jsonrpc::ErrorObject;
use crate::protocol::ProgressParams;
use crate::transport::Heading;

/// Progress that nobody has taken yet. Beyond that the oldest is dropped: the newest says more.
const MAX_PROGRESS: usize = 256;
/// Bytes of what it says.
const MAX_PROGRESS_BYTES: usize = 256 << 10;

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Without a sign of life. Progress counts as one.
    pub(crate) idle: Duration,
    /// In all, whatever the server reports.
    pub(crate) total: Duration,
}

/// What came of a request.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The JSON text of the result, inside its frame.
    Result(Bytes),
    Error(ErrorObject),
    /// What came is no answer.
    Malformed(&'static str),
    /// It is longer than the limit of so many bytes.
    Overlong(usize),
    /// It, or the request, could not be carried.
    Failed {
        error: Arc<io::Error>,
        /// Whether the server may have seen the request.
        sent: bool,
    },
    /// It did not come in time.
    Timeout {
        /// The time that it had: without a sign of life, or in all.
        after: Duration,
        /// Whether the server may have seen the request.
        sent: bool,
    },
    /// The connection is gone.
    Gone {
        /// Whether the server may have seen the request.
        sent: bool,
    },
}

/// A request that waits until there is room to send it.
#[derive(Debug)]
pub(super) struct Unsent {
    pub(super) frame: Vec<u8>,
    /// What it is, where whoever carries it wants to know.
    pub(super) heading: Option<Heading>,
}

/// How far a request goes.
#[derive(Clone, Copy, Debug)]
enum Reach {
    Server,
    /// It only stands for a stream of what the server tells everybody.
    Here,
}

#[derive(Debug)]
pub(super) struct Entry {
    /// Who waits, once somebody does.
    waker: Option<Waker>,
    answer: Option<Answer>,
    /// The frame, until there is room to send it.
    pub(super) unsent: Option<Unsent>,
    patience: Option<Patience>,
    clock: Option<Clock>,
    /// Whether the clock is to be looked at for this.
    is_touched: bool,
    /// For requests that may not be cancelled, and for those that ended.
    pub(super) is_cancellable: bool,
    progress: Progress,
    last_progress: f64,
    pub(super) listening: Option<Box<Listening>>,
    /// Nobody wants to know what comes of it.
    pub(super) is_detached: bool,
    /// Whether the server knows of it.
    reach: Reach,
}

#[derive(Debug)]
struct Clock {
    since: Instant,
    deadline: Option<Instant>,
}

impl Entry {
    pub(super) fn new(patience: Option<Patience>, progress: Progress) -> Self {
        Self {
            waker: None,
            answer: None,
            unsent: None,
            patience,
            clock: None,
            is_touched: false,
            is_cancellable: true,
            progress,
            last_progress: f64::NEG_INFINITY,
            listening: None,
            is_detached: false,
            reach: Reach::Server,
        }
    }

    /// A stream of changes that the server need not know of.
    pub(super) fn local(listening: Listening) -> Self {
        Self {
            is_cancellable: false,
            reach: Reach::Here,
            listening: Some(Box::new(listening)),
            ..Self::new(None, Progress::Unasked)
        }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the server may answer it.
    pub(super) const fn is_on_wire(&self) -> bool {
        matches!(self.reach, Reach::Server) && self.unsent.is_none()
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        (self.clock.as_ref())
            .filter(|_| !self.is_answered())
            .and_then(|clock| clock.deadline)
    }

    /// What it waits for has no deadline any more.
    pub(super) fn stop_clock(&mut self) {
        self.patience = None;
        self.clock = None;
    }

    /// A sign of life, or the beginning.
    fn touch(&mut self, now: Instant) {
        self.is_touched = false;
        let Some(patience) = self.patience else {
            return;
        };
        let since = self.clock.as_ref().map_or(now, |clock| clock.since);
        let last = since.checked_add(patience.total);
        self.clock = Some(Clock {
            since,
            deadline: earlier(now.checked_add(patience.idle), last),
        });
    }

    /// How long it had, when its deadline has passed.
    pub(super) fn overdue(&self, now: Instant) -> Option<Duration> {
        let deadline = self.deadline().filter(|deadline| *deadline <= now)?;
        let (clock, patience) = (self.clock.as_ref()?, self.patience?);
        let is_last = clock.since.checked_add(patience.total) == Some(deadline);
        Some(if is_last {
            patience.total
        } else {
            patience.idle
        })
    }

    /// Whoever waits is woken; the first answer counts.
    pub(super) fn answer(&mut self, answer: Answer, wakers: &mut Vec<Waker>) {
        if self.answer.is_none() {
            self.answer = Some(answer);
            self.unsent = None;
            wakers.extend(self.waker.take());
        }
    }

    /// Something else came that whoever waits wants to know.
    pub(super) fn wake(&mut self, wakers: &mut Vec<Waker>) {
        wakers.extend(self.waker.take());
    }

    /// Whether this is a sign of life. What does not grow is none, and neither is what comes after the answer.
    pub(super) fn progress(
        &mut self,
        params: ProgressParams,
        bytes: usize,
        wakers: &mut Vec<Waker>,
    ) -> bool {
        let grows = params.progress > self.last_progress;
        if self.is_answered() || matches!(self.progress, Progress::Unasked) || !grows {
            return false;
        }
        self.last_progress = params.progress;
        if let Progress::Kept(reports) = &mut self.progress {
            reports.push(params, bytes);
            self.wake(wakers);
        }
        true
    }

    pub(super) fn take_progress(&mut self) -> Option<ProgressParams> {
        match &mut self.progress {
            Progress::Kept(reports) => reports.pop(),
            Progress::Unasked | Progress::Unseen => None,
        }
    }

    pub(super) fn wait(&mut self, waker: &Waker) {
        match &mut self.waker {
            Some(known) => known.clone_from(waker),
            None => self.waker = Some(waker.clone()),
        }
    }
}

/// What the server was asked to report on the way, and who wants to know.
#[derive(Debug)]
pub(super) enum Progress {
    /// Nothing. What comes all the same is no sign of life.
    Unasked,
    /// Nobody looks at it, but it is a sign of life.
    Unseen,
    Kept(Reports),
}

/// Progress that nobody has taken yet, and in how many bytes it came.
#[derive(Debug, Default)]
pub(super) struct Reports {
    queue: VecDeque<(ProgressParams, usize)>,
    bytes: usize,
}

impl Reports {
    fn push(&mut self, params: ProgressParams, bytes: usize) {
        self.queue.push_back((params, bytes));
        self.bytes += bytes;
        while self.queue.len() > MAX_PROGRESS
            || (self.bytes > MAX_PROGRESS_BYTES && self.queue.len() > 1)
        {
            self.pop();
        }
    }

    fn pop(&mut self) -> Option<ProgressParams> {
        let (params, bytes) = self.queue.pop_front()?;
        self.bytes -= bytes;
        Some(params)
    }
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The requests by their ids, which are never used again.
#[derive(Debug, Default)]
pub(super) struct Pending {
    entries: HashMap<u64, Entry, BuildHasherDefault<FoldHasher>>,
    /// No deadline passes before this.
    next_check: Option<Instant>,
    /// Those for which somebody has to look at the clock: they began, or gave a sign of life.
    touched: Vec<u64>,
}

impl Pending {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn insert(&mut self, id: u64, entry: Entry) {
        let has_deadline = entry.patience.is_some();
        self.entries.insert(id, entry);
        if has_deadline {
            self.touch(id);
        }
    }

    /// It gave a sign of life: how long it may take counts from the next look at the clock.
    pub(super) fn touch(&mut self, id: u64) {
        let entry = self.entries.get_mut(&id);
        if let Some(entry) = entry.filter(|entry| !entry.is_touched) {
            entry.is_touched = true;
            if self.touched.len() > 2 * self.entries.len() + 64 {
                // Requests that were given up before anybody looked at the clock.
                self.touched.retain(|id| self.entries.contains_key(id));
            }
            self.touched.push(id);
        }
    }

    /// Whether somebody has to look at the clock.
    pub(super) fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    pub(super) fn look_at_clock(&mut self, now: Instant) {
        for id in self.touched.drain(..) {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.touch(now);
                self.next_check = earlier(self.next_check, entry.deadline());
            }
        }
    }

    pub(super) fn get(&self, id: u64) -> Option<&Entry> {
        self.entries.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Entry> {
        self.entries.get_mut(&id)
    }

    /// Takes the answer out, and the entry with it; `None` when there is no such entry.
    pub(super) fn poll_answer(&mut self, id: u64, waker: &Waker) -> Poll<Option<Answer>> {
        let hash_map::Entry::Occupied(mut place) = self.entries.entry(id) else {
            return Poll::Ready(None);
        };
        if place.get().is_answered() {
            return Poll::Ready(place.remove().answer);
        }
        place.get_mut().wait(waker);
        Poll::Pending
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<Entry> {
        self.entries.remove(&id)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u64, &mut Entry)> {
        self.entries.iter_mut().map(|(id, entry)| (*id, entry))
    }

    /// When [`overdue`](Self::overdue) wants to be asked. It may be early: most answers come long before, and it is
    /// cheaper to look too soon once a minute than to keep requests sorted.
    pub(super) const fn next_check(&self) -> Option<Instant> {
        self.next_check
    }

    /// Those whose time is over.
    pub(super) fn overdue(&mut self, now: Instant) -> Vec<(u64, Duration)> {
        if self.next_check.is_none_or(|next| next > now) {
            return Vec::new();
        }
        self.next_check = None;
        let mut overdue = Vec::new();
        for (id, entry) in &self.entries {
            match entry.overdue(now) {
                Some(after) => overdue.push((*id, after)),
                None => self.next_check = earlier(self.next_check, entry.deadline()),
            }
        }
        overdue.sort_unstable();
        overdue
    }
}
