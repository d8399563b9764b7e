use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use crate::runtime::{BoxFuture, Job, Runtime, Task};

/// A [`Runtime`] in one thread, whose clock moves by hand only.
///
/// Tasks and jobs run when [`run`](Self::run) is called, in the order in which they became ready, so that a test gives
/// the same result each time. Clones are handles on the same runtime; lend one to tools that have to sleep.
///
/// ```
/// use std::time::Duration;
/// use mcp_core::testing::TestRuntime;
///
/// let runtime = TestRuntime::new();
/// let sleep = runtime.sleep(Duration::from_secs(3600));
/// runtime.advance(Duration::from_secs(3600));
/// runtime.block_on(sleep);
/// assert_eq!(runtime.elapsed(), Duration::from_secs(3600));
/// ```
#[derive(Clone)]
pub struct TestRuntime {
    state: Arc<Mutex<State>>,
    start: Instant,
}

struct State {
    now: Instant,
    next_key: u64,
    /// Who wants to be woken when, by timer.
    timers: BTreeMap<u64, (Instant, Waker)>,
    tasks: BTreeMap<u64, Spawned>,
    jobs: VecDeque<Job>,
    holds_jobs: bool,
    next_random: u64,
}

struct Spawned {
    /// Gone while the task is being polled.
    future: Option<BoxFuture<'static, ()>>,
    woken: Arc<Woken>,
}

impl TestRuntime {
    /// A runtime at the beginning of its time.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "a point to count from: only differences to it are ever seen"
    )]
    pub fn new() -> Self {
        let start = Instant::now();
        let state = State {
            now: start,
            next_key: 0,
            timers: BTreeMap::new(),
            tasks: BTreeMap::new(),
            jobs: VecDeque::new(),
            holds_jobs: false,
            next_random: 1,
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            start,
        }
    }

    /// How far the clock was moved.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.lock().now.saturating_duration_since(self.start)
    }

    /// How long it is until the next timer, if anyone waits for one.
    #[must_use]
    pub fn next_timer(&self) -> Option<Duration> {
        let state = self.lock();
        let next = state.timers.values().map(|(deadline, _)| *deadline).min()?;
        Some(next.saturating_duration_since(state.now))
    }

    /// Moves the clock on. Timers on the way fire one after the other, each at its time, and what they wake runs.
    pub fn advance(&self, by: Duration) {
        self.advance_with(by, || {
            self.run();
        });
    }

    /// As [`advance`](Self::advance), with something else to do at each stop.
    pub(super) fn advance_with(&self, by: Duration, mut run: impl FnMut()) {
        let Some(end) = self.now().checked_add(by) else {
            return;
        };
        run();
        while let Some(stop) = self.next_stop(end) {
            self.set(stop);
            run();
        }
        self.set(end);
    }

    /// Becomes ready when the clock was moved on by this much.
    pub fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send + Unpin + use<> {
        Sleep {
            runtime: self.clone(),
            deadline: self.now().checked_add(duration),
            key: None,
        }
    }

    /// Polls tasks and runs jobs until none is ready; says whether there was anything to do.
    #[expect(
        clippy::must_use_candidate,
        reason = "whether there was anything to do matters to loops only"
    )]
    pub fn run(&self) -> bool {
        let mut busy = false;
        while self.run_job() || self.run_task() {
            busy = true;
        }
        busy
    }

    /// Polls a future, and everything spawned, until the future is ready.
    ///
    /// # Panics
    ///
    /// When the future waits for what will not happen by itself: the clock does not move in here.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let woken = Woken::new();
        let waker = Waker::from(Arc::clone(&woken));
        loop {
            if woken.take()
                && let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker))
            {
                return output;
            }
            let busy = self.run();
            assert!(
                busy || woken.is_set(),
                "the future waits for something that does not happen; the clock is moved by hand"
            );
        }
    }

    /// Keeps jobs that block until [`release_jobs`](Self::release_jobs), as when all threads are busy. Otherwise they
    /// run as soon as the runtime runs.
    pub fn hold_jobs(&self) {
        self.lock().holds_jobs = true;
    }

    /// Lets jobs run that were held back; they do with the next [`run`](Self::run).
    pub fn release_jobs(&self) {
        self.lock().holds_jobs = false;
    }

    /// How many jobs wait to be run.
    #[must_use]
    pub fn waiting_jobs(&self) -> usize {
        self.lock().jobs.len()
    }

    fn run_job(&self) -> bool {
        let job = {
            let mut state = self.lock();
            if state.holds_jobs {
                return false;
            }
            state.jobs.pop_front()
        };
        // A job that panics fails its call and nothing else, as on a thread.
        job.is_some_and(|job| {
            let _: std::thread::Result<()> =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            true
        })
    }

    fn run_task(&self) -> bool {
        let taken = {
            let mut state = self.lock();
            let ready = state.tasks.iter_mut().find(|(_, task)| task.woken.is_set());
            ready.and_then(|(key, task)| Some((*key, task.future.take()?, Arc::clone(&task.woken))))
        };
        let Some((key, mut future, woken)) = taken else {
            return false;
        };
        woken.take();
        let waker = Waker::from(woken);
        let done = future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready();
        // The lock is released before a future is dropped: dropping it may end other tasks.
        let over = {
            let mut state = self.lock();
            if done {
                state.tasks.remove(&key);
                Some(future)
            } else if let Some(task) = state.tasks.get_mut(&key) {
                task.future = Some(future);
                None
            } else {
                Some(future)
            }
        };
        drop(over);
        true
    }

    fn next_stop(&self, end: Instant) -> Option<Instant> {
        let state = self.lock();
        let next = state.timers.values().map(|(deadline, _)| *deadline).min()?;
        (next <= end).then_some(next.max(state.now))
    }

    fn set(&self, now: Instant) {
        let due = {
            let mut state = self.lock();
            state.now = now;
            let due = state.timers.iter().filter(|(_, timer)| timer.0 <= now);
            let due: Vec<_> = due.map(|(key, _)| *key).collect();
            let wakers = due.iter().filter_map(|key| state.timers.remove(key));
            wakers.collect::<Vec<_>>()
        };
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }

    fn key(state: &mut State) -> u64 {
        state.next_key += 1;
        state.next_key
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for TestRuntime {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TestRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("TestRuntime")
            .field("elapsed", &state.now.saturating_duration_since(self.start))
            .field("timers", &state.timers.len())
            .field("tasks", &state.tasks.len())
            .field("jobs", &state.jobs.len())
            .finish_non_exhaustive()
    }
}

