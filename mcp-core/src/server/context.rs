use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use bytes::Bytes;
use serde::Serialize;

use super::connection::Connection;
use super::outbox::{LogEntry, Progress};
use super::principal::Principal;
use super::rounds::Inputs;
use super::wakers::Wakers;
use crate::jsonrpc::RequestId;
use crate::protocol::{
    CallTool, ClientCapabilities, GetPrompt, Implementation, LoggingLevel, Meta, ProtocolVersion,
    RawJson, ReadResource, Request,
};
use crate::session::{CallKey, LogGate};

/// What a handler may ask and report during its call.
///
/// A tool gets it by a parameter `cx: &Context`. It may be cloned and moved to other tasks and threads; once the call
/// is answered or cancelled, what it reports goes nowhere.
///
/// Nothing here waits for the client: when it reads slowly, the last progress replaces the one before, and log
/// messages are dropped and counted.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{Context, LoggingLevel, Server, tool};
///
/// /// Copies files.
/// #[tool]
/// fn copy(cx: &Context, files: Vec<String>) -> usize {
///     for (done, file) in files.iter().enumerate() {
///         cx.progress(done + 1, files.len());
///         cx.log(LoggingLevel::Debug, file);
///     }
///     files.len()
/// }
///
/// let server = Server::new("files", "1.0.0").tool::<copy>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Context(Arc<CallState>);

/// What is known of one call.
pub(crate) struct CallState {
    pub(crate) key: CallKey,
    pub(crate) id: RequestId,
    pub(crate) version: ProtocolVersion,
    pub(crate) wants_progress: bool,
    pub(crate) log_gate: LogGate,
    pub(crate) client: AboutClient,
    /// The JSON text of the request's `_meta`, inside its frame.
    pub(crate) meta: Option<Bytes>,
    pub(crate) connection: Arc<Connection>,
    pub(crate) kind: Kind,
    pub(crate) inputs: Inputs,
    pub(crate) status: Status,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    /// One of them, as errors speak of it.
    pub(super) fn of(self, name: &str) -> String {
        format!("{} `{name}`", self.word())
    }

    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Tool => CallTool::METHOD,
            Self::Prompt => GetPrompt::METHOD,
            Self::Resource => ReadResource::METHOD,
        }
    }
}

/// What the client said of itself: with the call in 2026-07-28, in the handshake before.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientFacts {
    pub(crate) capabilities: Option<Bytes>,
    pub(crate) info: Option<Bytes>,
}

/// Where it said so: what a session knows is shared by its calls.
#[derive(Clone, Debug)]
pub(crate) enum AboutClient {
    Session(Arc<ClientFacts>),
    Request(ClientFacts),
}

impl AboutClient {
    fn facts(&self) -> &ClientFacts {
        match self {
            Self::Session(facts) => facts,
            Self::Request(facts) => facts,
        }
    }
}

impl Context {
    pub(crate) fn new(state: CallState) -> Self {
        Self(Arc::new(state))
    }

    pub(crate) fn state(&self) -> &CallState {
        &self.0
    }

    /// Says how far the call has come, if the client asked to be told: `done` of `total`, in whatever unit.
    ///
    /// What does not go beyond what was reported before is not sent: progress only grows.
    pub fn progress(&self, done: impl Quantity, total: impl Quantity) {
        self.report_progress(done.to_f64(), Some(total.to_f64()), None);
    }

    /// As [`progress`](Self::progress), with words for people. Clients of 2024-11-05 don't get the words.
    pub fn progress_message(
        &self,
        done: impl Quantity,
        total: impl Quantity,
        message: impl Into<String>,
    ) {
        self.report_progress(done.to_f64(), Some(total.to_f64()), Some(message.into()));
    }

    /// As [`progress`](Self::progress), when nobody knows how much there is to do.
    pub fn progress_without_total(&self, done: impl Quantity) {
        self.report_progress(done.to_f64(), None, None);
    }

