//! A world in which nothing happens by itself: a clock wound by hand, tasks and jobs that run when they are let, and a
//! loop that polls only what was woken. A wake-up that is lost is a server that waits for ever, and found at once.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use mcp_core::runtime::{BoxFuture, Job, Runtime, Task};

use crate::peer::Peer;
use crate::{Event, Plan};

/// Polls between two events at most; who needs more goes round in circles.
const MAX_POLLS: usize = 20_000;

#[derive(Clone)]
pub(crate) struct Outside(Arc<Mutex<State>>);

struct State {
    now: Instant,
    timers: Vec<(Instant, Waker)>,
    tasks: Vec<Spawned>,
    jobs: VecDeque<Job>,
    last_key: u64,
}

struct Spawned {
    key: u64,
    /// Not here while it is polled.
    future: Option<BoxFuture<'static, ()>>,
    woken: Arc<Woken>,
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Woken {
    fn new() -> Arc<Self> {
        Arc::new(Self(AtomicBool::new(true)))
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Outside {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            now: Instant::now(),
            timers: Vec::new(),
            tasks: Vec::new(),
            jobs: VecDeque::new(),
            last_key: 0,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nobody panics in here")
    }

    /// Runs the session to its end.
    pub(crate) fn run<T>(
        &self,
        mut session: Pin<Box<dyn Future<Output = T>>>,
        peer: &Peer,
        plan: &Plan,
        stop: Stop,
    ) -> T {
        let woken = Woken::new();
        let waker = Waker::from(Arc::clone(&woken));
        let mut events = plan.events.iter();
        let mut polls = 0;
        loop {
            assert!(polls < MAX_POLLS, "the server goes round in circles");
            polls += 1;
            if woken.take() {
                if let Poll::Ready(ended) = session.as_mut().poll(&mut Context::from_waker(&waker))
                {
                    return ended;
                }
                continue;
            }
            if self.poll_a_task() {
                continue;
            }
            polls = 0;
            match events.next() {
                Some(Event::Say(bytes)) => peer.say(usize::from(*bytes)),
                Some(Event::Take(bytes)) => peer.take(usize::from(*bytes)),
                Some(Event::Wait(millis)) => {
                    self.wind(Duration::from_millis(u64::from(*millis)));
                }
                Some(Event::Work) => drop(self.work()),
                Some(Event::Stop) => stop.stop(),
                None => assert!(
                    peer.say_all() || peer.take_all() || self.work() || self.wind_to_timer(),
                    "the server waits for what will never happen"
                ),
            }
        }
    }

    /// Ends the tasks that are left, which hold the world as it holds them.
    pub(crate) fn clear(&self) {
        let tasks = std::mem::take(&mut self.lock().tasks);
        drop(tasks);
    }

    /// Polls tasks until none was woken.
    pub(crate) fn settle(&self) {
        let polled = (0..MAX_POLLS).take_while(|_| self.poll_a_task()).count();
        assert!(polled < MAX_POLLS, "a task goes round in circles");
    }

    /// False when none was woken.
    fn poll_a_task(&self) -> bool {
        let mut state = self.lock();
        let Some(task) = state.tasks.iter_mut().find(|task| task.woken.take()) else {
            return false;
        };
        let (key, woken) = (task.key, Arc::clone(&task.woken));
        let future = task.future.take();
        drop(state);
        let Some(mut future) = future else {
            return true;
        };
        let waker = Waker::from(woken);
        let ended = future.as_mut().poll(&mut Context::from_waker(&waker));
        let mut state = self.lock();
        if ended.is_ready() {
            state.tasks.retain(|task| task.key != key);
        } else if let Some(task) = state.tasks.iter_mut().find(|task| task.key == key) {
            task.future = Some(future);
            return true;
        }
        drop(state);
        // Whatever it holds may need the lock to end.
        drop(future);
        true
    }

    /// Does a job; false when there is none.
    fn work(&self) -> bool {
        let job = self.lock().jobs.pop_front();
        let Some(job) = job else { return false };
        job();
        true
    }

    fn wind(&self, by: Duration) {
        let due = {
            let mut state = self.lock();
            state.now += by;
            let now = state.now;
            let (due, later) = std::mem::take(&mut state.timers)
                .into_iter()
                .partition(|(deadline, _)| *deadline <= now);
            state.timers = later;
            due
        };
        let due: Vec<(Instant, Waker)> = due;
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Winds the clock to the next timer; false when there is none.
    fn wind_to_timer(&self) -> bool {
        let state = self.lock();
        let next = state.timers.iter().map(|(deadline, _)| *deadline).min();
        let Some(by) = next.map(|next| next.saturating_duration_since(state.now)) else {
            return false;
        };
        drop(state);
        self.wind(by);
        true
    }
}

impl Runtime for Outside {
    fn now(&self) -> Instant {
        self.lock().now
    }

    fn unix_time(&self) -> Duration {
        Duration::from_secs(1_000_000_000)
    }

    fn fill_random(&self, buffer: &mut [u8]) -> std::io::Result<()> {
        buffer.fill(7);
        Ok(())
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<'static, ()> {
        let this = self.clone();
        Box::pin(poll_fn(move |cx| {
            let mut state = this.lock();
            if state.now >= deadline {
                return Poll::Ready(());
            }
            state.timers.push((deadline, cx.waker().clone()));
            Poll::Pending
        }))
    }

    fn spawn(&self, future: BoxFuture<'static, ()>) -> Task {
        let mut state = self.lock();
        state.last_key += 1;
        let key = state.last_key;
        state.tasks.push(Spawned {
            key,
            future: Some(future),
            woken: Woken::new(),
        });
        let this = self.clone();
        Task::new(move || {
            let mut state = this.lock();
            let at = state.tasks.iter().position(|task| task.key == key);
            let ended = at.map(|at| state.tasks.swap_remove(at));
            drop(state);
            drop(ended);
        })
    }

    fn blocking(&self, job: Job) {
        self.lock().jobs.push_back(job);
    }
}

/// Asks the session to stop.
pub(crate) struct Stop(Arc<Mutex<(bool, Option<Waker>)>>);

impl Stop {
    fn stop(&self) {
        let mut state = self.0.lock().expect("nobody panics in here");
        state.0 = true;
        if let Some(waker) = state.1.take() {
            waker.wake();
        }
    }
}

/// A wish to stop and the wait for it.
pub(crate) fn stop() -> (Stop, impl Future<Output = ()> + Send + 'static) {
    let state = Arc::new(Mutex::new((false, None)));
    let stop = Stop(Arc::clone(&state));
    let stopped = poll_fn(move |cx| {
        let mut state = state.lock().expect("nobody panics in here");
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(cx.waker().clone());
        Poll::Pending
    });
    (stop, stopped)
}
