//! Subscriptions to changes, in whatever way the revision has.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions>

use std::sync::Arc;

use super::error::ClientError;
use super::handle::Client;
use super::shared::{Phase, Shared};
use super::stream::Stream;
use crate::jsonrpc::write_json;
use crate::protocol::{
    Listen, Request, ServerCapabilities, Subscribe, SubscribeParams, SubscriptionFilter,
    Unsubscribe,
};
use crate::session::client::{Change, Listener, Outline, event_of};

/// A stream of changes. It is opened anew when the server ends it, and ends with the connection or when it is dropped.
///
/// It keeps the connection open, as a [`Client`] does.
#[derive(Debug)]
#[must_use = "the server stops telling when the subscription is dropped"]
pub struct Subscription {
    stream: Stream,
    /// The resources that the server was asked to watch, where it does not know of streams.
    watched: Vec<String>,
    /// Dropped last: the server is still to be told that nobody listens.
    client: Client,
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
    ///
    /// # Cancel safety
    ///
    /// As there.
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
        let failed = |failure| self.shared().failure(Listen::METHOD, failure);
        let stream = Stream::open(self.shared(), filter, Listener::Subscription).map_err(failed)?;
        let subscription = Subscription {
            stream,
            watched: Vec::new(),
            client: self.clone(),
        };
        subscription.stream.agreed().await.map_err(failed)?;
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
        let stream = Stream::of_all(shared, filter)
            .map_err(|failure| shared.failure(Subscribe::METHOD, failure))?;
        let mut subscription = Subscription {
            stream,
            watched: Vec::new(),
            client: self.clone(),
        };
        for uri in uris {
            *shared.lock().watched.entry(uri.clone()).or_default() += 1;
            subscription.watched.push(uri.clone());
            // Asking twice is nothing to the server, and whether it agreed to the first time may not be known yet.
            self.request::<Subscribe>(&SubscribeParams::new(uri))
                .await?;
        }
        Ok(subscription)
    }

    /// What the events of a client need in a revision where servers tell nothing unasked. The driver sees to it.
    pub(super) fn listen_for_events(&self) {
        let server = self.shared().server.get();
        let filter = server
            .filter(|server| server.version.has_listen())
            .and_then(|server| changing(&server.capabilities));
        let Some(filter) = filter else { return };
        self.shared().lock().telling = Some(filter);
        self.shared().wake_driver();
    }
}

/// The lists that a server tells the changes of, if there are any.
fn changing(offered: &ServerCapabilities) -> Option<SubscriptionFilter> {
    let tools = offered.tools.as_ref().and_then(|tools| tools.list_changed);
    let prompts = (offered.prompts.as_ref()).and_then(|prompts| prompts.list_changed);
    let resources = (offered.resources.as_ref()).and_then(|resources| resources.list_changed);
    let mut filter = SubscriptionFilter::default();
    if tools == Some(true) {
        filter = filter.with_tools_list_changed(true);
    }
    if prompts == Some(true) {
        filter = filter.with_prompts_list_changed(true);
    }
    if resources == Some(true) {
        filter = filter.with_resources_list_changed(true);
    }
    (filter != SubscriptionFilter::default()).then_some(filter)
}

/// Keeps a stream open whose changes are events. When some were missed, all that it watches may have changed.
pub(super) async fn tell_events(shared: Arc<Shared>, filter: SubscriptionFilter) {
    // When it can't be sent, the connection is about to end, and the events with it.
    let Ok(mut stream) = Stream::open(&shared, filter, Listener::Events) else {
        return;
    };
    while stream.next().await.is_some() {
        let mut wakers = Vec::new();
        let mut state = shared.lock();
        for change in lists(&stream.filter) {
            state.events.push(event_of(change), 0, &mut wakers);
        }
        drop(state);
        wakers.into_iter().for_each(std::task::Waker::wake);
    }
}

/// The lists that a filter lets through the changes of.
pub(super) fn lists(filter: &SubscriptionFilter) -> impl Iterator<Item = Change> + use<> {
    [
        (filter.tools_list_changed, Change::Tools),
        (filter.prompts_list_changed, Change::Prompts),
        (filter.resources_list_changed, Change::Resources),
    ]
    .into_iter()
    .filter_map(|(asked, change)| (asked == Some(true)).then_some(change))
}

impl Subscription {
    /// What the server has agreed to tell; it may be less than was asked for. `None` while the stream is opened anew.
    ///
    /// Servers of revisions before 2026-07-28 do not say what they agree to: there it is what was asked for.
    #[must_use]
    pub fn acknowledged(&self) -> Option<SubscriptionFilter> {
        let state = self.client.shared().lock();
        state.session.acknowledged(self.stream.id).cloned()
    }

    /// The next change; `None` once the connection is gone. Changes that were not taken are told once each.
    ///
    /// A stream that the server has ended is opened anew while this is awaited, after a delay that grows from 100
    /// milliseconds to half a minute, and then tells of [`Change::Missed`].
    ///
    /// # Cancel safety
    ///
    /// No change is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Change> {
        self.stream.next().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let shared = self.client.shared();
        for uri in self.watched.drain(..) {
            let mut state = shared.lock();
            let Some(count) = state.watched.get_mut(&uri) else {
                continue;
            };
            *count -= 1;
            if *count > 0 {
                continue;
            }
            state.watched.remove(&uri);
            if !matches!(state.phase, Phase::Open) {
                continue;
            }
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
