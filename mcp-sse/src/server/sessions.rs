//! The sessions of clients of the older revisions.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use mcp_core::exchange::Session;
use tokio::time::Instant;

use super::stream::{EventStream, Reader};

/// Streams of a session that are over and may still be asked for.
const MAX_FINISHED: usize = 32;
/// What they may hold together.
const MAX_BYTES: usize = 256 << 10;

/// All sessions of a service.
#[derive(Debug)]
pub(super) struct Sessions {
    by_id: Mutex<HashMap<Box<str>, Arc<Live>>>,
    max: usize,
    idle: Duration,
    began: Instant,
    is_swept: AtomicBool,
}

/// One session.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) session: Session,
    /// When the client was last heard of, in milliseconds.
    heard: AtomicU64,
    streams: Mutex<Streams>,
}

#[derive(Debug, Default)]
struct Streams {
    last: u64,
    /// In the order they were opened.
    open: Vec<Arc<EventStream>>,
    /// What is told unasked, once somebody has asked for it.
    unasked: Option<Arc<EventStream>>,
    /// Those who wait for it, and how to wake those whose turn it is not.
    listeners: BTreeMap<u64, Option<Waker>>,
    last_listener: u64,
}

impl Sessions {
    pub(super) fn new(max: usize, idle: Duration) -> Self {
        Self {
            by_id: Mutex::default(),
            max,
            idle,
            began: Instant::now(),
            is_swept: AtomicBool::new(false),
        }
    }

    /// Keeps a session; `None` when there are as many as may be.
    pub(super) fn insert(self: &Arc<Self>, id: String, session: Session) -> Option<()> {
        let live = Arc::new(Live {
            session,
            heard: AtomicU64::new(self.now()),
            streams: Mutex::default(),
        });
        let mut by_id = self.lock();
        if by_id.len() >= self.max {
            return None;
        }
        by_id.insert(id.into(), live);
        drop(by_id);
        self.have_swept();
        Some(())
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<Live>> {
        let live = self.lock().get(id).cloned()?;
        live.heard.store(self.now(), Ordering::Relaxed);
        Some(live)
    }

    /// Ends a session.
    pub(super) fn remove(&self, id: &str) -> Option<()> {
        let live = self.lock().remove(id)?;
        live.end();
        Some(())
    }

    pub(super) fn end_all(&self) {
        let all = std::mem::take(&mut *self.lock());
        all.values().for_each(|live| live.end());
    }

    /// Ends those that nobody has used for long.
    fn sweep(&self) {
        let idle = u64::try_from(self.idle.as_millis()).unwrap_or(u64::MAX);
        let now = self.now();
        let mut gone = Vec::new();
        self.lock().retain(|_, live| {
            let is_kept =
                live.is_busy() || now - live.heard.load(Ordering::Relaxed).min(now) < idle;
            if !is_kept {
                gone.push(Arc::clone(live));
            }
            is_kept
        });
        for live in gone {
            live.end();
        }
    }

    /// A task looks after the sessions as long as there are any.
    fn have_swept(self: &Arc<Self>) {
        if self.is_swept.swap(true, Ordering::AcqRel) {
            return;
        }
        let every = (self.idle / 4).clamp(Duration::from_millis(10), Duration::from_secs(60));
        let sessions = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let Some(sessions) = sessions.upgrade() else {
                    return;
                };
                sessions.sweep();
                // In this order a session that comes just now is not forgotten.
                sessions.is_swept.store(false, Ordering::Release);
                if sessions.lock().is_empty() || sessions.is_swept.swap(true, Ordering::AcqRel) {
                    return;
                }
            }
        });
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Live>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    fn is_over(&self) -> bool {
        self.session.is_over()
    }

    fn is_busy(&self) -> bool {
        self.session.under_way() > 0 || !self.streams().listeners.is_empty()
    }

    fn end(&self) {
        self.session.end();
        let mut streams = self.streams();
        let unasked = streams.unasked.take();
        for stream in streams.open.drain(..).chain(unasked) {
            stream.finish();
        }
        let wakers = streams.take_wakers();
        drop(streams);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// A stream for the answer to one more request.
    pub(super) fn open_stream(&self) -> Arc<EventStream> {
        let mut streams = self.streams();
        streams.tidy();
        streams.last += 1;
        let stream = Arc::new(EventStream::new(streams.last));
        streams.open.push(Arc::clone(&stream));
        stream
    }

    /// Nobody will ever ask for it.
    pub(super) fn forget(&self, number: u64) {
        self.streams()
            .open
            .retain(|stream| stream.number() != number);
    }

    /// Takes a stream up again after some event, which its client has named.
    pub(super) fn resume(&self, event: &str) -> Option<Reader> {
        let (number, after) = event.split_once('-')?;
        let (number, after): (u64, u64) = (number.parse().ok()?, after.parse().ok()?);
        let streams = self.streams();
        let stream = streams
            .open
            .iter()
            .find(|stream| stream.number() == number)?;
        Some(stream.resume(after))
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn take_wakers(&mut self) -> Vec<Waker> {
        (self.listeners.values_mut().filter_map(Option::take)).collect()
    }

    /// Forgets streams that are over, the oldest first, when there are many.
    fn tidy(&mut self) {
        let mut finished = self.open.iter().filter(|stream| stream.is_done()).count();
        let mut bytes: usize = self.open.iter().map(|stream| stream.bytes()).sum();
        self.open.retain(|stream| {
            let goes = stream.is_done()
                && (finished > MAX_FINISHED || (bytes > MAX_BYTES && stream.is_spent()));
            if goes {
                finished -= 1;
                bytes -= stream.bytes();
            }
            !goes
        });
    }
}

/// Who listens to what a session tells unasked. Of several, one is told: the one that came last.
#[derive(Debug)]
pub(super) struct Listener {
    live: Arc<Live>,
    number: u64,
    stream: Arc<EventStream>,
    after: u64,
}

impl Listener {
    /// `after` is the last event that the client has got, if it was here before.
    pub(super) fn new(live: &Arc<Live>, after: Option<u64>) -> Self {
        live.session.listen();
        let mut streams = live.streams();
        streams.last_listener += 1;
        let number = streams.last_listener;
        streams.listeners.insert(number, None);
        let stream = streams
            .unasked
            .get_or_insert_with(|| Arc::new(EventStream::new(0)));
        let stream = Arc::clone(stream);
        drop(streams);
        let after = after.unwrap_or_else(|| stream.last());
        Self {
            live: Arc::clone(live),
            number,
            stream,
            after,
        }
    }

    /// The last event that was given.
    pub(super) const fn after(&self) -> u64 {
        self.after
    }

    /// The next event and its number; `None` when the session is over.
    pub(super) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<(u64, Bytes)>> {
        let mut streams = self.live.streams();
        let newest = streams.listeners.last_key_value();
        if newest.is_some_and(|(newest, _)| *newest != self.number) {
            let waker = cx.waker().clone();
            streams.listeners.insert(self.number, Some(waker));
            // Whoever ends the session wakes all.
            return if self.live.is_over() {
                Poll::Ready(None)
            } else {
                Poll::Pending
            };
        }
        drop(streams);
        loop {
            if let Some((number, frame)) = self.stream.event_after(self.after) {
                self.after = number;
                return Poll::Ready(Some((number, frame)));
            }
            match self.live.session.poll_unsolicited(cx) {
                Poll::Ready(Some(frames)) => self.stream.push_read(&frames),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut streams = self.live.streams();
        streams.listeners.remove(&self.number);
        let wakers = streams.take_wakers();
        drop(streams);
        wakers.into_iter().for_each(Waker::wake);
    }
}
