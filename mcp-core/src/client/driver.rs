//! The loop that carries bytes between a transport and the session of a client.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::error::Disconnected;
use super::handle::Client;
use super::listen::tell_events;
use super::options::OverlongMessage;
use super::restore;
use super::shared::{Phase, Shared};
use super::wire::Wire;
use crate::alarm::Alarm;
use crate::runtime::{BoxFuture, Task};
use crate::session::client::{Answer, AskedKey, ClientEffect, Event};
use crate::transport::{Arrival, Incoming};

/// Frames taken in before something is sent.
const FRAMES: usize = 64;
/// Rounds before others on the same thread get their turn.
const ROUNDS: usize = 16;
/// Rounds of what a server has said before it went away. One that talks on without end does not keep us.
const LAST_ROUNDS: usize = 1_024;
/// How long the rest of what was to be sent may take when the connection is closed.
const FLUSH: Duration = Duration::from_secs(2);

/// One connection of a client.
pub(super) struct Driver<W> {
    shared: Arc<Shared>,
    wire: W,
    /// Nothing is read before something was sent.
    is_held: bool,
    timer: Option<(Instant, BoxFuture<'static, ()>)>,
    /// Rings for the timer, which is seldom ready: most requests are answered long before.
    alarm: Alarm,
    wakers: Vec<Waker>,
    /// Handlers under way, by what they answer.
    serving: HashMap<AskedKey, Task>,
    /// Keeps events coming.
    telling: Option<BoxFuture<'static, ()>>,
    stage: Stage,
}

/// What was found to read.
enum Input {
    /// As much as one round takes, and perhaps more.
    More,
    /// All there was.
    None,
    /// Nothing more is read before something was sent.
    Held,
}

/// What comes after a round.
enum Turn {
    /// Another, which may find more to do.
    Again,
    /// Nothing, until somebody wakes the driver.
    Rest,
    /// The connection is to end.
    Close,
}

enum Stage {
    Open,
    /// What waits is still sent, until then.
    Flushing(BoxFuture<'static, ()>),
    /// The transport is being closed.
    Closing,
    Done,
}

impl<W: Wire> Driver<W> {
    pub(super) fn new(shared: Arc<Shared>, wire: W) -> Self {
        Self {
            shared,
            wire,
            is_held: false,
            timer: None,
            alarm: Alarm::new(),
            wakers: Vec::new(),
            serving: HashMap::new(),
            telling: None,
            stage: Stage::Open,
        }
    }

    /// One round.
    fn turn(&mut self, cx: &mut Context<'_>) -> Result<Turn, Disconnected> {
        let wrote = match self.wire.poll_output(&self.shared, &mut self.is_held, cx) {
            Ok(wrote) => wrote,
            Err(error) => {
                // What the server has said before it went away counts, and often says why it did.
                self.is_held = false;
                for _ in 0..LAST_ROUNDS {
                    if !matches!(self.poll_input(cx)?, Input::More) {
                        break;
                    }
                }
                return Err(Disconnected::Failed(Arc::new(error)));
            }
        };
        let reads_on = match self.poll_input(cx)? {
            Input::More => true,
            Input::Held => wrote,
            Input::None => false,
        };
        self.poll_telling(cx);
        let mut state = self.shared.lock();
        if state.session.wants_time() {
            state.session.look_at_clock(self.shared.runtime.now());
        }
        let deadline = state.session.deadline();
        // What has come may have made something to send.
        let writes_on = self.wire.can_send(&state.session);
        let is_closing = matches!(state.phase, Phase::Closing);
        drop(state);
        let fired = self.poll_timer(deadline, cx);
        Ok(if is_closing {
            Turn::Close
        } else if reads_on || writes_on || fired {
            Turn::Again
        } else {
            Turn::Rest
        })
    }

    /// Takes in what has come.
    fn poll_input(&mut self, cx: &mut Context<'_>) -> Result<Input, Disconnected> {
        for _ in 0..FRAMES {
            if self.is_held {
                return Ok(Input::Held);
            }
            let arrival = match self.wire.poll_input(cx) {
                Poll::Pending => return Ok(Input::None),
                Poll::Ready(Ok(Some(arrival))) => arrival,
                Poll::Ready(Ok(None)) => return Err(Disconnected::ByServer),
                Poll::Ready(Err(error)) => return Err(Disconnected::Failed(Arc::new(error))),
            };
            self.take_in(arrival)?;
        }
        Ok(Input::More)
    }