impl Runtime for TestRuntime {
    fn now(&self) -> Instant {
        self.lock().now
    }

    /// The clock on the wall starts at one billion seconds and goes with the other one.
    fn unix_time(&self) -> Duration {
        Duration::from_secs(1_000_000_000) + self.elapsed()
    }

    /// Bytes that are the same in every test, and others at every call.
    fn fill_random(&self, buffer: &mut [u8]) -> io::Result<()> {
        let mut state = self.lock();
        for byte in buffer {
            state.next_random = state.next_random.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5555_5555;
            *byte = (state.next_random >> 56) as u8;
        }
        Ok(())
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<'static, ()> {
        Box::pin(Sleep {
            runtime: self.clone(),
            deadline: Some(deadline),
            key: None,
        })
    }

    fn spawn(&self, future: BoxFuture<'static, ()>) -> Task {
        let key = {
            let mut state = self.lock();
            let key = Self::key(&mut state);
            let task = Spawned {
                future: Some(future),
                woken: Woken::new(),
            };
            state.tasks.insert(key, task);
            key
        };
        let runtime = self.clone();
        Task::new(move || {
            let task = runtime.lock().tasks.remove(&key);
            drop(task);
        })
    }

    fn blocking(&self, job: Job) {
        self.lock().jobs.push_back(job);
    }
}

/// A timer; it is forgotten when it is dropped.
struct Sleep {
    runtime: TestRuntime,
    /// `None` for a time that never comes.
    deadline: Option<Instant>,
    key: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        let runtime = self.runtime.clone();
        let mut state = runtime.lock();
        if state.now >= deadline {
            return Poll::Ready(());
        }
        let key = match self.key {
            Some(key) => key,
            None => TestRuntime::key(&mut state),
        };
        self.key = Some(key);
        state.timers.insert(key, (deadline, cx.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let timer = self.runtime.lock().timers.remove(&key);
            drop(timer);
        }
    }
}

/// Whether someone was woken and not yet polled. Set at first, since everything is polled once.
pub(super) struct Woken(AtomicBool);

impl Woken {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicBool::new(true)))
    }

    pub(super) fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn timers_fire_in_order_each_at_its_time() {
        let runtime = TestRuntime::new();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let tasks: Vec<_> = [3, 1]
            .map(|seconds| {
                let (runtime_, seen) = (runtime.clone(), Arc::clone(&seen));
                runtime.spawn(Box::pin(async move {
                    runtime_.sleep(SECOND * seconds).await;
                    seen.lock().unwrap().push(runtime_.elapsed());
                    runtime_.sleep(SECOND).await;
                    seen.lock().unwrap().push(runtime_.elapsed());
                }))
            })
            .into();
        runtime.advance(SECOND * 10);
        assert_eq!(
            *seen.lock().unwrap(),
            [SECOND, SECOND * 2, SECOND * 3, SECOND * 4]
        );
        assert_eq!(runtime.elapsed(), SECOND * 10);
        assert_eq!(runtime.next_timer(), None);
        drop(tasks);
    }

    #[test]
    fn a_task_whose_handle_is_dropped_is_dropped_with_its_timers() {
        let runtime = TestRuntime::new();
        let sleep = runtime.sleep(SECOND);
        let task = runtime.spawn(Box::pin(sleep));
        runtime.run();
        assert_eq!(runtime.next_timer(), Some(SECOND));
        drop(task);
        assert_eq!(runtime.next_timer(), None);
    }

    #[test]
    fn held_jobs_run_once_they_are_released() {
        let runtime = TestRuntime::new();
        runtime.hold_jobs();
        let ran = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ran);
        runtime.blocking(Box::new(move || flag.store(true, Ordering::Relaxed)));
        assert!(!runtime.run() && runtime.waiting_jobs() == 1);
        runtime.release_jobs();
        assert!(runtime.run() && ran.load(Ordering::Relaxed));
    }

    #[test]
    #[should_panic(expected = "the clock is moved by hand")]
    fn waiting_for_the_clock_without_moving_it_is_reported() {
        let runtime = TestRuntime::new();
        runtime.block_on(runtime.sleep(SECOND));
    }
}
