//! The books of what is under way: calls by key, keys by request id.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasherDefault;
use std::time::Instant;

use bytes::Bytes;

use super::call::Call;
use crate::hash::FoldHasher;
use crate::jsonrpc::RequestId;
use crate::protocol::ProtocolVersion;
use crate::server::{DroppedLogs, Progress};

/// Names a call for as long as it runs; a key whose call is over names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallKey {
    index: u32,
    generation: u32,
}

#[cfg(test)]
impl Entry {
    pub(super) fn for_test(id: i64) -> Self {
        Self {
            id: id.into(),
            version: ProtocolVersion::LATEST,
            batch: None,
            progress_token: None,
            last_progress: f64::NEG_INFINITY,
            held: None,
            deadline: None,
            stage: Stage::Booked,
            questions: 0,
            is_tool: false,
            bytes: 0,
        }
    }
}

#[cfg(test)]
impl CallKey {
    pub(crate) const fn for_test(index: u32) -> Self {
        Self {
            index,
            generation: 0,
        }
    }
}

/// What the session knows of a call under way.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: RequestId,
    pub(super) version: ProtocolVersion,
    /// The batch that its answer belongs to.
    pub(super) batch: Option<usize>,
    /// JSON, inside the frame.
    pub(super) progress_token: Option<Bytes>,
    pub(super) last_progress: f64,
    /// Seldom anything, so that an entry is small.
    pub(super) held: Option<Box<Held>>,
    pub(super) deadline: Option<Instant>,
    pub(super) stage: Stage,
    /// How many questions to the client are under way on its behalf.
    pub(super) questions: usize,
    /// What goes wrong with a tool is told to the model.
    pub(super) is_tool: bool,
    /// The length of its message, which is kept as long as it runs.
    pub(super) bytes: usize,
}

impl Entry {
    /// What is held back, which is something from now on.
    pub(super) fn held(&mut self) -> &mut Held {
        self.held.get_or_insert_default()
    }
}

/// How far a call has come.
#[derive(Debug)]
pub(super) enum Stage {
    /// It has not been handed to the application.
    Booked,
    /// It will be as soon as there is room.
    Parked(Box<Call>),
    Started,
}

/// What a call reported while the peer was too slow to be told.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) progress: Option<Progress>,
    pub(super) dropped_logs: DroppedLogs,
}

#[derive(Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
    free: Vec<u32>,
    ids: HashMap<RequestId, CallKey, BuildHasherDefault<FoldHasher>>,
    deadlines: BTreeSet<(Instant, CallKey)>,
    /// Calls with a deadline that wait for their client, and since when.
    paused: BTreeMap<CallKey, Instant>,
    bytes: usize,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

impl Calls {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The length of all their messages.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        !self.ids.is_empty() && self.ids.contains_key(id)
    }

    pub(super) fn find(&self, id: &RequestId) -> Option<CallKey> {
        self.ids.get(id).copied()
    }

    /// Books a call; its id must not be under way.
    pub(super) fn insert(&mut self, entry: Entry) -> CallKey {
        let id = entry.id.clone();
        self.bytes += entry.bytes;
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                entry: None,
            });
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        let mut generation = 0;
        if let Some(slot) = self.slots.get_mut(index as usize) {
            generation = slot.generation;
            slot.entry = Some(entry);
        }
        let key = CallKey { index, generation };
        self.ids.insert(id, key);
        key
    }

    pub(super) fn get_mut(&mut self, key: CallKey) -> Option<&mut Entry> {
        self.slots
            .get_mut(key.index as usize)
            .filter(|slot| slot.generation == key.generation)?
            .entry
            .as_mut()
    }

    pub(super) fn holds(&self, key: CallKey) -> bool {
        let slot = self.slots.get(key.index as usize);
        slot.is_some_and(|slot| slot.generation == key.generation && slot.entry.is_some())
    }

    pub(super) fn remove(&mut self, key: CallKey) -> Option<Entry> {
        let slot = self
            .slots
            .get_mut(key.index as usize)
            .filter(|slot| slot.generation == key.generation)?;
        let entry = slot.entry.as_ref()?;
        self.ids.remove(&entry.id);
        self.bytes -= entry.bytes;
        if let Some(deadline) = entry.deadline
            && !self.deadlines.remove(&(deadline, key))
        {
            self.paused.remove(&key);
        }
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(key.index);
        // Taken last, so that it is moved once only.
        slot.entry.take()
    }

    pub(super) fn keys(&self) -> Vec<CallKey> {
        self.ids.values().copied().collect()
    }

    pub(super) fn set_deadline(&mut self, key: CallKey, deadline: Instant) {
        if let Some(entry) = self.get_mut(key) {
            let before = entry.deadline.replace(deadline);
            if let Some(before) = before {
                self.deadlines.remove(&(before, key));
            }
            self.deadlines.insert((deadline, key));
        }
    }

    /// The time of a call stands still from now on.
    pub(super) fn pause(&mut self, key: CallKey, now: Instant) {
        if let Some(entry) = self.get_mut(key)
            && let Some(deadline) = entry.deadline
            && self.deadlines.remove(&(deadline, key))
        {
            self.paused.insert(key, now);
        }
    }

    /// It goes on.
    pub(super) fn resume(&mut self, key: CallKey, now: Instant) {
        let Some(since) = self.paused.remove(&key) else {
            return;
        };
        let waited = now.saturating_duration_since(since);
        let entry = self.get_mut(key);
        let later = entry.and_then(|entry| {
            // Never, if there is no such time.
            entry.deadline = entry.deadline?.checked_add(waited);
            entry.deadline
        });
        if let Some(deadline) = later {
            self.deadlines.insert((deadline, key));
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// A call whose deadline has passed.
    pub(super) fn overdue(&self, now: Instant) -> Option<CallKey> {
        let (deadline, key) = self.deadlines.first()?;
        (*deadline <= now).then_some(*key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_finished_call_does_not_name_the_next_one() {
        let mut calls = Calls::default();
        let first = calls.insert(Entry::for_test(1));
        assert!(calls.remove(first).is_some());
        let second = calls.insert(Entry::for_test(1));
        assert!(calls.get_mut(first).is_none() && calls.remove(first).is_none());
        assert_eq!(calls.find(&1_i64.into()), Some(second));
    }

    #[cfg(feature = "testing")]
    #[test]
    fn a_call_that_ends_while_its_time_stands_still_leaves_nothing_behind() {
        let mut calls = Calls::default();
        let key = calls.insert(Entry::for_test(1));
        let now = crate::runtime::Runtime::now(&crate::testing::TestRuntime::new());
        calls.set_deadline(key, now);
        calls.pause(key, now);
        assert_eq!((calls.next_deadline(), calls.overdue(now)), (None, None));
        assert!(calls.remove(key).is_some());
        calls.resume(key, now);
        assert!(calls.paused.is_empty() && calls.deadlines.is_empty());
    }
}