    fn take_in(&mut self, arrival: Arrival) -> Result<(), Disconnected> {
        let mut state = self.shared.lock();
        let weight = match arrival {
            Arrival::Message(Incoming::Frame(frame)) => {
                state.session.receive(&frame);
                frame.len()
            }
            Arrival::Message(Incoming::Overlong { head, limit }) => {
                match self.shared.options.overlong {
                    OverlongMessage::Close => return Err(Disconnected::Overlong(limit)),
                    OverlongMessage::Skip => state.session.receive_overlong(&head, limit),
                }
                head.len()
            }
            Arrival::Last { id, incoming } => state.session.take_last(id, &incoming),
            Arrival::Refused { id, error } => {
                state.session.fail(id, Answer::Error(error));
                0
            }
            Arrival::Failed { id, error, sent } => {
                let error = Arc::new(error);
                state.session.fail(id, Answer::Failed { error, sent });
                0
            }
            Arrival::Reopened => {
                restore::after_reopening(&self.shared, &mut state, &mut self.wakers);
                0
            }
        };
        let mut effects = Vec::new();
        while let Some(effect) = state.session.poll_effect() {
            match effect {
                ClientEffect::Event(event) => {
                    state.cache.on_event(&event);
                    if let Event::Log(_) = &event
                        && self.shared.handlers.log.is_some()
                    {
                        effects.push(ClientEffect::Event(event.clone()));
                    }
                    state.events.push(event, weight, &mut self.wakers);
                }
                ClientEffect::Stale(change) => state.cache.on_change(&change),
                effect => effects.push(effect),
            }
        }
        state.session.take_wakers(&mut self.wakers);
        self.is_held = state.session.is_full();
        drop(state);
        self.wake();
        for effect in effects {
            self.apply(effect);
        }
        Ok(())
    }

    fn apply(&mut self, effect: ClientEffect) {
        match effect {
            ClientEffect::Serve(key, asked) => {
                let client = Client::uncounted(Arc::clone(&self.shared));
                let shared = Arc::clone(&self.shared);
                let answering = async move {
                    let answer = shared.handlers.answer(asked.request, client).await;
                    shared.lock().session.respond(key, answer);
                    shared.wake_driver();
                };
                let task = self.shared.runtime.spawn(Box::pin(answering));
                let state = self.shared.lock();
                self.serving.retain(|key, _| state.session.is_asked(*key));
                drop(state);
                self.serving.insert(key, task);
            }
            ClientEffect::Withdraw(key) => {
                self.serving.remove(&key);
            }
            ClientEffect::Event(Event::Log(message)) => {
                if let Some(log) = &self.shared.handlers.log {
                    let call = std::panic::AssertUnwindSafe(|| log(&message));
                    if std::panic::catch_unwind(call).is_err() {
                        crate::diagnostics::panicked("handler", "on_log");
                    }
                }
            }
            ClientEffect::Event(_) | ClientEffect::Stale(_) => {}
        }
    }

    /// Tells the session when its next deadline has passed.
    fn poll_timer(&mut self, deadline: Option<Instant>, cx: &Context<'_>) -> bool {
        let Some(deadline) = deadline else {
            self.timer = None;
            return false;
        };
        // One that is early only makes the session look in vain.
        if self.timer.as_ref().is_none_or(|(at, _)| *at > deadline) {
            self.timer = Some((deadline, self.shared.runtime.sleep_until(deadline)));
            self.alarm.ring();
        }
        let (Some((at, timer)), Some(mut bell)) = (&mut self.timer, self.alarm.answer(cx)) else {
            return false;
        };
        if timer.poll_unpin(&mut bell).is_pending() {
            return false;
        }
        // Whatever the clock says: a timer that is early must not make this a loop without end.
        let now = self.shared.runtime.now().max(*at);
        self.timer = None;
        let mut state = self.shared.lock();
        state.session.handle_timeout(now);
        state.session.take_wakers(&mut self.wakers);
        drop(state);
        self.wake();
        true
    }

