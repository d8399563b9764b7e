//! Stage 1 of the path of a message: bytes, cut anywhere, become frames.

use std::fmt;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use mcp_core::transport::Incoming;
use memchr::memchr;

/// The longest line taken unless another limit is set, in bytes, its newline not counted: an image of 7 MiB in base64.
pub const MAX_LINE: usize = 10 << 20;

/// What one read may bring: as much as a pipe of Linux holds.
const CHUNK: usize = 64 << 10;
/// With less free space than this it is cheaper to make room than to read in small pieces.
const LOW: usize = 16 << 10;
/// How much of an over-long line is kept: the members before `params` fit in, and with them the id.
const HEAD: usize = 4 << 10;
/// A frame that would keep an allocation more than so many times its length, which a long line has made, is copied.
const WASTE: usize = 4;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Cuts a stream of bytes into lines, each of which should hold one JSON text.
///
/// It does no I/O: whoever owns the stream puts what it read into [`spare`](Self::spare) and asks
/// [`next_frame`](Self::next_frame) until there is none left. However the bytes are cut into reads, the frames are the
/// same, and nearly all are slices of what was read, not copies.
///
/// - A line ends at `0A` and nowhere else; one `0D` before it is dropped too.
/// - One byte order mark at the very start of the stream is skipped, and so are lines of nothing but white space.
/// - A line over the limit is skipped as it comes and told as [`Incoming::Overlong`] with its first bytes.
/// - What is in a line is not looked at: that is for the decoder of JSON-RPC.
///
/// It holds a few chunks of 64 KiB, and while a longer line comes in, about twice what of it has come. A frame that is
/// kept keeps the chunk it came in; short ones that came behind a long line are copies, so that they do not keep the
/// room of that line.
///
/// # Examples
///
/// ```
/// use mcp_core::transport::Incoming;
/// use mcp_stdio::LineDecoder;
///
/// let mut lines = LineDecoder::new();
/// lines.extend(b"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n\n{\"jsonrpc\"");
/// let first = lines.next_frame();
/// assert_eq!(first, Some(Incoming::Frame(r#"{"jsonrpc":"2.0","method":"a"}"#.into())));
/// assert_eq!(lines.next_frame(), None);
///
/// lines.extend(b":\"2.0\",\"method\":\"b\"}");
/// assert_eq!(lines.next_frame(), None);
/// let last = lines.finish();
/// assert_eq!(last, Some(Incoming::Frame(r#"{"jsonrpc":"2.0","method":"b"}"#.into())));
/// ```
pub struct LineDecoder {
    buffer: BytesMut,
    /// So many bytes at the start of `buffer` are known to hold no newline.
    scanned: usize,
    limit: usize,
    place: Place,
    /// The size of the allocation of `buffer` once a long line has made it large, else 0.
    grown: usize,
}

/// Where in the stream the decoder stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Nothing has been handed out: a byte order mark may come.
    Start,
    /// In a line, or before one.
    Line,
    /// In a line that was found too long, on the way to its newline.
    Skipping,
}

