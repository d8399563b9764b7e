//! What the driver asks of the outside: the clock, timers, tasks and threads.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::{Duration, Instant};

#[cfg(feature = "tokio")]
mod tokio;

#[cfg(feature = "tokio")]
pub use self::tokio::{TokioRuntime, program_name};

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Work for a thread that may block. When it panics, the call that it belongs to is answered as one that failed.
pub type Job = Box<dyn FnOnce() + Send + 'static>;

/// What the driver asks of the outside.
///
/// mcp-core reads no clock and starts nothing by itself. Feature `tokio` has one for tokio, `testing` one whose clock
/// is wound by hand.
pub trait Runtime: Send + Sync + 'static {
    /// The time now, never going back.
    fn now(&self) -> Instant;

    /// The time of day, since the beginning of 1970 (UTC). It is what the expiry of sealed request state is measured by.
    fn unix_time(&self) -> Duration;

    /// Fills a buffer with random bytes that nobody can guess, for keys.
    ///
    /// # Errors
    ///
    /// When the system has none.
    fn fill_random(&self, buffer: &mut [u8]) -> io::Result<()>;

    /// Becomes ready at the deadline, or at once when it has passed.
    fn sleep_until(&self, deadline: Instant) -> BoxFuture<'static, ()>;

    /// Runs a future to its end beside the caller; dropping the handle drops the future. A client asks this
    /// for its connection and for its handlers, a server only where it
    /// [moves its calls to tasks](crate::Server::spawn_handlers).
    fn spawn(&self, future: BoxFuture<'static, ()>) -> Task;

    /// Runs a job on a thread that may block. The threads are bounded in number and never hold the process's exit; a
    /// job that finds all of them busy waits.
    fn blocking(&self, job: Job);
}

/// A running task, which ends when this is dropped.
pub struct Task(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Task {
    /// A handle that calls `abort` when it is dropped.
    pub fn new(abort: impl FnOnce() + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(abort)))
    }
}

impl Task {
    /// Lets the future run to its end, which nobody waits for.
    pub fn detach(mut self) {
        self.0 = None;
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").finish_non_exhaustive()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(abort) = self.0.take() {
            abort();
        }
    }
}