    fn poll_telling(&mut self, cx: &mut Context<'_>) {
        if self.telling.is_none() {
            let filter = self.shared.lock().telling.take();
            self.telling = filter.map(|filter| {
                let shared = Arc::clone(&self.shared);
                Box::pin(tell_events(shared, filter)) as BoxFuture<'static, ()>
            });
        }
        if let Some(telling) = &mut self.telling
            && telling.poll_unpin(cx).is_ready()
        {
            self.telling = None;
        }
    }

    fn wake(&mut self) {
        for waker in self.wakers.drain(..) {
            waker.wake();
        }
    }

    /// Nothing can be sent or received from here on: whoever waits is told so at once.
    fn lose(&mut self, why: Disconnected) {
        let mut state = self.shared.lock();
        state.phase = Phase::Lost(why);
        state.session.handle_end();
        while state.session.poll_effect().is_some() {}
        state.session.take_wakers(&mut self.wakers);
        state.events.end(&mut self.wakers);
        drop(state);
        self.serving.clear();
        self.telling = None;
        self.wake();
        self.stage = Stage::Closing;
    }

    fn finish(&mut self) {
        let mut state = self.shared.lock();
        let why = state.phase.why();
        state.phase = Phase::Done(why);
        self.wakers.append(&mut state.closers);
        drop(state);
        self.stage = Stage::Done;
        self.wake();
    }

    /// Sends the rest; true when that is done, or was long enough.
    fn flush(&mut self, cx: &mut Context<'_>) -> bool {
        let written = match self.wire.poll_output(&self.shared, &mut self.is_held, cx) {
            Ok(_) => self.wire.is_drained(&self.shared.lock().session),
            Err(_) => true,
        };
        let Stage::Flushing(timer) = &mut self.stage else {
            return true;
        };
        written || timer.poll_unpin(cx).is_ready()
    }

    fn step(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        match &mut self.stage {
            Stage::Open => match self.turn(cx) {
                Err(why) => {
                    self.lose(why);
                    Poll::Ready(true)
                }
                Ok(Turn::Close) => {
                    let runtime = &self.shared.runtime;
                    let until = runtime.now().checked_add(FLUSH);
                    let timer = until.map(|until| runtime.sleep_until(until));
                    // Whoever still waits is told so before the rest goes out.
                    self.lose(Disconnected::Closed);
                    self.stage = timer.map_or(Stage::Closing, Stage::Flushing);
                    Poll::Ready(true)
                }
                Ok(Turn::Again) => Poll::Ready(true),
                Ok(Turn::Rest) => Poll::Ready(false),
            },
            Stage::Flushing(_) => {
                if !self.flush(cx) {
                    return Poll::Pending;
                }
                self.stage = Stage::Closing;
                Poll::Ready(true)
            }
            Stage::Closing => match self.wire.poll_close(cx) {
                Poll::Pending => Poll::Pending,
                // What did not end as it should was released all the same.
                Poll::Ready(_) => {
                    self.finish();
                    Poll::Ready(true)
                }
            },
            Stage::Done => Poll::Ready(false),
        }
    }
}

impl<W: Wire> Future for Driver<W> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        this.shared.register_driver(cx);
        for _ in 0..ROUNDS {
            match this.step(cx) {
                Poll::Ready(true) => {}
                Poll::Ready(false) if matches!(this.stage, Stage::Done) => return Poll::Ready(()),
                Poll::Ready(false) | Poll::Pending => return Poll::Pending,
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<W> Drop for Driver<W> {
    fn drop(&mut self) {
        if matches!(self.stage, Stage::Done) {
            return;
        }
        let mut state = self.shared.lock();
        let why = match &state.phase {
            Phase::Open => Disconnected::RuntimeEnded,
            phase => phase.why(),
        };
        state.phase = Phase::Done(why);
        state.session.handle_end();
        while state.session.poll_effect().is_some() {}
        state.session.take_wakers(&mut self.wakers);
        state.events.end(&mut self.wakers);
        self.wakers.append(&mut state.closers);
        drop(state);
        for waker in self.wakers.drain(..) {
            waker.wake();
        }
    }
}
