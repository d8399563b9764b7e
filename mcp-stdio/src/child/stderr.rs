//! What a child writes to its standard error.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::ChildStderr;

use super::command::Stderr;

/// Of what a child writes, this much is kept.
const TAIL: usize = 2048;
/// Of a line, this much is shown.
const LINE: usize = 4096;
/// This much may wait to be shown; the rest is left out.
const WAITING: usize = 64 << 10;
/// What is read at once, and how often before others get their turn.
const CHUNK: usize = 8 << 10;
const CHUNKS: usize = 32;

/// The last that a child wrote, cleaned.
#[derive(Debug, Default)]
pub(super) struct Tail(Mutex<String>);

impl Tail {
    /// The last lines, as one: line breaks become ` | `.
    pub(super) fn shown(&self) -> String {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<&str> = (text.lines().map(str::trim))
            .filter(|line| !line.is_empty())
            .collect();
        lines.join(" | ")
    }

    fn push(&self, text: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_str(text);
        if kept.len() > 2 * TAIL {
            let from = (kept.len() - TAIL..kept.len()).find(|at| kept.is_char_boundary(*at));
            kept.drain(..from.unwrap_or_default());
        }
    }
}

/// Reads what a child writes, for as long as somebody polls.
pub(super) struct Drain {
    stderr: ChildStderr,
    tail: Arc<Tail>,
    show: Option<Show>,
    /// Bytes at the end of the last chunk that begin a character.
    cut: Vec<u8>,
}

/// Shows lines on our standard error.
struct Show {
    program: String,
    output: tokio::io::Stderr,
    line: String,
    waiting: Vec<u8>,
    written: usize,
}

impl Drain {
    pub(super) fn new(stderr: ChildStderr, tail: Arc<Tail>, program: &str, policy: Stderr) -> Self {
        let show = (policy == Stderr::Inherit).then(|| Show {
            program: program.to_owned(),
            output: tokio::io::stderr(),
            line: String::new(),
            waiting: Vec::new(),
            written: 0,
        });
        Self {
            stderr,
            tail,
            show,
            cut: Vec::new(),
        }
    }

    /// Reads on; ready at the end of what the child writes.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut chunk = [0; CHUNK];
        for _ in 0..CHUNKS {
            if let Some(show) = &mut self.show {
                show.poll(cx);
            }
            let mut buffer = ReadBuf::new(&mut chunk);
            match Pin::new(&mut self.stderr).poll_read(cx, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => self.take(buffer.filled()),
                Poll::Ready(_) => {
                    self.end(cx);
                    return Poll::Ready(());
                }
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    fn take(&mut self, bytes: &[u8]) {
        let mut all = std::mem::take(&mut self.cut);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.extend(chunk.valid().chars().map(clean));
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && invalid.len() < 4 && begins_character(invalid) {
                self.cut = invalid.to_vec();
            } else if !invalid.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.tail.push(&text);
        if let Some(show) = &mut self.show {
            show.push(&text);
        }
    }

    fn end(&mut self, cx: &mut Context<'_>) {
        if let Some(show) = &mut self.show {
            show.push("\n");
            show.poll(cx);
        }
    }
}

impl Show {
    fn push(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let (line, ends) = match part.strip_suffix('\n') {
                Some(line) => (line, true),
                None => (part, false),
            };
            let room = LINE.saturating_sub(self.line.len());
            self.line.extend(line.chars().take(room));
            if ends {
                let line = std::mem::take(&mut self.line);
                if !line.trim().is_empty() && self.waiting.len() < WAITING {
                    let shown = format!("{}: {}\n", self.program, line.trim_end());
                    self.waiting.extend_from_slice(shown.as_bytes());
                }
            }
        }
    }

    /// Writes what waits. Whether that works is for whoever reads it to notice.
    fn poll(&mut self, cx: &mut Context<'_>) {
        while let Some(rest) = self
            .waiting
            .get(self.written..)
            .filter(|rest| !rest.is_empty())
        {
            match Pin::new(&mut self.output).poll_write(cx, rest) {
                Poll::Pending => return,
                Poll::Ready(Ok(count)) if count > 0 => self.written += count,
                Poll::Ready(_) => break,
            }
        }
        self.waiting.clear();
        self.written = 0;
        let _: Poll<std::io::Result<()>> = Pin::new(&mut self.output).poll_flush(cx);
    }
}

/// Progress bars return to the beginning of their line; everything else that controls a terminal is left out of it.
fn clean(c: char) -> char {
    match c {
        '\n' | '\r' => '\n',
        '\t' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    }
}

fn begins_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