impl LineDecoder {
    /// A decoder at the start of a stream, with [`MAX_LINE`] as its limit.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(MAX_LINE)
    }

    /// A decoder that takes lines of up to `limit` bytes, their line ends not counted.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            scanned: 0,
            limit,
            place: Place::Start,
            grown: 0,
        }
    }

    /// The free space to read into, between 16 and 64 KiB of it.
    ///
    /// Take all frames out before reading again, or the bytes pile up.
    pub fn spare(&mut self) -> impl BufMut {
        let held = self.buffer.len();
        let short = held <= CHUNK / 2;
        if self.buffer.capacity() - held < LOW || (self.grown > 0 && short) {
            // A long line doubles the space, so that it is moved a few times only.
            self.make_room(if short { CHUNK - held } else { held });
        }
        (&mut self.buffer).limit(CHUNK)
    }

    /// Adds bytes that are elsewhere already, as a copy.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer.extend_from_slice(bytes);
    }

    /// The next frame of what has come in; `None` when more must be read first.
    pub fn next_frame(&mut self) -> Option<Incoming> {
        loop {
            match self.place {
                Place::Start => self.pass_bom()?,
                Place::Skipping => self.skip()?,
                Place::Line => {
                    let Some(end) = self.find_newline() else {
                        return self.give_up_overlong();
                    };
                    if let Some(incoming) = self.cut(end, 1) {
                        return Some(incoming);
                    }
                }
            }
        }
    }

    /// The stream has ended: hands out what is left, where the last line needs no newline, one frame a call.
    pub fn finish(&mut self) -> Option<Incoming> {
        if let Some(incoming) = self.next_frame() {
            return Some(incoming);
        }
        self.place = Place::Line;
        self.scanned = 0;
        self.cut(self.buffer.len(), 0)
    }

    /// `None` while the bytes there are could become a byte order mark.
    fn pass_bom(&mut self) -> Option<()> {
        if self.buffer.starts_with(BOM) {
            self.buffer.advance(BOM.len());
        } else if BOM.starts_with(&self.buffer) {
            return None;
        }
        self.place = Place::Line;
        Some(())
    }

    /// `None` while the newline has not come.
    fn skip(&mut self) -> Option<()> {
        let Some(end) = memchr(b'\n', &self.buffer) else {
            self.buffer.clear();
            return None;
        };
        self.buffer.advance(end + 1);
        self.place = Place::Line;
        Some(())
    }

    fn find_newline(&mut self) -> Option<usize> {
        if self.scanned == self.buffer.len() {
            return None;
        }
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(at) = memchr(b'\n', fresh) else {
            self.scanned = self.buffer.len();
            return None;
        };
        Some(std::mem::take(&mut self.scanned) + at)
    }

    /// Lets go of a line that is too long already, though its end has not come.
    fn give_up_overlong(&mut self) -> Option<Incoming> {
        if content_length(&self.buffer) <= self.limit {
            return None;
        }
        let overlong = self.overlong();
        self.buffer.clear();
        self.scanned = 0;
        self.place = Place::Skipping;
        Some(overlong)
    }

    /// Takes the line that ends at `end`, followed by a delimiter of so many bytes; `None` when it is blank.
    fn cut(&mut self, end: usize, delimiter: usize) -> Option<Incoming> {
        let line = self.buffer.get(..end).unwrap_or_default();
        let length = content_length(line);
        if length > self.limit {
            let overlong = self.overlong();
            self.buffer.advance(end + delimiter);
            return Some(overlong);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            self.buffer.advance(end + delimiter);
            return None;
        }
        let mut line = self.buffer.split_to(end + delimiter);
        line.truncate(length);
        Some(Incoming::Frame(if length < self.grown / WASTE {
            Bytes::copy_from_slice(&line)
        } else {
            line.freeze()
        }))
    }

    /// The head is copied, for it may outlive the line, and is no longer than the limit, so that it is the same
    /// however the line was cut.
    fn overlong(&self) -> Incoming {
        let kept = HEAD.min(self.limit);
        Incoming::Overlong {
            head: Bytes::copy_from_slice(self.buffer.get(..kept).unwrap_or(&self.buffer)),
            limit: self.limit,
        }
    }

    fn make_room(&mut self, more: usize) {
        if self.grown > 0 && self.buffer.len() <= CHUNK / 2 {
            // `reserve` would take the large allocation into use again and so keep it for ever.
            let mut fresh = BytesMut::with_capacity(CHUNK);
            fresh.extend_from_slice(&self.buffer);
            self.buffer = fresh;
            self.grown = 0;
        }
        if self.buffer.capacity() - self.buffer.len() < more {
            self.buffer.reserve(more);
            let capacity = self.buffer.capacity();
            if capacity > 2 * CHUNK {
                // What is in front of the buffer does not show in its capacity, so an earlier size may be nearer.
                self.grown = self.grown.max(capacity);
            }
        }
    }
}

impl Default for LineDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LineDecoder {
    /// Shows how much is held, not what: it is the peer's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineDecoder")
            .field("held", &self.buffer.len())
            .field("limit", &self.limit)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// The length without the `0D` of a line end.
fn content_length(line: &[u8]) -> usize {
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

#[cfg(test)]
mod tests;