    fn report_progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        if self.0.wants_progress && done.is_finite() && !self.0.status.is_over() {
            let progress = Progress {
                done,
                total: total.filter(|total| total.is_finite()),
                message,
            };
            self.0.connection.outbox.progress(self.0.key, progress);
        }
    }

    /// Sends a log message to the client, if it wants those of this level.
    ///
    /// `data` is any JSON, often a string. Keep secrets out of it.
    pub fn log(&self, level: LoggingLevel, data: impl Serialize) {
        self.send_log(level, None, &data);
    }

    /// As [`log`](Self::log), naming the part of the server that speaks.
    pub fn log_from(&self, logger: &str, level: LoggingLevel, data: impl Serialize) {
        self.send_log(level, Some(logger), &data);
    }

    fn send_log<T: Serialize>(&self, level: LoggingLevel, logger: Option<&str>, data: &T) {
        if !self.wants_log(&level) || self.0.status.is_over() {
            return;
        }
        // Data that can't be JSON (a map with odd keys, say) is the caller's mistake, and a log is not worth an error.
        let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
        // serde copies raw JSON as it is, line breaks too, and a frame is one line.
        let data = if data.contains(['\n', '\r']) {
            RawJson::try_from(data).map_or_else(|_| "null".to_owned(), |one| one.get().to_owned())
        } else {
            data
        };
        let logger = logger.map(ToOwned::to_owned);
        let entry = LogEntry {
            level,
            logger,
            data,
        };
        self.0.connection.outbox.log(self.0.key, entry);
    }

    /// Whether the client wants log messages of this level, so that costly ones need not be made in vain.
    #[must_use]
    pub fn wants_log(&self, level: &LoggingLevel) -> bool {
        self.0.log_gate.admits(level)
    }

    /// Whether the client asked to be told about progress.
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.0.wants_progress
    }

    /// Whether the call was cancelled, or is over.
    ///
    /// The future of a cancelled call is dropped unless its tool `finishes`, so that async tools need not ask. Blocking
    /// tools can't be dropped and have to look here now and then.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.status.is_over()
    }

    /// Becomes ready when the call is cancelled or over.
    ///
    /// # Cancel safety
    ///
    /// May be dropped and asked again.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut wait = WaitForEnd {
            call: Arc::clone(&self.0),
            ticket: None,
        };
        poll_fn(move |cx| wait.poll(cx.waker()))
    }

    /// Who is asking, where the transport or the application knows.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.connection.principal.as_ref()
    }

    /// What the transport knows of the request, where it is of this type: the head of an HTTP request, for one.
    #[must_use]
    pub fn parts<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.connection.parts.as_deref()?.downcast_ref()
    }

    /// The id of the request.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.0.id
    }

    /// The revision that this call is answered in.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.0.version
    }

    /// The `_meta` of the request; empty when it has none. It is parsed anew each time.
    #[must_use]
    pub fn meta(&self) -> Meta {
        parse(self.0.meta.as_ref()).unwrap_or_default()
    }

    /// Who the client says it is. For display and logs: it may say anything.
    #[must_use]
    pub fn client_info(&self) -> Option<Implementation> {
        parse(self.0.client.facts().info.as_ref())
    }

    /// What the client says it can do.
    #[must_use]
    pub fn client_capabilities(&self) -> ClientCapabilities {
        parse(self.0.client.facts().capabilities.as_ref()).unwrap_or_default()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("request_id", &self.0.id)
            .field("version", &self.0.version)
            .finish_non_exhaustive()
    }
}

fn parse<T: serde::de::DeserializeOwned>(json: Option<&Bytes>) -> Option<T> {
    serde_json::from_str(std::str::from_utf8(json?).ok()?).ok()
}

/// Whether a call still runs, and who wants to know when it does not.
#[derive(Debug, Default)]
pub(crate) struct Status {
    over: AtomicU8,
    /// `None` until somebody waits, and again once that is in vain.
    waiting: Mutex<Option<Box<Waiting>>>,
}

#[derive(Debug, Default)]
struct Waiting {
    last_ticket: u64,
    wakers: Wakers,
}

impl Status {
    /// Ends the call, so that its context becomes inert.
    pub(crate) fn end(&self) {
        // Under the lock, so that nobody who is just about to wait misses it.
        let waiting = {
            let mut waiting = self.lock();
            self.over.store(1, Ordering::Release);
            waiting.take()
        };
        if let Some(mut waiting) = waiting {
            while let Some(waker) = waiting.wakers.pop_first() {
                waker.wake();
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire) != 0
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One wait for the end of a call. It leaves nothing behind: a call may be long, and have many tasks that wait a while.
struct WaitForEnd {
    call: Arc<CallState>,
    ticket: Option<u64>,
}

impl WaitForEnd {
    fn poll(&mut self, waker: &Waker) -> Poll<()> {
        let status = &self.call.status;
        let mut waiting = status.lock();
        if status.is_over() {
            return Poll::Ready(());
        }
        let waiting = waiting.get_or_insert_default();
        let ticket = *self.ticket.get_or_insert_with(|| {
            waiting.last_ticket += 1;
            waiting.last_ticket
        });
        waiting.wakers.insert(ticket, waker);
        Poll::Pending
    }
}

impl Drop for WaitForEnd {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket
            && let Some(waiting) = &mut *self.call.status.lock()
        {
            waiting.wakers.remove(ticket);
        }
    }
}

/// A number that progress may be told in.
pub trait Quantity {
    /// The nearest `f64`: numbers on the wire are no more precise.
    fn to_f64(self) -> f64;
}

macro_rules! quantities {
    ($($kind:ty),+) => {$(
        impl Quantity for $kind {
            #[expect(clippy::allow_attributes, reason = "only some of these casts lose anything")]
            fn to_f64(self) -> f64 {
                #[allow(clippy::cast_precision_loss, clippy::cast_lossless, clippy::unnecessary_cast, reason = "progress is for people")]
                { self as f64 }
            }
        }
    )+};
}

quantities!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Context as TaskContext;

    use futures_util::FutureExt;
    use futures_util::task::noop_waker;

    use super::super::connection::tests::connection;
    use super::*;

    fn context() -> Context {
        Context::new(CallState {
            key: CallKey::for_test(0),
            id: 1_i64.into(),
            version: ProtocolVersion::LATEST,
            wants_progress: false,
            log_gate: LogGate::Closed,
            client: AboutClient::Request(ClientFacts::default()),
            meta: None,
            connection: connection(),
            kind: Kind::Tool,
            inputs: Inputs::default(),
            status: Status::default(),
        })
    }

    #[test]
    fn who_no_longer_waits_for_the_end_of_a_call_is_forgotten() {
        let context = context();
        let mut first = pin!(context.cancelled());
        for _ in 0..100 {
            // Each is a task of its own, so each has a waker of its own.
            let waker = noop_waker();
            let mut task = TaskContext::from_waker(&waker);
            let _ = first.poll_unpin(&mut task);
            let mut another = pin!(context.cancelled());
            assert_eq!(another.poll_unpin(&mut task), Poll::Pending);
            let waiting = context.state().status.lock();
            assert_eq!(waiting.as_ref().unwrap().wakers.len(), 2);
        }
        context.state().status.end();
        assert_eq!(first.now_or_never(), Some(()));
    }
}
