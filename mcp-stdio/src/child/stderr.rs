//! What a child writes to standard error: always read, in bounded memory.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::task::{Context, Poll};

use memchr::memchr2;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;

use super::ChildHandle;
use super::text::clean;

/// How much of a line is kept.
const LINE: usize = 1 << 10;
/// How much of the last lines is kept, in bytes and in lines.
const TAIL: usize = 4 << 10;
const LINES: usize = 20;
/// What one read may bring.
const CHUNK: usize = 8 << 10;

/// What becomes of a child's standard error. It is read in any case, so that a child never waits for that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stderr {
    /// Each line goes to our standard error, cut after 1 KiB, cleaned of what a terminal would obey, and with the program's
    /// name in front of it. The last lines are kept for errors, too. They are written as `eprintln!` would write them: if nobody reads
    /// our standard error, we wait.
    #[default]
    Inherit,
    /// The last lines are kept for errors, and nothing is shown.
    Tail,
    /// It is thrown away by the system.
    Null,
}

/// The last lines, 20 of them or 4 KiB.
#[derive(Default)]
pub(super) struct Tail {
    lines: VecDeque<String>,
    size: usize,
    /// The line that has not ended yet: its beginning.
    line: Vec<u8>,
    /// The line goes on from its start, as a progress bar does.
    returned: bool,
}

impl Tail {
    /// Takes what was read; `show` gets each line that has ended.
    pub(super) fn feed(&mut self, mut chunk: &[u8], mut show: impl FnMut(&str)) {
        while let Some(at) = memchr2(b'\n', b'\r', chunk) {
            let (line, rest) = chunk.split_at(at);
            self.extend(line);
            if rest.first() == Some(&b'\n') {
                self.end_line(&mut show);
            } else {
                self.returned = true;
            }
            chunk = rest.get(1..).unwrap_or_default();
        }
        self.extend(chunk);
    }

    /// The end of a last line, if there is one.
    pub(super) fn finish(&mut self, mut show: impl FnMut(&str)) {
        if !self.line.is_empty() {
            self.end_line(&mut show);
        }
    }

    /// The lines there are, and what there is of the next.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.size + self.lines.len() + self.line.len());
        let last = clean(&self.line, LINE);
        for line in self.lines.iter().chain([&last]) {
            if !line.trim().is_empty() {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
        }
        text
    }

    fn extend(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if std::mem::take(&mut self.returned) {
            self.line.clear();
        }
        // One byte more than is shown, so that the cut is.
        let room = (LINE + 1).saturating_sub(self.line.len());
        self.line.extend(bytes.iter().take(room));
    }

    fn end_line(&mut self, show: &mut impl FnMut(&str)) {
        self.returned = false;
        let line = clean(&self.line, LINE);
        self.line.clear();
        show(&line);
        if line.trim().is_empty() {
            return;
        }
        self.size += line.len();
        self.lines.push_back(line);
        while self.lines.len() > LINES || self.size > TAIL {
            let Some(gone) = self.lines.pop_front() else {
                break;
            };
            self.size -= gone.len();
        }
    }
}

/// The task that reads a child's standard error. It ends with that, or with this.
pub(super) struct Drain {
    task: Option<JoinHandle<()>>,
}

impl Drain {
    /// Nothing to read.
    pub(super) fn none() -> Self {
        Self { task: None }
    }

    /// Starts to read; `echo` shows each line on our own standard error.
    pub(super) fn spawn(
        pipe: impl AsyncRead + Unpin + Send + 'static,
        handle: Arc<ChildHandle>,
        echo: bool,
    ) -> Self {
        Self {
            task: Some(tokio::spawn(read(pipe, handle, echo))),
        }
    }

    /// Ready once there is nothing more to read.
    pub(super) fn poll_drained(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(task) = &mut self.task {
            // It fails only if the runtime ends, and then nothing more is read either.
            let _: Result<(), _> = std::task::ready!(std::pin::Pin::new(task).poll(cx));
            self.task = None;
        }
        Poll::Ready(())
    }
}

impl Drop for Drain {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

async fn read(mut pipe: impl AsyncRead + Unpin, handle: Arc<ChildHandle>, echo: bool) {
    let mut chunk = vec![0; CHUNK];
    let mut shown = String::new();
    loop {
        let read = match pipe.read(&mut chunk).await {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        {
            let mut tail = handle.tail();
            let show = |line: &str| {
                if echo {
                    shown.push_str(&format!("[{}] {line}\n", handle.program()));
                }
            };
            match chunk.get(..read) {
                Some(bytes) if read > 0 => tail.feed(bytes, show),
                _ => tail.finish(show),
            }
        }
        if !shown.is_empty() {
            // Nobody can be told that standard error is closed.
            let _: io::Result<()> = io::stderr().lock().write_all(shown.as_bytes());
            shown.clear();
        }
        if read == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(chunks: &[&[u8]]) -> (Vec<String>, String) {
        let mut tail = Tail::default();
        let mut shown = Vec::new();
        for chunk in chunks {
            tail.feed(chunk, |line| shown.push(line.to_owned()));
        }
        (shown, tail.text())
    }

    #[test]
    fn lines_are_the_same_however_they_are_cut() {
        let written = b"one\r\ntwo\n\n10%\r20%\r\nlast";
        for at in 0..written.len() {
            let (head, rest) = written.split_at(at);
            let (shown, text) = fed(&[head, rest]);
            assert_eq!(shown, ["one", "two", "", "20%"], "cut at {at}");
            assert_eq!(text, "one\ntwo\n20%\nlast");
        }
    }

    #[test]
    fn the_last_lines_are_kept() {
        let written: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let (shown, text) = fed(&[written.as_bytes()]);
        assert_eq!(shown.len(), 100);
        assert_eq!(text.lines().count(), LINES);
        assert!(text.starts_with("line 80\n") && text.ends_with("line 99"));
    }

    /// FRM-15: neither a line without end nor a progress bar takes room.
    #[test]
    fn what_is_kept_is_bounded() {
        let mut tail = Tail::default();
        for chunk in [
            &b"x".repeat(CHUNK)[..],
            &b"\xff".repeat(CHUNK),
            &b"9%\r".repeat(CHUNK),
        ] {
            for _ in 0..100 {
                tail.feed(chunk, |_| panic!("no line has ended"));
            }
            assert!(tail.line.capacity() <= 2 * (LINE + 1));
            assert!(tail.text().len() <= LINE + '…'.len_utf8());
        }
        for _ in 0..100 {
            tail.feed(&b"\xff".repeat(CHUNK), |_| {});
            tail.feed(b"\n", |line| assert!(line.len() <= LINE + '…'.len_utf8()));
        }
        assert!(tail.text().len() <= TAIL + LINES);
        assert!(!tail.text().is_empty());
    }

    #[test]
    fn a_last_line_without_its_end_is_shown_at_the_end() {
        let mut tail = Tail::default();
        let mut shown = Vec::new();
        tail.feed(b"half", |line| shown.push(line.to_owned()));
        assert_eq!(shown, [""; 0]);
        tail.finish(|line| shown.push(line.to_owned()));
        tail.finish(|line| shown.push(line.to_owned()));
        assert_eq!(shown, ["half"]);
    }
}
