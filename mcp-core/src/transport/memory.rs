use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::{Bytes, BytesMut};
use memchr::memchr;

use super::{Incoming, Transport};

/// Two transports joined in memory, each reading what the other sends.
///
/// `capacity` bounds the bytes of the lines under way in each direction, as the buffer of a pipe does. A line of which only
/// a part was sent is held whatever its length, for it may be longer than all of that.
#[must_use]
pub fn memory(capacity: usize) -> (MemoryTransport, MemoryTransport) {
    let one = Arc::new(Mutex::new(Pipe::new(capacity)));
    let other = Arc::new(Mutex::new(Pipe::new(capacity)));
    let left = MemoryTransport {
        reads: Arc::clone(&one),
        writes: Arc::clone(&other),
    };
    let right = MemoryTransport {
        reads: other,
        writes: one,
    };
    (left, right)
}

/// One end of [`memory`]. Dropping it is end of input for the other end.
#[derive(Debug)]
pub struct MemoryTransport {
    reads: Arc<Mutex<Pipe>>,
    writes: Arc<Mutex<Pipe>>,
}

#[derive(Debug)]
struct Pipe {
    bytes: BytesMut,
    ready: VecDeque<Bytes>,
    waiting: usize,
    capacity: usize,
    closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Pipe {
    fn new(capacity: usize) -> Self {
        Self {
            bytes: BytesMut::new(),
            ready: VecDeque::new(),
            waiting: 0,
            capacity: capacity.max(1),
            closed: false,
            reader: None,
            writer: None,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        while let Some(end) = memchr(b'\n', &self.bytes) {
            let line = self.bytes.split_to(end + 1).freeze();
            self.waiting += line.len();
            self.ready.push_back(line.slice(..end));
        }
    }

    fn close(&mut self) {
        self.closed = true;
        for waker in [self.reader.take(), self.writer.take()]
            .into_iter()
            .flatten()
        {
            waker.wake();
        }
    }
}

impl Transport for MemoryTransport {
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        let mut pipe = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(frame) = pipe.ready.pop_front() {
            pipe.waiting = pipe.waiting.saturating_sub(frame.len() + 1);
            if let Some(waker) = pipe.writer.take() {
                waker.wake();
            }
            return Poll::Ready(Ok(Some(Incoming::Frame(frame))));
        }
        if pipe.closed {
            return Poll::Ready(Ok(None));
        }
        pipe.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut pipe = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        if pipe.closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        // A line longer than the whole capacity must get through, so its beginning does not count as under way.
        let room = pipe.capacity.saturating_sub(pipe.waiting);
        if room == 0 {
            pipe.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let taken = bytes.len().min(room);
        pipe.push(bytes.get(..taken).unwrap_or(bytes));
        if let Some(waker) = pipe.reader.take() {
            waker.wake();
        }
        Poll::Ready(Ok(taken))
    }

    fn poll_peer_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut pipe = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        if pipe.closed {
            return Poll::Ready(());
        }
        pipe.writer = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for MemoryTransport {
    fn drop(&mut self) {
        for pipe in [&self.reads, &self.writes] {
            pipe.lock().unwrap_or_else(PoisonError::into_inner).close();
        }
    }
}
