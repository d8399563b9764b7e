use std::any::type_name;
use std::sync::Arc;
use std::time::Duration;

use super::build_error::BuildError;
use super::context::Context;
use super::layer::{DynLayer, Layer};
use super::lend::{Lend, Lent};
use super::live::Live;
use super::principal::Principal;
use super::prompt::{Prompt, PromptDefinition, PromptSet};
use super::registry::{Origin, Registry};
use super::resource::{Resource, ResourceDefinition, ResourceSet};
use super::rounds::InputSettings;
use super::router::{MAX_BLOCKING, Router};
use super::seal::Sealer;
use super::serve::BuiltServer;
use super::show::Showing;
use super::shown::{Filter, Shown};
use super::tool::{Tool, ToolDefinition, ToolSet};
use super::turnstile::Turnstile;
use super::upkeep::Upkeep;
#[cfg(feature = "fs")]
use crate::fs::Directory;
use crate::protocol::{CacheScope, Icon, Implementation};
use crate::schema::{Dialect, SchemaProfile};
use crate::session::{Facts, Offers, ServerFacts, SessionLimits};

/// Calls that run at once on a connection; those beyond wait for one of them to end.
const IN_FLIGHT: usize = 1024;
/// Entries on a page of a server that may list very many.
const PAGE_OF_MANY: usize = 1000;
/// How long calls may go on after the end of input.
const DRAIN: Duration = Duration::from_secs(5);

/// How long a client may take to come back with the answers to a call.
const STATE_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// How long a person may take to answer.
const ELICITATION_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// How long a client may take to answer what needs no person.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// A key of fewer bytes could be guessed.
const MIN_KEY: usize = 32;

/// A server in the making: who it is, its tools, and what they may borrow.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{Server, tool};
///
/// /// Adds two integers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let server = Server::new("calculator", "1.0.0").tool::<add>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// Mistakes in it (a name twice, a value that is not lent, or lent twice) are found by [`build`](Self::build), which every transport
/// calls first.
#[derive(Debug)]
#[must_use]
pub struct Server {
    info: Implementation,
    instructions: Option<String>,
    registry: Arc<Registry>,
    lent: Lent,
    layers: Vec<Arc<dyn DynLayer>>,
    has_logging: bool,
    dialect: Dialect,
    flow_key: String,
    flow_in_description: bool,
    page_size: Option<usize>,
    ttl: Duration,
    cache_scope: CacheScope,
    limits: SessionLimits,
    tool_deadline: Option<Duration>,
    spawn_handlers: bool,
    shows: Option<Arc<Filter>>,
    seal_keys: Vec<Vec<u8>>,
    state_lifetime: Duration,
    elicitation_timeout: Duration,
    request_timeout: Duration,
    /// What has to be kept up to date while the server serves.
    upkeep: Vec<Arc<dyn Upkeep>>,
    /// The first that was made before all is put together.
    mistake: Option<BuildError>,
}

