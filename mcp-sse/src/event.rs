//! Stage 1 of the path of a message where it comes by server-sent events: bytes, cut anywhere, become events.

use std::fmt;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use memchr::{memchr, memchr2};

#[cfg(test)]
mod tests;

/// The most data that one event is taken with unless another limit is set, in bytes: an image of 7 MiB in base64.
pub const MAX_EVENT: usize = 10 << 20;

/// The longest line that is no data. Names of events are words and ids are short; what is longer is passed over.
const MAX_FIELD: usize = 4 << 10;
/// How much of an event that is too long is kept: the members before `result` fit in, and with them the id.
const HEAD: usize = 4 << 10;
/// A piece of data that would keep a chunk of more than so many times its length is copied.
const WASTE: usize = 4;
/// Smaller chunks may be kept whole.
const CHUNK: usize = 16 << 10;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a stream of events brings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever ignores one must stop compiling"
)]
pub enum SseEvent {
    /// An event with data.
    Data {
        /// What kind of event it is; empty where it does not say, which means `message`.
        name: Bytes,
        /// Its data, lines joined by line feeds.
        data: Bytes,
    },
    /// An event with more data than the limit. It is passed over as it comes; only its first bytes are here.
    Overlong {
        /// The first bytes: enough to find an id in, nowhere near the whole.
        head: Bytes,
        /// The limit in bytes.
        limit: usize,
    },
}

/// Cuts a stream of bytes into server-sent events.
///
/// It does no I/O: whoever owns the stream [feeds](Self::feed) it what came and asks [`next_event`](Self::next_event)
/// until there is none left. However the bytes are cut, the events are the same. Data that came in one piece is a slice of
/// it, not a copy.
///
/// - Lines end at LF, CR or both. One byte order mark at the very start is passed over.
/// - Comments, fields of unknown names, ids with a NUL in them and malformed times are passed over.
/// - Events without data are not handed out, but their [id](Self::last_event_id) and [`retry`](Self::retry) count.
/// - An event that the stream ends in the middle of never was.
///
/// It holds the chunk it was fed, and of the event that comes in up to about twice the limit.
///
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html>
///
/// # Examples
///
/// ```
/// use mcp_sse::{SseDecoder, SseEvent};
///
/// let mut events = SseDecoder::new();
/// events.feed("id: 7\r\ndata: {\"jsonrpc\":".into());
/// assert_eq!(events.next_event(), None);
/// events.feed("\"2.0\"}\r\n\r\n".into());
/// let (name, data) = ("".into(), r#"{"jsonrpc":"2.0"}"#.into());
/// assert_eq!(events.next_event(), Some(SseEvent::Data { name, data }));
/// assert_eq!(events.last_event_id(), Some(&b"7"[..]));
/// ```
pub struct SseDecoder {
    chunk: Bytes,
    /// The length that the chunk came with.
    chunk_len: usize,
    /// The beginning of a line that the chunks before ended in. It holds no line end.
    partial: BytesMut,
    start: Start,
    /// A line feed that comes now belongs to the line before.
    after_cr: bool,
    /// The rest of the line is passed over.
    skips_line: bool,
    event: Open,
    limit: usize,
    last_id: Option<Bytes>,
    retry: Option<Duration>,
}

/// How much of a byte order mark has come; none can come later.
#[derive(Clone, Copy)]
enum Start {
    Mark(usize),
    Passed,
}

/// The event that is coming in.
#[derive(Default)]
struct Open {
    name: Bytes,
    data: Data,
    id: Id,
}

#[derive(Default)]
enum Data {
    #[default]
    None,
    Line(Bytes),
    Lines(BytesMut),
    /// There was too much of it.
    Skipped,
}

#[derive(Default)]
enum Id {
    #[default]
    Same,
    New(Bytes),
    /// One that can't be given back.
    Unusable,
}

