//! Subscriptions to changes, in whatever way the revision has.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions>

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::shared::{Failure, Phase, Shared};
use crate::jsonrpc::write_json;
use crate::protocol::{
    Listen, ListenParams, Request, Subscribe, SubscribeParams, SubscriptionFilter, Unsubscribe,
};
use crate::session::client::{Answer, Change, Listener, Outline, Patience};

/// How long to wait before a stream that the server has ended is opened anew, the first time and at most.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const MAX_DELAY: Duration = Duration::from_secs(30);

/// A stream of changes. It is opened anew when the server ends it, and ends with the connection or when it is dropped.
#[derive(Debug)]
#[must_use = "the server stops telling when the subscription is dropped"]
pub struct Subscription {
    client: Client,
    id: u64,
    filter: SubscriptionFilter,
    delay: Duration,
    /// The resources that the server was asked to watch, where it does not know of streams.
    watched: Vec<String>,
}

impl Client {
    /// Asks to be told of these changes: by `subscriptions/listen` in 2026-07-28; before, a server tells of its lists by
    /// itself, and each resource is subscribed to.
    ///
    /// # Errors
    ///
    /// When the server refuses, or does not agree in time.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends what was begun.
    pub async fn listen(&self, filter: SubscriptionFilter) -> Result<Subscription, ClientError> {
        if self.server().version.has_listen() {
            self.listen_by_stream(filter).await
        } else {
            self.listen_by_subscriptions(filter).await
        }
    }

    /// Asks to be told when one of these resources changes.
    ///
    /// # Errors
    ///
    /// As [`listen`](Self::listen).
    pub async fn subscribe<U: Into<String>>(
        &self,
        uris: impl IntoIterator<Item = U>,
    ) -> Result<Subscription, ClientError> {
        let uris: Vec<String> = uris.into_iter().map(Into::into).collect();
        self.listen(SubscriptionFilter::default().with_resource_subscriptions(uris))
            .await
    }

    async fn listen_by_stream(
        &self,
        filter: SubscriptionFilter,
    ) -> Result<Subscription, ClientError> {
        let subscription = Subscription {
            id: open(self.shared(), &filter, Listener::Subscription)
                .map_err(|failure| self.shared().failure(Listen::METHOD, failure))?,
            client: self.clone(),
            filter,
            delay: FIRST_DELAY,
            watched: Vec::new(),
        };
        subscription.acknowledged_by_server().await?;
        Ok(subscription)
    }

    async fn listen_by_subscriptions(
        &self,
        filter: SubscriptionFilter,
    ) -> Result<Subscription, ClientError> {
        let uris = filter.resource_subscriptions.clone().unwrap_or_default();
        if !uris.is_empty() {
            self.expect_offer::<Subscribe>(|offered| {
                let resources = offered.resources.as_ref();
                resources.is_some_and(|resources| resources.subscribe == Some(true))
            })?;
        }
        let shared = self.shared();
        let id = shared.lock().session.listen_to_all(filter.clone());
        let id =
            id.map_err(|why| shared.failure(Subscribe::METHOD, Failure::Unsent(why.into())))?;
        let mut subscription = Subscription {
            client: self.clone(),
            id,
            filter,
            delay: FIRST_DELAY,
            watched: Vec::new(),
        };
        for uri in uris {
            let is_first = {
                let mut state = shared.lock();
                let count = state.watched.entry(uri.clone()).or_default();
                *count += 1;
                *count == 1
            };
            subscription.watched.push(uri.clone());
            if is_first {
                self.request::<Subscribe>(&SubscribeParams::new(uri))
                    .await?;
            }
        }
        Ok(subscription)
    }

    /// What the events of a client need in a revision where servers tell nothing unasked.
    pub(super) fn listen_for_events(&self) {
        let Some(server) = self
            .shared()
            .server
            .get()
            .filter(|server| server.version.has_listen())
        else {
            return;
        };
        let capabilities = &server.capabilities;
        let changes = |declared: Option<bool>| declared == Some(true);
        let tools = changes(
            capabilities
                .tools
                .as_ref()
                .and_then(|tools| tools.list_changed),
        );
        let prompts = changes(
            capabilities
                .prompts
                .as_ref()
                .and_then(|prompts| prompts.list_changed),
        );
        let resources = changes(
            capabilities
                .resources
                .as_ref()
                .and_then(|resources| resources.list_changed),
        );
        if !(tools || prompts || resources) {
            return;
        }
        let mut filter = SubscriptionFilter::default();
        if tools {
            filter = filter.with_tools_list_changed(true);
        }
        if prompts {
            filter = filter.with_prompts_list_changed(true);
        }
        if resources {
            filter = filter.with_resources_list_changed(true);
        }
        // When it can't be sent, the connection is about to end, and the events with it.
        let _: Result<u64, Failure> = open(self.shared(), &filter, Listener::Events);
    }
}

