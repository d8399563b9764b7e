//! What a client has to say, message by message, for transports that carry each by itself.

use std::collections::VecDeque;

use bytes::Bytes;

use super::listening::Change;
use super::{ClientSession, Outline};
use crate::jsonrpc::{Scanner, SyntaxError, unescape};
use crate::protocol::http_headers::name_member;
use crate::transport::{Heading, Outgoing};

/// Everything but requests, which wait until the transport has room.
#[derive(Debug, Default)]
pub(super) struct Departures {
    queue: VecDeque<Outgoing>,
    bytes: usize,
}

impl Departures {
    fn push(&mut self, message: Outgoing) {
        self.bytes += size(&message);
        self.queue.push_back(message);
    }

    fn pop(&mut self) -> Option<Outgoing> {
        let message = self.queue.pop_front()?;
        self.bytes -= size(&message);
        Some(message)
    }
}

fn size(message: &Outgoing) -> usize {
    match message {
        Outgoing::Request { frame, .. }
        | Outgoing::Notification { frame, .. }
        | Outgoing::Answer { frame, .. } => frame.len(),
        Outgoing::Abandon { .. } => 0,
    }
}

impl ClientSession {
    /// Hands over messages one by one from here on, and not as one run of bytes.
    pub(crate) fn part_messages(&mut self) {
        self.departures = Some(Departures::default());
    }

    pub(crate) const fn parts_messages(&self) -> bool {
        self.departures.is_some()
    }

    /// The next message to be carried. Requests are held back while there is no room for one.
    pub(crate) fn next_departure(&mut self, has_room: bool) -> Option<Outgoing> {
        let departures = self.departures.as_mut()?;
        if let Some(message) = departures.pop() {
            if let Outgoing::Answer { frame, .. } = &message {
                self.answers -= frame.len();
            }
            return Some(message);
        }
        if !has_room {
            return None;
        }
        while let Some(id) = self.unsent.pop_front() {
            let entry = self.pending.get_mut(id);
            if let Some(unsent) = entry.and_then(|entry| entry.unsent.take()) {
                return Some(Outgoing::Request {
                    id,
                    heading: unsent.heading?,
                    frame: message_of(unsent.frame),
                });
            }
        }
        None
    }

    /// Whether there is something that [`next_departure`](Self::next_departure) would hand over.
    pub(crate) fn has_departure(&self, has_room: bool) -> bool {
        let departures = self.departures.as_ref();
        departures.is_some_and(|departures| !departures.queue.is_empty())
            || (has_room && !self.unsent.is_empty())
    }

    /// Bytes of what waits to be sent and is no request in line.
    pub(super) fn waiting(&self) -> usize {
        let departures = self.departures.as_ref();
        departures.map_or(self.out.len(), |departures| departures.bytes)
    }

    /// What was written just now is a notification by itself.
    pub(super) fn depart(&mut self, method: &str) {
        let version = self.version;
        if let Some(departures) = &mut self.departures {
            let frame = message_of(std::mem::take(&mut self.out));
            let heading = Heading::new(version, method.to_owned(), None, Vec::new());
            departures.push(Outgoing::Notification { heading, frame });
        }
    }

    /// What was written just now is an answer by itself.
    pub(super) fn depart_as_answer(&mut self) {
        let version = self.version;
        if let Some(departures) = &mut self.departures {
            let line = std::mem::take(&mut self.out);
            // Its line feed does not go along.
            self.answers -= 1;
            let frame = message_of(line);
            departures.push(Outgoing::Answer { version, frame });
        }
    }

    /// Whether the server learns by that alone that nobody waits for an answer.
    pub(crate) const fn cancels_by_letting_go(&self) -> bool {
        self.departures.is_some() && self.version.is_modern()
    }

    /// Nobody waits for what carries this request any more.
    pub(super) fn let_go(&mut self, id: u64) {
        if let Some(departures) = &mut self.departures {
            departures.push(Outgoing::Abandon { id });
        }
    }

    /// What a request is, for whoever carries it.
    pub(super) fn heading(&self, outline: &Outline<'_>) -> Option<Heading> {
        self.departures.as_ref()?;
        let is_modern = self.version.is_modern();
        let name = name_member(outline.method).filter(|_| is_modern);
        Some(Heading::new(
            self.version,
            outline.method.to_owned(),
            name.and_then(|member| text_of(member, outline.params)),
            outline.headers.to_vec(),
        ))
    }

    /// The session is another one, and what the server would have told in the meantime is lost.
    pub(crate) fn miss_everything(&mut self) {
        for (_, entry) in self.pending.iter_mut() {
            if let Some(listening) = &mut entry.listening {
                listening.push(Change::Missed);
                entry.wake(&mut self.wakers);
            }
        }
    }
}

/// A line without its line feed.
fn message_of(mut line: Vec<u8>) -> Bytes {
    line.pop();
    line.into()
}

/// A member of an object that is text.
pub(crate) fn text_of(member: &str, object: &[u8]) -> Option<String> {
    let mut found = None;
    // It stops where the member is found.
    let _: Result<(), _> = Scanner::new(std::str::from_utf8(object).ok()?).object(|key, value| {
        if key != member {
            return Ok(());
        }
        found = unescape(value).ok().map(std::borrow::Cow::into_owned);
        Err(SyntaxError::Malformed)
    });
    found
}
