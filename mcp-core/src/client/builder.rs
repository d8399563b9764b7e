use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::connect;
use super::driver::Driver;
use super::error::ClientError;
use super::handle::Client;
use super::handlers::{Asked, Handlers, IntoAnswer, answering};
use super::options::{Options, OverlongMessage};
use super::shared::Shared;
use super::wire::{Lines, Messages};
use crate::protocol::{
    ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitParams, ElicitResult,
    Implementation, LoggingLevel, LoggingMessageParams, ProtocolVersion, Root,
};
use crate::runtime::{BoxFuture, Runtime};
use crate::session::client::{ClientFacts, ClientSession};
use crate::transport::{MessageTransport, Transport};

/// A client that is being put together: what it is called, what it can be asked, and how long it waits.
///
/// It declares to servers what it has handlers for, and what [`capabilities`](Self::capabilities) adds.
#[derive(Clone)]
#[must_use = "a client is made by `connect`"]
pub struct ClientBuilder {
    info: Implementation,
    capabilities: ClientCapabilities,
    handlers: Handlers,
    options: Options,
    log_level: Option<LoggingLevel>,
}

impl ClientBuilder {
    pub(super) fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            capabilities: ClientCapabilities::new(),
            handlers: Handlers::default(),
            options: Options::default(),
            log_level: None,
        }
    }

    /// What servers are told of this client, beyond its name and version.
    pub fn implementation(mut self, info: Implementation) -> Self {
        self.info = info;
        self
    }

    /// Declares these capabilities, besides those that the handlers bring: extensions, for example. What is declared here
    /// and has no handler is refused when it is asked for.
    pub fn capabilities(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// What errors call the server; otherwise it is what the server calls itself.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.options.label = Some(label.into());
        self
    }

    /// What errors call the server before it has said its name.
    pub fn provisional_label(mut self, label: impl Into<String>) -> Self {
        self.options.provisional_label = Some(label.into());
        self
    }

    /// Opens the server as one of a revision before 2026-07-28, which it is known to be: it is not asked first. One that
    /// refuses that and names 2026-07-28 is opened in it.
    pub const fn without_probe(mut self) -> Self {
        self.options.skips_probe = true;
        self
    }

    /// Asks a person on behalf of a server, by a form; with [`elicits_by_url`](Self::elicits_by_url), by a page as well.
    ///
    /// ```
    /// use mcp_core::Client;
    /// use mcp_core::protocol::{ElicitParams, ElicitResult};
    /// use serde_json::json;
    ///
    /// let builder = Client::builder("my-agent", "1.0.0").elicits_by_url().on_elicitation(|asked| async move {
    ///     match &*asked {
    ///         ElicitParams::Form(_) => ElicitResult::accept(json!({ "sure": true })),
    ///         ElicitParams::Url(_) => ElicitResult::accept_url(),
    ///         _ => ElicitResult::cancel(),
    ///     }
    /// });
    /// ```
    ///
    /// The handler shows who asks, and lets the person decline. What it leaves out of the form gets its default, and an
    /// answer that does not fit the form is not sent; whether it fits a form of a kind that this version of the SDK does
    /// not know is for the handler to judge.
    ///
    /// <https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation>
    pub fn on_elicitation<F, A>(
        mut self,
        handler: impl Fn(Asked<ElicitParams>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = A> + Send + 'static,
        A: IntoAnswer<ElicitResult> + 'static,
    {
        self.handlers.elicitation = Some(answering(handler));
        self
    }

    /// The handler of elicitations can also send a person to a URL: it shows the whole URL, and opens it only after the
    /// person has agreed, where neither this program nor a model can see what they enter.
    pub const fn elicits_by_url(mut self) -> Self {
        self.handlers.takes_urls = true;
        self
    }

    /// Asks a model on behalf of a server. The handler decides which model, and whether at all.
    ///
    /// ```
    /// use mcp_core::Client;
    /// use mcp_core::protocol::CreateMessageResult;
    ///
    /// let builder = Client::builder("my-agent", "1.0.0").on_sampling(|asked| async move {
    ///     let question = &asked.messages;
    ///     CreateMessageResult::assistant("some-model", format!("{} messages", question.len()))
    /// });
    /// ```
    ///
    /// <https://modelcontextprotocol.io/specification/2026-07-28/client/sampling>
    pub fn on_sampling<F, A>(
        mut self,
        handler: impl Fn(Asked<CreateMessageParams>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = A> + Send + 'static,
        A: IntoAnswer<CreateMessageResult> + 'static,
    {
        self.handlers.sampling = Some(answering(handler));
        self
    }

    /// The handler of sampling lets the model use tools of the server's choice.
    pub const fn samples_with_tools(mut self) -> Self {
        self.handlers.takes_tools = true;
        self
    }

    /// Tells servers these folders, which the client works in. They can be [changed](Client::set_roots).
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Self {
        self.handlers.roots = Some(Arc::new(Mutex::new(roots.into_iter().collect())));
        self
    }

    /// Is called for every log message of the server, in the task of the connection: it must not block.
    pub fn on_log(
        mut self,
        handler: impl Fn(&LoggingMessageParams) + Send + Sync + 'static,
    ) -> Self {
        self.handlers.log = Some(Arc::new(handler));
        self
    }

    /// Asks the server for log messages of this level and above, if it logs.
    pub fn log_level(mut self, level: LoggingLevel) -> Self {
        self.log_level = Some(level);
        self
    }

    /// How long an answer may take without a sign of life; progress is one. 60 seconds otherwise.
    pub const fn timeout(mut self, idle: Duration) -> Self {
        self.options.patience.idle = idle;
        self
    }

    /// How long an answer may take in all, whatever progress is reported. Ten minutes otherwise. When a server asks before it
    /// answers, it has this for its first round and once more for all others together; the time of whoever is asked does
    /// not count.
    pub const fn total_timeout(mut self, total: Duration) -> Self {
        self.options.patience.total = total;
        self
    }

    /// How long a server may take to say that it speaks 2026-07-28. One that stays silent is then opened as an older one.
    /// Ten seconds otherwise.
    pub const fn probe_timeout(mut self, probe: Duration) -> Self {
        self.options.probe = probe;
        self
    }

    /// How often a server may ask before it gives its result. 16 otherwise. Each time it may ask 256 questions at once.
    pub const fn max_rounds(mut self, rounds: usize) -> Self {
        self.options.max_rounds = rounds;
        self
    }

    /// What to do about a message that is longer than the transport allows.
    pub const fn overlong(mut self, policy: OverlongMessage) -> Self {
        self.options.overlong = policy;
        self
    }

    /// Speaks this revision, or none. Otherwise it is the newest that both sides know.
    pub const fn protocol(mut self, version: ProtocolVersion) -> Self {
        self.options.pinned = Some(version);
        self
    }

    /// Checks structured results against the output schemas of their tools, which are listed for that. A result that does
    /// not fit, or is not there, ends its call in [`ClientErrorKind::Malformed`](super::ClientErrorKind::Malformed).
    ///
    /// So does one that can't be checked in bounded time and room, for the schema is the server's: schemas of more than
    /// 256 KiB and content of more than 4 MiB, references to anything but a place in the same schema (`#/…`), which are
    /// never fetched, schemas with names of their own inside another, regular expressions that look around or are large,
    /// and whatever would take too many steps. Formats are not checked.
    #[cfg(feature = "jsonschema")]
    pub const fn validate_output(mut self) -> Self {
        self.options.validates_output = true;
        self
    }

    /// Connects to the server at the other end of a transport, in the newest revision that it speaks.
    ///
    /// # Errors
    ///
    /// When the server is gone, does not answer in time, or speaks none of our revisions.
    ///
    /// # Panics
    ///
    /// When the runtime or the transport does, as `TokioRuntime` outside of tokio.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection.
    pub async fn connect(
        self,
        transport: impl Transport,
        runtime: impl Runtime,
    ) -> Result<Client, ClientError> {
        self.connect_on(transport, Arc::new(runtime)).await
    }

    /// As [`connect`](Self::connect), on a runtime that is shared already.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Cancel safety
    ///
    /// As there.
    pub async fn connect_on(
        self,
        transport: impl Transport,
        runtime: Arc<dyn Runtime>,
    ) -> Result<Client, ClientError> {
        let shared = self.shared(runtime);
        let driver = Driver::new(Arc::clone(&shared), Lines::new(transport));
        open(shared, Box::pin(driver)).await
    }

    /// Connects through a transport that carries each message by itself.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect).
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Cancel safety
    ///
    /// As there.
    pub async fn connect_messages(
        self,
        transport: impl MessageTransport,
        runtime: impl Runtime,
    ) -> Result<Client, ClientError> {
        let shared = self.shared(Arc::new(runtime));
        shared.lock().session.part_messages();
        let driver = Driver::new(Arc::clone(&shared), Messages::new(transport));
        open(shared, Box::pin(driver)).await
    }

    fn shared(self, runtime: Arc<dyn Runtime>) -> Arc<Shared> {
        let facts = Arc::new(ClientFacts {
            info: self.info,
            capabilities: self.handlers.declare(self.capabilities),
        });
        let mut session = ClientSession::new(facts);
        if let Some(level) = self.log_level {
            session.log(level);
        }
        Arc::new(Shared::new(session, runtime, self.handlers, self.options))
    }
}

async fn open(shared: Arc<Shared>, driver: BoxFuture<'static, ()>) -> Result<Client, ClientError> {
    // Dropped with this future, it closes the connection.
    let client = Client::counted(Arc::clone(&shared));
    let task = shared.runtime.spawn(driver);
    shared.lock().task = Some(task);
    connect::open(&shared).await?;
    let level = shared.lock().session.log_level();
    if let Some(level) = level {
        client.set_log_level_if_supported(level).await?;
    }
    Ok(client)
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("info", &self.info)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
