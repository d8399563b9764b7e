//! One task a child: it reads what the child writes to its standard error, and sees it end.

use std::future::poll_fn;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::process::ChildStderr;
use tokio::task::AbortHandle;

use super::command::Stderr;
use super::ended::ChildEnded;
use super::process::Process;
use super::stderr::{Drain, Tail};

/// Tells that some child of ours has ended.
pub(super) struct Exits {
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
    #[cfg(not(unix))]
    interval: tokio::time::Interval,
}

impl Exits {
    #[cfg(unix)]
    pub(super) fn new() -> io::Result<Self> {
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child())?;
        Ok(Self { signal })
    }

    #[cfg(not(unix))]
    pub(super) fn new() -> io::Result<Self> {
        let interval = tokio::time::interval(std::time::Duration::from_millis(50));
        Ok(Self { interval })
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        #[cfg(unix)]
        return self.signal.poll_recv(cx).map(drop);
        #[cfg(not(unix))]
        return self.interval.poll_tick(cx).map(drop);
    }
}

/// What is known of a child. Dropping it kills the child.
pub(super) struct Watch {
    seen: Arc<Seen>,
    task: AbortHandle,
    pub(super) program: String,
}

struct Seen {
    process: Mutex<Process>,
    tail: Arc<Tail>,
    has_ended: AtomicBool,
    /// Nothing more comes on its standard error.
    is_silent: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Watch {
    pub(super) fn start(
        program: String,
        process: Process,
        mut exits: Exits,
        stderr: Option<ChildStderr>,
        policy: Stderr,
    ) -> Self {
        let tail = Arc::new(Tail::default());
        let seen = Arc::new(Seen {
            process: Mutex::new(process),
            tail: Arc::clone(&tail),
            has_ended: AtomicBool::new(false),
            is_silent: AtomicBool::new(stderr.is_none()),
            waker: Mutex::new(None),
        });
        let mut drain = stderr.map(|stderr| Drain::new(stderr, tail, &program, policy));
        // It must not keep the child alive.
        let watched = Arc::downgrade(&seen);
        let watching = poll_fn(move |cx| {
            let mut news = false;
            if let Some(reading) = &mut drain
                && reading.poll(cx).is_ready()
            {
                drain = None;
                news = true;
            }
            let Some(seen) = watched.upgrade() else {
                return Poll::Ready(());
            };
            if drain.is_none() {
                seen.is_silent.store(true, Ordering::Release);
            }
            // The signal may tell of any child. In this order none is missed.
            while exits.poll(cx).is_ready() {}
            if !seen.has_ended.load(Ordering::Acquire) && seen.process().has_ended() {
                seen.has_ended.store(true, Ordering::Release);
                news = true;
            }
            if news {
                seen.wake();
            }
            if drain.is_none() && seen.has_ended.load(Ordering::Acquire) {
                return Poll::Ready(());
            }
            Poll::Pending
        });
        let task = tokio::spawn(watching).abort_handle();
        Self {
            seen,
            task,
            program,
        }
    }

    pub(super) fn id(&self) -> u32 {
        self.seen.process().id()
    }

    /// Whether the child has ended; whoever asks is woken when it does, and when its standard error ends.
    pub(super) fn has_ended(&self, cx: &Context<'_>) -> bool {
        {
            let mut waker = self
                .seen
                .waker
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            match &mut *waker {
                Some(known) => known.clone_from(cx.waker()),
                None => *waker = Some(cx.waker().clone()),
            }
        }
        self.seen.has_ended.load(Ordering::Acquire)
    }

    /// Whether it can say nothing more.
    pub(super) fn is_silent(&self) -> bool {
        self.seen.is_silent.load(Ordering::Acquire)
    }

    pub(super) fn terminate(&self) {
        self.seen.process().terminate();
    }

    pub(super) fn kill(&self) {
        self.seen.process().kill();
    }

    /// How it ended, if it has. What is left of its group is killed.
    pub(super) fn reap(&self) -> Option<ExitStatus> {
        self.seen.process().reap()
    }

    /// What is known of the end of the child.
    pub(super) fn ended(&self) -> ChildEnded {
        ChildEnded {
            program: self.program.clone(),
            status: self.reap(),
            stderr: self.seen.tail.shown(),
        }
    }
}

impl Seen {
    fn process(&self) -> MutexGuard<'_, Process> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        let waker = self
            .waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}