impl Server {
    /// A server of this name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            registry: Arc::default(),
            lent: Lent::default(),
            layers: Vec::new(),
            has_logging: true,
            dialect: Dialect::PORTABLE,
            flow_key: "dataFlow".to_owned(),
            flow_in_description: false,
            page_size: None,
            ttl: Duration::ZERO,
            cache_scope: CacheScope::Private,
            limits: SessionLimits {
                in_flight: IN_FLIGHT,
                drain: DRAIN,
            },
            tool_deadline: None,
            spawn_handlers: false,
            shows: None,
            seal_keys: Vec::new(),
            state_lifetime: STATE_LIFETIME,
            elicitation_timeout: ELICITATION_TIMEOUT,
            request_timeout: REQUEST_TIMEOUT,
            upkeep: Vec::new(),
            mistake: None,
        }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is, for people.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// Where people read about it.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.info.website_url = Some(url.into());
        self
    }

    /// One more picture of it.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.info.icons.get_or_insert_default().push(icon);
        self
    }

    /// What a model should know before it uses the tools.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool: a function with `#[tool]`, or a struct that derives `Tool`.
    pub fn tool<T: Tool>(self) -> Self {
        self.raw_tool(T::definition())
    }

    /// Adds the tools that share a value: an `impl` block with `#[tools]`.
    pub fn tools<S: ToolSet>(self, shared: S) -> Self {
        for definition in S::definitions(Arc::new(shared)) {
            self.registry.collect(definition);
        }
        self
    }

    /// Adds a tool that was put together by hand.
    pub fn raw_tool(self, definition: ToolDefinition) -> Self {
        self.registry.collect(definition);
        self
    }

    /// Adds a prompt: a function with `#[prompt]`.
    pub fn prompt<P: Prompt>(self) -> Self {
        self.raw_prompt(P::definition())
    }

    /// Adds the prompts that share a value: an `impl` block with `#[prompts]`.
    pub fn prompts<S: PromptSet>(self, shared: S) -> Self {
        for definition in S::definitions(Arc::new(shared)) {
            self.registry.collect(definition);
        }
        self
    }

    /// Adds a prompt that was put together by hand.
    pub fn raw_prompt(self, definition: PromptDefinition) -> Self {
        self.registry.collect(definition);
        self
    }

    /// Adds a resource, or a family of them: a function with `#[resource]`.
    pub fn resource<R: Resource>(self) -> Self {
        self.raw_resource(R::definition())
    }

    /// Adds the resources that share a value: an `impl` block with `#[resources]`.
    pub fn resources<S: ResourceSet>(self, shared: S) -> Self {
        for definition in S::definitions(Arc::new(shared)) {
            self.registry.collect(definition);
        }
        self
    }

    /// Adds a resource, or a family of them, that was put together by hand.
    pub fn raw_resource(self, definition: ResourceDefinition) -> Self {
        self.registry.collect(definition);
        self
    }

    /// Adds the files of a folder as resources; see [`Directory`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_core::Server;
    /// use mcp_core::fs::Directory;
    ///
    /// let docs = Directory::open(".")?.at("docs://");
    /// let server = Server::new("docs", "1.0.0").directory(docs).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "fs")]
    pub fn directory(mut self, directory: Directory) -> Self {
        match directory.provide(Arc::downgrade(&self.registry)) {
            Ok((family, upkeep)) => {
                self.registry.collect(family);
                self.upkeep.push(upkeep);
            }
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
            }
        }
        self
    }

    /// Says that there will be prompts, though there may be none when the server is built.
    pub fn expect_prompts(self) -> Self {
        self.registry.expect(Offers {
            prompts: true,
            ..Offers::default()
        });
        self
    }

    /// Says that there will be resources, though there may be none when the server is built.
    pub fn expect_resources(self) -> Self {
        self.registry.expect(Offers {
            resources: true,
            ..Offers::default()
        });
        self
    }

    /// Shows and serves only what this function agrees to, by who is asking. Everything else is as if it were not there.
    ///
    /// It sees the [`Principal`] that the transport or the application has found out, never what a client says of itself,
    /// and not the connection: everybody who is the same sees the same. It is asked often and should be quick. What it
    /// panics about is not shown.
    ///
    /// ```
    /// use mcp_core::{Server, Shown};
    ///
    /// let server = Server::new("files", "1.0.0").show_if(|what, principal| match what {
    ///     Shown::Tool(name) => !name.starts_with("admin_") || principal.is_some_and(|who| who.id() == "root"),
    ///     _ => true,
    /// });
    /// # server.build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    pub fn show_if(
        mut self,
        shows: impl Fn(Shown<'_>, Option<&Principal>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.shows = Some(Arc::new(Filter(Box::new(shows))));
        self
    }

    /// Lends a value to tools, prompts and resources: those with a parameter `&T` get it. A second value of the same type
    /// is an error when the server is built: they could get only one of them. A mounted server may lend values of the same types.
    pub fn lend<T: Lend>(mut self, value: T) -> Self {
        if !self.lent.insert(value) {
            let twice = BuildError::LentTwice(type_name::<T>());
            self.mistake.get_or_insert(twice);
        }
        self
    }

    /// Wraps the calls of all tools, those of mounted servers too. The layer added first is the outermost.
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// Takes over the tools and prompts of another server as `prefix_name`, and its resources under their URIs, with what it
    /// lends them and its layers, which come after those of this server. The rest of it (its name, instructions, deadlines, limits) is dropped.
    /// An empty prefix leaves the names as they are.
    ///
    /// A server with a rule by [`show_if`](Self::show_if) can't be mounted, which is an error when this one is built: what the
    /// rule hides must not come to light by this. Only the rule of the outermost server counts, so give it all of them.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use mcp_core::{Server, tool};
    ///
    /// /// Adds two integers.
    /// #[tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let calculator = Server::new("calculator", "1.0.0").tool::<add>();
    /// // It has one tool, `math_add`.
    /// let server = Server::new("school", "1.0.0").mount("math", calculator).build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    pub fn mount(mut self, prefix: &str, server: Self) -> Self {
        let origin = Origin {
            lent: Arc::new(server.lendings()),
            layers: server.layers,
        };
        self.registry.mount(prefix, &server.registry, origin);
        self.upkeep.extend(server.upkeep);
        let unruled = server
            .shows
            .map(|_| BuildError::MountedShowIf(prefix.to_owned()));
        self.mistake = self.mistake.or(server.mistake).or(unruled);
        self
    }

    /// A handle that changes tools, prompts and resources, also while the server serves. [Lent](Self::lend) to handlers, it lets
    /// them do so, and say what has changed: `live: &Live`.
    #[must_use]
    pub fn live(&self) -> Live {
        self.registry.expect(Offers {
            tools: true,
            ..Offers::default()
        });
        Live {
            registry: Arc::downgrade(&self.registry),
        }
    }

    /// Whether the server declares that it sends log messages, as it does by default.
    pub fn logging(mut self, logging: bool) -> Self {
        self.has_logging = logging;
        self
    }

    /// The dialect that schemas are shown in.
    pub fn schema_profile(mut self, profile: SchemaProfile) -> Self {
        self.dialect = Dialect::of(profile);
        self
    }

    /// The key under which tools say in `_meta` where their data goes; `dataFlow` by default.
    pub fn flow_key(mut self, key: impl Into<String>) -> Self {
        self.flow_key = key.into();
        self
    }

    /// Whether descriptions of tools say where their data goes, too, for models that see nothing else.
    pub fn flow_in_description(mut self, shown: bool) -> Self {
        self.flow_in_description = shown;
        self
    }

    /// How many entries a page of a list has. By default all are on one page; of a server with folders (feature `fs`), a
    /// thousand.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = Some(entries.max(1));
        self
    }

    /// How long clients may keep lists, and whether they may share them with others (2026-07-28). By default not at
    /// all.
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.ttl = ttl;
        self.cache_scope = scope;
        self
    }

    /// A limit on the time of every call whose tool has none of its own. By default there is none.
    ///
    /// It ends what can be ended: of an `async` tool the future is dropped, and a `blocking` one is no longer waited for,
    /// though its thread goes on. **A plain function runs in place and is not limited**: nothing can interrupt it, and its
    /// answer, when it comes at last, is sent. Write `async fn` or `#[tool(blocking)]` for whatever may take long; the log
    /// names plain functions that took more than 10 ms.
    ///
    /// The time in which a call waits for its client's answer does not count (up to 2025-11-25; later, a call does not
    /// wait): [`elicitation_timeout`](Self::elicitation_timeout) and [`request_timeout`](Self::request_timeout) limit it.
    pub fn tool_deadline(mut self, limit: Duration) -> Self {
        self.tool_deadline = Some(limit);
        self
    }

    /// How many calls of a connection may run at once; 1,024 by default. Those beyond wait, in the order they came;
    /// they can be cancelled, and pings are answered meanwhile. When 16,384 wait, or 8 MiB of messages, nothing more is
    /// read; but while calls wait for answers of the client, it is, and more requests are refused (-32603).
    pub fn in_flight_limit(mut self, calls: usize) -> Self {
        self.limits.in_flight = calls.max(1);
        self
    }

    /// How long calls may go on after the client has gone or the server was told to stop; five seconds by default. Calls that
    /// wait for others at the end of input get their turn, and as much time again.
    pub fn drain_deadline(mut self, limit: Duration) -> Self {
        self.limits.drain = limit;
        self
    }

    /// Moves calls that have to wait to tasks of their own, so that several cores share them, where the runtime has
    /// several. By default one task runs all calls of a connection, which costs less.
    pub fn spawn_handlers(mut self, spawn: bool) -> Self {
        self.spawn_handlers = spawn;
        self
    }

    /// The key that seals `requestState` (2026-07-28), at least 32 secret random bytes. Give the same to all replicas of a
    /// server, for any of them may get the next round of a call. By default each process makes its own.
    ///
    /// The first key seals. States that were sealed with another one given here are still good, so that keys can be
    /// changed: first give the new one as the second everywhere, then swap them, then drop the old one.
    pub fn state_key(mut self, key: impl Into<Vec<u8>>) -> Self {
        self.seal_keys.push(key.into());
        self
    }

    /// How long a client may take to call again with the answers it was asked for (2026-07-28); 15 minutes by default.
    pub fn state_lifetime(mut self, lifetime: Duration) -> Self {
        self.state_lifetime = lifetime;
        self
    }

    /// How long a person may take to answer (up to 2025-11-25); ten minutes by default.
    pub fn elicitation_timeout(mut self, limit: Duration) -> Self {
        self.elicitation_timeout = limit;
        self
    }

    /// How long the client may take to answer what needs no person (up to 2025-11-25); one minute by default.
    pub fn request_timeout(mut self, limit: Duration) -> Self {
        self.request_timeout = limit;
        self
    }

    /// Makes the server ready to serve any number of connections.
    ///
    /// # Errors
    ///
    /// The first mistake that was made in putting it together.
    pub fn build(self) -> Result<BuiltServer, BuildError> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        if self.seal_keys.iter().any(|key| key.len() < MIN_KEY) {
            return Err(BuildError::ShortKey);
        }
        let showing = Showing {
            dialect: self.dialect,
            flow_key: self.flow_key.clone(),
            flow_in_description: self.flow_in_description,
            page_size: self.page_size.unwrap_or(if self.upkeep.is_empty() {
                usize::MAX
            } else {
                PAGE_OF_MANY
            }),
            origin: Origin {
                lent: Arc::new(self.lendings()),
                layers: self.layers.clone(),
            },
        };
        self.upkeep.iter().for_each(|upkeep| upkeep.begin());
        let offers = self.registry.build(showing)?;
        let facts = Facts {
            offers,
            has_logging: self.has_logging,
            ttl_ms: u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX),
            cache_scope: self.cache_scope.clone(),
            info: self.info.clone(),
            instructions: self.instructions.clone(),
        };
        let facts = Arc::new(ServerFacts::new(&facts));
        Ok(BuiltServer {
            router: Arc::new(Router {
                registry: self.registry,
                facts: Arc::clone(&facts),
                tool_deadline: self.tool_deadline,
                spawn_handlers: self.spawn_handlers,
                blocking: Turnstile::new(MAX_BLOCKING),
                shows: self.shows,
                upkeep: self.upkeep,
                inputs: Arc::new(InputSettings {
                    sealer: Sealer::new(self.seal_keys, self.state_lifetime),
                    elicitation_timeout: self.elicitation_timeout,
                    request_timeout: self.request_timeout,
                }),
            }),
            facts,
            limits: self.limits,
            principal: None,
        })
    }

    /// Contexts are made for each call, but they are lent like everything else.
    fn lendings(&self) -> Lent {
        let mut lent = self.lent.clone();
        lent.promise::<Context>();
        lent
    }
}
