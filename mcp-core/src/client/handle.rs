use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use super::builder::ClientBuilder;
use super::events::Events;
use super::server_info::ServerInfo;
use super::shared::{Phase, Shared};

/// A connection to a server. Clones are handles on the same connection, which closes when the last is dropped.
///
/// Requests of several handles, or several at once of one, travel together; none waits for another's answer.
///
/// # Cancel safety
///
/// Dropping the future of a request cancels it: the server is told that nobody waits any more.
///
#[cfg_attr(feature = "testing", doc = "```")]
#[cfg_attr(not(feature = "testing"), doc = "```text")]
/// use mcp_core::testing::TestRuntime;
/// use mcp_core::{Client, Server, transport, tool};
/// use serde_json::json;
///
/// /// Adds two integers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let runtime = TestRuntime::new();
/// let (ours, theirs) = transport::memory(1 << 16);
/// let server = Server::new("calculator", "1.0.0").tool::<add>().build()?;
/// runtime.serve(&server, theirs);
///
/// let sum = runtime.block_on(async {
///     let client = Client::builder("my-agent", "1.0.0").connect(ours, runtime.clone()).await?;
///     client.call_tool("add", json!({"a": 2, "b": 3})).into_typed::<i64>().await
/// })?;
/// assert_eq!(sum, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    shared: Arc<Shared>,
    /// Whether the connection stays open for this handle.
    is_counted: bool,
}

impl Client {
    /// Begins a client of this name and version, which servers are told.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(name, version)
    }

    pub(super) fn counted(shared: Arc<Shared>) -> Self {
        shared.enter();
        Self {
            shared,
            is_counted: true,
        }
    }

    /// A handle for the handlers of the connection itself, which do not keep it open.
    pub(super) const fn uncounted(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            is_counted: false,
        }
    }

    pub(super) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The server.
    ///
    /// # Panics
    ///
    /// In a handler that runs while the connection is being opened: use [`Asked::server`](super::Asked::server) there.
    #[must_use]
    pub fn server(&self) -> &ServerInfo {
        #[expect(
            clippy::expect_used,
            reason = "clients are handed out when the server is known"
        )]
        self.shared.server.get().expect("the connection is open")
    }

    /// Whether the connection is gone, for whatever reason.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        !matches!(self.shared.lock().phase, Phase::Open)
    }

    /// What the server tells without being asked: changes, log messages. In 2026-07-28 this asks the server to tell of
    /// changes of its lists; for single resources, [listen](Self::listen).
    ///
    /// What has happened before this was called for the first time is not kept.
    pub fn events(&self) -> Events {
        let mut state = self.shared.lock();
        let is_first = !std::mem::replace(&mut state.events.is_open, true);
        drop(state);
        if is_first {
            self.listen_for_events();
        }
        Events::new(self.clone())
    }

    /// Closes the connection in order: requests under way fail, what is left to be said is said, and what belongs to the
    /// connection, such as a child process, ends. The deadlines for that are the transport's.
    ///
    /// # Cancel safety
    ///
    /// The connection closes all the same when the future is dropped.
    pub async fn close(&self) {
        self.shared.begin_to_close();
        self.closed().await;
    }

    /// Waits until the connection is gone and everything that belonged to it is released.
    ///
    /// # Cancel safety
    ///
    /// Nothing happens when the future is dropped.
    pub async fn closed(&self) {
        poll_fn(|cx| {
            let mut state = self.shared.lock();
            if matches!(state.phase, Phase::Done(_)) {
                return Poll::Ready(());
            }
            if !state
                .closers
                .iter()
                .any(|known| known.will_wake(cx.waker()))
            {
                state.closers.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

impl Clone for Client {
    fn clone(&self) -> Self {
        Self::counted(Arc::clone(&self.shared))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.is_counted {
            self.shared.leave();
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("server", &self.shared.name())
            .field("is_closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}
