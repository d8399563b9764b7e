use std::any::type_name;
use std::sync::Arc;
use std::time::Duration;

use super::build_error::BuildError;
use super::context::Context;
use super::layer::{DynLayer, Layer};
use super::lend::{Lend, Lent};
use super::live::Live;
use super::registry::{Origin, Registry};
use super::router::{MAX_BLOCKING, Router};
use super::serve::BuiltServer;
use super::show::Showing;
use super::tool::{Tool, ToolDefinition, ToolSet};
use super::turnstile::Turnstile;
use crate::protocol::{CacheScope, Icon, Implementation};
use crate::schema::{Dialect, SchemaProfile};
use crate::session::{Facts, ServerFacts, SessionLimits};

/// Calls that run at once on a connection; those beyond wait for one of them to end.
const IN_FLIGHT: usize = 1024;
/// How long calls may go on after the end of input.
const DRAIN: Duration = Duration::from_secs(5);

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
    page_size: usize,
    ttl: Duration,
    cache_scope: CacheScope,
    limits: SessionLimits,
    tool_deadline: Option<Duration>,
    spawn_handlers: bool,
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
            page_size: usize::MAX,
            ttl: Duration::ZERO,
            cache_scope: CacheScope::Private,
            limits: SessionLimits {
                in_flight: IN_FLIGHT,
                drain: DRAIN,
            },
            tool_deadline: None,
            spawn_handlers: false,
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

    /// Lends a value to the tools: those with a parameter `&T` get it. A second value of the same type is an error when
    /// the server is built: tools could get only one of them. A mounted server may lend values of the same types.
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

    /// Takes over the tools of another server as `prefix_name`, with what it lends them and its layers, which come
    /// after those of this server. The rest of it (its name, instructions, deadlines, limits) is dropped.
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
        self.mistake = self.mistake.or(server.mistake);
        self
    }

    /// A handle that changes the tools, also while the server serves.
    #[must_use]
    pub fn live(&self) -> Live {
        self.registry.expect_changes();
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

    /// How many entries a page of a list has. By default all are on one page.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = entries.max(1);
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
    pub fn tool_deadline(mut self, limit: Duration) -> Self {
        self.tool_deadline = Some(limit);
        self
    }

    /// How many calls of a connection may run at once; 1,024 by default. Those beyond wait, in the order they came;
    /// they can be cancelled, and pings are answered meanwhile. When 16,384 wait, or 8 MiB of messages, nothing more is
    /// read.
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

    /// Makes the server ready to serve any number of connections.
    ///
    /// # Errors
    ///
    /// The first mistake that was made in putting it together.
    pub fn build(self) -> Result<BuiltServer, BuildError> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        let facts = Facts {
            has_tools: self.registry.may_have_tools(),
            has_logging: self.has_logging,
            ttl_ms: u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX),
            cache_scope: self.cache_scope.clone(),
            info: self.info.clone(),
            instructions: self.instructions.clone(),
        };
        let showing = Showing {
            dialect: self.dialect,
            flow_key: self.flow_key.clone(),
            flow_in_description: self.flow_in_description,
            page_size: self.page_size,
            origin: Origin {
                lent: Arc::new(self.lendings()),
                layers: self.layers.clone(),
            },
        };
        self.registry.build(showing)?;
        let facts = Arc::new(ServerFacts::new(&facts));
        Ok(BuiltServer {
            router: Arc::new(Router {
                registry: self.registry,
                facts: Arc::clone(&facts),
                tool_deadline: self.tool_deadline,
                spawn_handlers: self.spawn_handlers,
                blocking: Turnstile::new(MAX_BLOCKING),
            }),
            facts,
            limits: self.limits,
        })
    }

    /// Contexts are made for each call, but they are lent like everything else.
    fn lendings(&self) -> Lent {
        let mut lent = self.lent.clone();
        lent.promise::<Context>();
        lent
    }
}