/// Opens a stream, which the server has to agree to in time.
fn open(
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
        return Err(Failure::Unsent(super::shared::Unsent::Disconnected(why)));
    }
    let id = (state.session.request(&outline, None)).map_err(|why| Failure::Unsent(why.into()))?;
    state.session.listen(id, listener);
    drop(state);
    shared.wake_driver();
    Ok(id)
}

/// What happens on a stream.
enum Happening {
    Agreed,
    Change(Change),
    Ended(Answer),
}

impl Subscription {
    /// What the server has agreed to tell; it may be less than was asked for.
    #[must_use]
    pub fn acknowledged(&self) -> Option<SubscriptionFilter> {
        self.client
            .shared()
            .lock()
            .session
            .acknowledged(self.id)
            .cloned()
    }

    /// The next change; `None` once the connection is gone. Changes that were not taken are told once each.
    ///
    /// # Cancel safety
    ///
    /// No change is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Change> {
        loop {
            match self.happening(false).await {
                Happening::Change(change) => {
                    self.delay = FIRST_DELAY;
                    return Some(change);
                }
                Happening::Agreed => {}
                Happening::Ended(_) => {
                    self.open_anew().await?;
                    return Some(Change::Missed);
                }
            }
        }
    }

    async fn happening(&self, wants_agreement: bool) -> Happening {
        let shared = self.client.shared();
        poll_fn(|cx| {
            let mut state = shared.lock();
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

    async fn acknowledged_by_server(&self) -> Result<(), ClientError> {
        let shared = Arc::clone(self.client.shared());
        loop {
            let failure = match self.happening(true).await {
                Happening::Agreed => return Ok(()),
                Happening::Change(_) => continue,
                Happening::Ended(answer) => answer,
            };
            return Err(match failure {
                Answer::Error(error) => {
                    shared.error(Listen::METHOD, ClientErrorKind::Refused(error))
                }
                Answer::Timeout { after, sent } => {
                    shared.error(Listen::METHOD, ClientErrorKind::Timeout { after, sent })
                }
                Answer::Gone { sent } => shared.failure(Listen::METHOD, Failure::Gone { sent }),
                Answer::Overlong(limit) => {
                    shared.error(Listen::METHOD, ClientErrorKind::TooLong(limit))
                }
                Answer::Result(_) => shared.error(
                    Listen::METHOD,
                    ClientErrorKind::Malformed("the stream ended before it began".to_owned()),
                ),
                Answer::Malformed(why) => {
                    shared.error(Listen::METHOD, ClientErrorKind::Malformed(why.to_owned()))
                }
            });
        }
    }

    /// Opens the stream again, later each time; `None` once the connection is gone.
    async fn open_anew(&mut self) -> Option<()> {
        let shared = Arc::clone(self.client.shared());
        loop {
            if self.client.is_closed() || !self.client.server().version.has_listen() {
                return None;
            }
            let until = shared.runtime.now().checked_add(self.delay)?;
            self.delay = (self.delay * 2).min(MAX_DELAY);
            shared.runtime.sleep_until(until).await;
            if let Ok(id) = open(&shared, &self.filter, Listener::Subscription) {
                self.id = id;
                return Some(());
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let shared = self.client.shared();
        shared.abandon(self.id, "nobody listens any more");
        for uri in self.watched.drain(..) {
            let mut state = shared.lock();
            let Some(count) = state.watched.get_mut(&uri) else {
                continue;
            };
            *count -= 1;
            if *count > 0 || !matches!(state.phase, Phase::Open) {
                continue;
            }
            state.watched.remove(&uri);
            let mut params = Vec::new();
            write_json(&mut params, &SubscribeParams::new(uri));
            let outline = Outline::new(Unsubscribe::METHOD, &params, Some(shared.options.patience));
            if let Ok(id) = state.session.request(&outline, None) {
                state.session.detach(id);
            }
            drop(state);
            shared.wake_driver();
        }
    }
}
