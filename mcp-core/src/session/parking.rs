//! Calls that wait until there is room for another handler.
//!
//! The session reads on while calls wait, so that it hears of cancellations, of pings and of the end of input though
//! every handler hangs.

use std::collections::VecDeque;

use super::call::Call;
use super::calls::{CallKey, Calls, Entry, Stage};

/// Calls that may wait: several times as many as run at once by default. Beyond, nothing more is read, or
/// calls are refused while there are answers to wait for.
const MAX_PARKED: usize = 16_384;
/// What their messages may come to in bytes.
const MAX_BYTES: usize = 8 << 20;

/// The order in which calls wait. What is to be started is in the books of calls, where a cancellation frees it at once.
#[derive(Debug, Default)]
pub(super) struct Parking {
    /// Also those that have been cancelled in the meantime.
    queue: VecDeque<CallKey>,
    cancelled: usize,
    /// Of messages that wait.
    bytes: usize,
}

impl Parking {
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        let waiting = self.queue.len().saturating_sub(self.cancelled);
        waiting >= MAX_PARKED || self.bytes >= MAX_BYTES
    }

    pub(super) fn park(&mut self, call: Call, entry: &mut Entry) {
        self.queue.push_back(call.key);
        self.bytes += entry.bytes;
        entry.stage = Stage::Parked(Box::new(call));
    }

    /// The call that has waited longest.
    pub(super) fn leave(&mut self, calls: &mut Calls) -> Option<Call> {
        while let Some(key) = self.queue.pop_front() {
            let Some(entry) = calls.get_mut(key) else {
                self.cancelled = self.cancelled.saturating_sub(1);
                continue;
            };
            if let Stage::Parked(call) = std::mem::replace(&mut entry.stage, Stage::Started) {
                self.bytes -= entry.bytes;
                return Some(*call);
            }
        }
        None
    }

    /// A call that waited was cancelled, and is in the books no more.
    pub(super) fn forget(&mut self, entry: &Entry, calls: &Calls) {
        self.bytes -= entry.bytes;
        self.cancelled += 1;
        // One look at each of them for every so many cancellations, rather than a search for each.
        if self.cancelled > self.queue.len() / 2 {
            self.queue.retain(|key| calls.holds(*key));
            self.cancelled = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ProtocolVersion;
    use crate::server::List;
    use crate::session::{CallRequest, LogGate};

    fn park(parking: &mut Parking, calls: &mut Calls, id: i64) -> CallKey {
        let key = calls.insert(Entry::for_test(id));
        let call = Call {
            key,
            id: id.into(),
            version: ProtocolVersion::LATEST,
            request: CallRequest::List {
                list: List::Tools,
                cursor: None,
            },
            wants_progress: false,
            log_gate: LogGate::Closed,
            client: crate::server::AboutClient::Request(Default::default()),
            meta: None,
            given: None,
        };
        parking.park(call, calls.get_mut(key).expect("it was just inserted"));
        key
    }

    #[test]
    fn those_that_were_cancelled_take_no_place_for_long() {
        let (mut parking, mut calls) = (Parking::default(), Calls::default());
        let stays = [0, 1].map(|id| park(&mut parking, &mut calls, id));
        for id in 2..1000 {
            let key = park(&mut parking, &mut calls, id);
            let entry = calls.remove(key).expect("it was just inserted");
            parking.forget(&entry, &calls);
            assert!(parking.queue.len() <= 5, "{}", parking.queue.len());
        }
        let mut leave = || parking.leave(&mut calls).map(|call| call.key);
        assert_eq!(
            [leave(), leave(), leave()],
            [Some(stays[0]), Some(stays[1]), None]
        );
    }
}