impl SseDecoder {
    /// A decoder at the start of a stream, with [`MAX_EVENT`] as its limit.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(MAX_EVENT)
    }

    /// A decoder that takes events of up to `limit` bytes of data.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            chunk: Bytes::new(),
            chunk_len: 0,
            partial: BytesMut::new(),
            start: Start::Mark(0),
            after_cr: false,
            skips_line: false,
            event: Open::default(),
            limit,
            last_id: None,
            retry: None,
        }
    }

    /// Adds what has come. Take all events out before feeding it more, or the bytes pile up.
    pub fn feed(&mut self, chunk: Bytes) {
        if self.chunk.is_empty() {
            self.chunk = chunk;
        } else {
            let mut both = BytesMut::from(std::mem::take(&mut self.chunk));
            both.extend_from_slice(&chunk);
            self.chunk = both.freeze();
        }
        self.chunk_len = self.chunk.len();
    }

    /// The next event of what has come in; `None` when more must be fed first.
    pub fn next_event(&mut self) -> Option<SseEvent> {
        self.pass_mark()?;
        loop {
            if self.chunk.is_empty() {
                return None;
            }
            if std::mem::take(&mut self.after_cr) && self.chunk.first() == Some(&b'\n') {
                self.chunk.advance(1);
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', &self.chunk) else {
                return self.keep_partial();
            };
            self.after_cr = self.chunk.get(end) == Some(&b'\r');
            let mut line = self.chunk.split_to(end + 1);
            line.truncate(end);
            if std::mem::take(&mut self.skips_line) {
                continue;
            }
            let is_whole = self.partial.is_empty();
            if !is_whole {
                self.partial.extend_from_slice(&line);
                line = std::mem::take(&mut self.partial).freeze();
            }
            if let Some(event) = self.line(line, is_whole) {
                return Some(event);
            }
        }
    }

    /// The id of the last event that ended, and had one: where the stream is to go on if it breaks.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&[u8]> {
        self.last_id.as_deref()
    }

    /// How long to wait before asking for the rest of a stream that broke, if the server has said so.
    #[must_use]
    pub const fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// `None` while what came could become a byte order mark.
    fn pass_mark(&mut self) -> Option<()> {
        while let Start::Mark(seen) = self.start {
            let byte = *self.chunk.first()?;
            if BOM.get(seen) == Some(&byte) {
                self.chunk.advance(1);
                self.start = match seen + 1 {
                    seen if seen < BOM.len() => Start::Mark(seen),
                    _ => Start::Passed,
                };
            } else {
                self.partial.extend_from_slice(BOM.get(..seen)?);
                self.start = Start::Passed;
            }
        }
        Some(())
    }

    /// Keeps the beginning of a line whose end has not come, or lets go of it when it can't matter any more.
    fn keep_partial(&mut self) -> Option<SseEvent> {
        let piece = std::mem::take(&mut self.chunk);
        if self.skips_line {
            return None;
        }
        self.partial.extend_from_slice(&piece);
        let is_data = self.partial.starts_with(b"data:");
        if is_data && !matches!(self.event.data, Data::Skipped) {
            let value = self.partial.get(5..).unwrap_or_default();
            let length = value.strip_prefix(b" ").unwrap_or(value).len();
            if self.fits(length) {
                return None;
            }
            let line = Bytes::from(std::mem::take(&mut self.partial));
            self.skips_line = true;
            return Some(self.overlong(&value_of(&line)));
        }
        if self.partial.len() > MAX_FIELD {
            if self.partial.starts_with(b"id:") {
                self.event.id = Id::Unusable;
            }
            self.partial = BytesMut::new();
            self.skips_line = true;
        }
        None
    }

    fn line(&mut self, line: Bytes, is_slice: bool) -> Option<SseEvent> {
        if line.is_empty() {
            return self.end_event();
        }
        let colon = memchr(b':', line.get(..line.len().min(8)).unwrap_or_default());
        let name = line.get(..colon.unwrap_or(line.len())).unwrap_or_default();
        match name {
            b"data" => {
                let value = value_of(&line);
                return self.data(value, is_slice);
            }
            b"event" if line.len() <= MAX_FIELD => {
                self.event.name = Bytes::copy_from_slice(&value_of(&line));
            }
            b"id" => {
                let value = value_of(&line);
                if line.len() > MAX_FIELD {
                    self.event.id = Id::Unusable;
                } else if memchr(0, &value).is_none() {
                    self.event.id = Id::New(Bytes::copy_from_slice(&value));
                }
            }
            b"retry" => self.retry = millis(&value_of(&line)).or(self.retry),
            _ => {}
        }
        None
    }

    fn data(&mut self, value: Bytes, is_slice: bool) -> Option<SseEvent> {
        if matches!(self.event.data, Data::Skipped) {
            return None;
        }
        if !self.fits(value.len()) {
            return Some(self.overlong(&value));
        }
        self.event.data = match std::mem::take(&mut self.event.data) {
            Data::Line(first) => {
                let mut lines = BytesMut::with_capacity(first.len() + value.len() + 1);
                lines.extend_from_slice(&first);
                joined(lines, &value)
            }
            Data::Lines(lines) => joined(lines, &value),
            Data::None | Data::Skipped => {
                let wastes = self.chunk_len > CHUNK && value.len() * WASTE < self.chunk_len;
                Data::Line(if is_slice && wastes {
                    Bytes::copy_from_slice(&value)
                } else {
                    value
                })
            }
        };
        None
    }

    /// Whether one more line of this length can be taken.
    fn fits(&self, length: usize) -> bool {
        let before = match &self.event.data {
            Data::None | Data::Skipped => return length <= self.limit,
            Data::Line(line) => line.len(),
            Data::Lines(lines) => lines.len(),
        };
        before + 1 + length <= self.limit
    }

    fn overlong(&mut self, value: &[u8]) -> SseEvent {
        let mut head = match std::mem::replace(&mut self.event.data, Data::Skipped) {
            Data::None | Data::Skipped => Vec::new(),
            Data::Line(line) => beginning(&line),
            Data::Lines(lines) => beginning(&lines),
        };
        head.extend_from_slice(value.get(..HEAD).unwrap_or(value));
        head.truncate(HEAD);
        SseEvent::Overlong {
            head: head.into(),
            limit: self.limit,
        }
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        match event.id {
            Id::Same => {}
            Id::New(id) => self.last_id = Some(id).filter(|id| !id.is_empty()),
            Id::Unusable => self.last_id = None,
        }
        let data = match event.data {
            Data::None | Data::Skipped => return None,
            Data::Line(line) => line,
            Data::Lines(lines) => lines.freeze(),
        };
        let name = event.name;
        (!data.is_empty()).then_some(SseEvent::Data { name, data })
    }
}

/// The first bytes of lines that another follows.
fn beginning(lines: &[u8]) -> Vec<u8> {
    let mut head = lines.get(..HEAD).unwrap_or(lines).to_vec();
    head.push(b'\n');
    head
}

fn joined(mut lines: BytesMut, line: &[u8]) -> Data {
    lines.extend_from_slice(b"\n");
    lines.extend_from_slice(line);
    Data::Lines(lines)
}

/// What follows the first colon of a line, less one space; nothing, where there is no colon.
fn value_of(line: &Bytes) -> Bytes {
    let Some(colon) = memchr(b':', line) else {
        return Bytes::new();
    };
    let value = line.slice(colon + 1..);
    match value.first() {
        Some(b' ') => value.slice(1..),
        _ => value,
    }
}

fn millis(value: &[u8]) -> Option<Duration> {
    let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(value).ok().filter(|_| is_number)?;
    // What does not fit is longer than anybody waits.
    Some(Duration::from_millis(text.parse().unwrap_or(u64::MAX)))
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SseDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SseDecoder")
            .field("limit", &self.limit)
            .field("held", &(self.chunk.len() + self.partial.len()))
            .finish_non_exhaustive()
    }
}
