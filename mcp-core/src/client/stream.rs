//! A stream of changes, which is opened anew when the server ends it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use super::shared::{Failure, Phase, Shared, Unsent};
use crate::jsonrpc::write_json;
use crate::protocol::{Listen, ListenParams, Request, SubscriptionFilter};
use crate::session::client::{Answer, Change, Listener, Outline, Patience};

/// How long to wait before a stream that the server has ended is opened anew, the first time and at most.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const MAX_DELAY: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Stream {
    shared: Arc<Shared>,
    pub(super) id: u64,
    pub(super) filter: SubscriptionFilter,
    listener: Listener,
    since: Instant,
    delay: Duration,
    /// When it is to be opened anew, while it is not open.
    reopen: Option<Instant>,
    /// Changes were missed, and whoever listens is to be told so as soon as no more are.
    has_missed: bool,
}

/// What happens on a stream.
enum Happening {
    Agreed,
    Change(Change),
    Ended(Answer),
}

impl Stream {
    /// Asks the server for a stream of these changes.
    pub(super) fn open(
        shared: &Arc<Shared>,
        filter: SubscriptionFilter,
        listener: Listener,
    ) -> Result<Self, Failure> {
        let id = ask(shared, &filter, listener)?;
        Ok(Self::of_id(shared, filter, listener, id))
    }

    /// The changes that the server tells everybody and this filter lets through.
    pub(super) fn of_all(
        shared: &Arc<Shared>,
        filter: SubscriptionFilter,
    ) -> Result<Self, Failure> {
        let id = shared.listen_to_all(&filter).map_err(Failure::Unsent)?;
        Ok(Self::of_id(shared, filter, Listener::Subscription, id))
    }

    fn of_id(
        shared: &Arc<Shared>,
        filter: SubscriptionFilter,
        listener: Listener,
        id: u64,
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            id,
            filter,
            listener,
            since: shared.runtime.now(),
            delay: FIRST_DELAY,
            reopen: None,
            has_missed: false,
        }
    }

    /// Waits until the server agrees.
    pub(super) async fn agreed(&self) -> Result<(), Failure> {
        loop {
            let answer = match self.happening(true).await {
                Happening::Agreed => return Ok(()),
                Happening::Change(_) => continue,
                Happening::Ended(answer) => answer,
            };
            return Err(match answer {
                Answer::Gone { .. } | Answer::Result(_) if self.shared.is_open() => {
                    Failure::Malformed("the stream ended before it began")
                }
                Answer::Result(_) => Failure::Gone { sent: true },
                Answer::Gone { sent } => Failure::Gone { sent },
                Answer::Error(error) => Failure::Error(error),
                Answer::Timeout { after, sent } => Failure::Timeout { after, sent },
                Answer::Failed { error, sent } => Failure::Failed { error, sent },
                Answer::Overlong(limit) => Failure::Overlong(limit),
                Answer::Malformed(why) => Failure::Malformed(why),
            });
        }
    }

    /// The next change; `None` once the connection is gone, and for events, when the server refuses.
    ///
    /// Nothing is lost when the future is dropped.
    pub(super) async fn next(&mut self) -> Option<Change> {
        loop {
            if let Some(at) = self.reopen {
                self.shared.runtime.sleep_until(at).await;
                self.open_anew()?;
            }
            match self.happening(self.has_missed).await {
                Happening::Change(change) => {
                    self.delay = FIRST_DELAY;
                    return Some(change);
                }
                Happening::Agreed => {
                    self.has_missed = false;
                    self.shared.forget_lists(&self.filter);
                    return Some(Change::Missed);
                }
                Happening::Ended(answer) => {
                    let is_refused = matches!(answer, Answer::Error(_));
                    if is_refused && self.listener == Listener::Events {
                        return None;
                    }
                    self.end()?;
                }
            }
        }
    }

    async fn happening(&self, wants_agreement: bool) -> Happening {
        poll_fn(|cx| {
            let mut state = self.shared.lock();
            if wants_agreement && state.session.acknowledged(self.id).is_some() {
                return Poll::Ready(Happening::Agreed);
            }
            if let Some(change) = state.session.take_change(self.id) {
                return Poll::Ready(Happening::Change(change));
            }
            state
                .session
                .poll_answer(self.id, cx.waker())
                .map(Happening::Ended)
        })
        .await
    }

    /// The server has ended the stream: it is to be opened again, later each time unless it lived for a while.
    fn end(&mut self) -> Option<()> {
        if !self.shared.is_open() {
            return None;
        }
        let now = self.shared.runtime.now();
        if now.saturating_duration_since(self.since) >= MAX_DELAY {
            self.delay = FIRST_DELAY;
        }
        self.reopen = Some(now.checked_add(self.delay)?);
        self.delay = (self.delay * 2).min(MAX_DELAY);
        self.has_missed = true;
        self.shared.forget_lists(&self.filter);
        Some(())
    }

    fn open_anew(&mut self) -> Option<()> {
        match ask(&self.shared, &self.filter, self.listener) {
            Ok(id) => {
                self.id = id;
                self.since = self.shared.runtime.now();
                self.reopen = None;
                Some(())
            }
            Err(_) => self.end(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.shared.abandon(self.id, "nobody listens any more");
    }
}

/// Opens a stream, which the server has to agree to in time.
fn ask(
    shared: &Arc<Shared>,
    filter: &SubscriptionFilter,
    listener: Listener,
) -> Result<u64, Failure> {
    let mut params = Vec::new();
    write_json(&mut params, &ListenParams::new(filter.clone()));
    let patience = Patience {
        idle: shared.options.patience.idle,
        total: shared.options.patience.idle,
    };
    let outline = Outline::new(Listen::METHOD, &params, Some(patience));
    let mut state = shared.lock();
    if !matches!(state.phase, Phase::Open) {
        let why = state.phase.why();
        return Err(Failure::Unsent(Unsent::Disconnected(why)));
    }
    let id = (state.session.request(&outline, None)).map_err(|why| Failure::Unsent(why.into()))?;
    state.session.listen(id, listener);
    drop(state);
    shared.wake_driver();
    Ok(id)
}
