use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{BoxFuture, Job, Runtime, Task};

/// How many jobs may block at once. Further ones wait their turn.
const MAX_THREADS: usize = 64;
/// How long an idle thread waits for another job.
const IDLE: Duration = Duration::from_secs(10);

/// A [`Runtime`] on tokio: its clock, timers and tasks, and threads of our own for what blocks.
///
/// tokio's own blocking pool waits for its jobs when the runtime ends, so one stuck job would keep the process alive;
/// these threads are detached.
///
/// Serving on a transport of one's own takes no more than this:
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_core::runtime::TokioRuntime;
/// use mcp_core::transport::memory;
/// use mcp_core::{Closed, Server};
///
/// # let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # tokio.block_on(async {
/// let server = Server::new("calculator", "1.0.0").build()?;
/// let (transport, client) = memory(4096);
/// drop(client);
/// let shutdown = std::future::pending();
/// let closed = server.serve(transport, Arc::new(TokioRuntime::new()), shutdown).await?;
/// assert_eq!(closed, Closed::EndOfInput);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct TokioRuntime {
    pool: Arc<Pool>,
}

impl TokioRuntime {
    /// A runtime for use inside tokio: `spawn` and `sleep_until` panic outside of a tokio runtime, and the latter where
    /// time is not enabled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this file is where the clock and the threads come from"
)]
impl Runtime for TokioRuntime {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn unix_time(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }

    fn fill_random(&self, buffer: &mut [u8]) -> io::Result<()> {
        getrandom::fill(buffer).map_err(io::Error::other)
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep_until(deadline.into()))
    }

    fn spawn(&self, future: BoxFuture<'static, ()>) -> Task {
        let task = tokio::spawn(future);
        Task::new(move || task.abort())
    }

    fn blocking(&self, job: Job) {
        let mut state = self.pool.lock();
        state.jobs.push_back(job);
        if state.idle >= state.jobs.len() {
            self.pool.arrived.notify_one();
        } else if state.threads < MAX_THREADS {
            state.threads += 1;
            let pool = Arc::clone(&self.pool);
            let started = std::thread::Builder::new().spawn(move || pool.work());
            if started.is_err() {
                state.threads -= 1;
                if state.threads == 0 {
                    // Nobody would ever come for it. Whoever waits for the job learns that it was dropped.
                    state.jobs.pop_back();
                }
            }
        }
    }
}

/// What this program is called: the name of a client that was given none.
#[must_use]
pub fn program_name() -> String {
    let path = std::env::current_exe().ok();
    let name = path.as_deref().and_then(|path| path.file_stem());
    name.map_or_else(
        || "mcp-client".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[derive(Debug, Default)]
struct Pool {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("jobs", &self.jobs.len())
            .field("threads", &self.threads)
            .field("idle", &self.idle)
            .finish()
    }
}

impl Pool {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(job) = self.next_job() {
            // A job that panics must not take its thread's place in the count along.
            let _: std::thread::Result<()> =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
        }
    }

    /// Waits for a job; `None` ends the thread, which is no longer counted then.
    fn next_job(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            state.idle += 1;
            let (woken, waited) = self
                .arrived
                .wait_timeout(state, IDLE)
                .unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if waited.timed_out() && state.jobs.is_empty() {
                state.threads -= 1;
                return None;
            }
        }
    }
}
