//! What a tool is: its name, what clients are shown of it, and its handler.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::invocation::Handler;
use super::lend::{Lend, Wanted};
use super::reply::IntoReply;
use crate::protocol::{Icon, Meta, RawJson, ToolAnnotations};
use crate::schema::{
    ArgumentPolicy, Dialect, OutputSchema, SchemaError, output_generator, root_of,
};

/// A tool known at compile time: what `#[tool]` and `derive(Tool)` make.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "put `#[tool]` on the function `{Self}`, or derive `Tool` on the struct and implement `Run` for it"
)]
pub trait Tool: Sized + 'static {
    /// The name that clients call it by.
    const NAME: &'static str;

    /// What the handler returns.
    type Output;

    /// Everything the server needs to know of it.
    fn definition() -> ToolDefinition;
}

/// Tools that share a value: what `#[tools]` makes of an `impl` block. Their methods run on `Arc<Self>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    note = "put `#[tools]` on an `impl {Self}` block and `#[tool]` on its methods"
)]
pub trait ToolSet: Send + Sync + Sized + 'static {
    /// The definitions of all its tools.
    fn definitions(this: Arc<Self>) -> Vec<ToolDefinition>;
}

/// The call of a tool with its arguments, as a client sends it: `add::with(2, 3)` makes one of a function, and
/// `ToolCall::<FindFiles, _>::new(FindFiles { .. })` of a struct that derives `Tool`.
pub struct ToolCall<T, A> {
    arguments: A,
    tool: std::marker::PhantomData<fn() -> T>,
}

impl<T: Tool, A> ToolCall<T, A> {
    /// A call of the tool `T`.
    pub const fn new(arguments: A) -> Self {
        Self {
            arguments,
            tool: std::marker::PhantomData,
        }
    }

    /// The name of the tool.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        T::NAME
    }

    /// The arguments, which serialise as an object.
    pub const fn arguments(&self) -> &A {
        &self.arguments
    }
}

// By hand, since deriving would ask the same of `T`, which is only a name.
impl<T, A: Clone> Clone for ToolCall<T, A> {
    fn clone(&self) -> Self {
        Self {
            arguments: self.arguments.clone(),
            tool: std::marker::PhantomData,
        }
    }
}

impl<T: Tool, A: fmt::Debug> fmt::Debug for ToolCall<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("name", &T::NAME)
            .field("arguments", &self.arguments)
            .finish()
    }
}

/// Where the data that a tool handles goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Flow {
    /// Nothing leaves the process.
    LocalOnly,
    /// Reads files.
    FilesystemRead,
    /// Writes files.
    FilesystemWrite,
    /// Sends data over the network.
    NetworkOut,
    /// Gives data to a third party.
    ThirdParty,
}

impl Flow {
    /// The word for it on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LocalOnly => "local-only",
            Self::FilesystemRead => "filesystem-read",
            Self::FilesystemWrite => "filesystem-write",
            Self::NetworkOut => "network-out",
            Self::ThirdParty => "third-party",
        }
    }
}

/// Makes a schema for a type, once the server knows how it shows schemas.
pub(crate) type SchemaOf = fn(SchemaGenerator) -> Schema;
/// Makes the schema of a result, which may have none. What makes schemas of results is reached through this alone, so that it is
/// not part of programs whose tools have none.
pub(crate) type OutputOf = fn(Dialect) -> Result<Option<OutputSchema>, SchemaError>;

/// Where a tool's input schema comes from.
#[derive(Clone, Debug)]
pub(crate) enum InputSource {
    /// From a Rust type.
    Type(SchemaOf),
    /// From elsewhere, shown byte for byte.
    Foreign(RawJson),
}

/// Where a tool's output schema comes from.
#[derive(Clone, Debug)]
pub(crate) enum OutputSource {
    None,
    Type(OutputOf),
    Foreign(RawJson),
}

/// A tool: what clients are shown of it, and its handler.
///
/// The macros make these. By hand, they are for tools that are known only when the program runs:
///
/// ```
/// use mcp_core::{Invocation, RawJson, Reply, Server, Step, ToolDefinition};
///
/// let schema: RawJson = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#.parse()?;
/// let weather = ToolDefinition::new("weather", |call: Invocation| {
///     Step::Done(Reply::text(format!("asked with {}", call.raw_arguments())))
/// })
/// .with_description("Tells the weather.")
/// .with_input_schema(schema);
/// let server = Server::new("weather", "1.0.0").raw_tool(weather).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ToolDefinition {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) flow: Vec<Flow>,
    pub(crate) meta: Meta,
    pub(crate) input: InputSource,
    pub(crate) output: OutputSource,
    pub(crate) policy: ArgumentPolicy,
    pub(crate) deadline: Option<Duration>,
    pub(crate) finishes: bool,
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) handler: Arc<dyn Handler>,
}

impl ToolDefinition {
    /// A tool without arguments; what it is called, and what it does when it is.
    pub fn new(name: impl Into<Cow<'static, str>>, handler: impl Handler) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            flow: Vec::new(),
            meta: Meta::default(),
            input: InputSource::Type(root_of::<()>),
            output: OutputSource::None,
            policy: ArgumentPolicy::default(),
            deadline: None,
            finishes: false,
            wanted: Vec::new(),
            handler: Arc::new(handler),
        }
    }

    /// The same tool under another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// A name for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the tool does, for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Hints to the client about what the tool does to the world.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// One more icon.
    #[must_use]
    pub fn with_icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// Where the data goes. An empty list says nothing.
    #[must_use]
    pub fn with_flow(mut self, flow: &[Flow]) -> Self {
        self.flow = flow.to_vec();
        self
    }

    /// What `_meta` of the tool holds beside what the SDK puts there.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// The arguments are the fields of `A`.
    #[must_use]
    pub fn with_arguments<A: JsonSchema>(mut self) -> Self {
        self.input = InputSource::Type(root_of::<A>);
        self
    }

    /// The arguments are described by a schema from elsewhere, shown byte for byte. They are not checked against it, only
    /// that they are an object.
    #[must_use]
    pub fn with_input_schema(mut self, schema: RawJson) -> Self {
        self.input = InputSource::Foreign(schema);
        self
    }

    /// The results are those of `R`; the schema of its structured content is shown.
    #[must_use]
    pub fn with_output<R: IntoReply>(mut self) -> Self {
        self.output = OutputSource::Type(output_of::<R>);
        self
    }

    /// The structured content is described by a schema from elsewhere, shown byte for byte.
    ///
    /// A result without structured content is replaced by an error that the model reads, and so is one that breaks the
    /// schema, if that says nothing but what is checked for arguments: types, values, bounds, patterns, properties, items,
    /// unions, and references inside of it. With any other keyword (`if`, `contains`, `dependentRequired`, …) the content
    /// is passed on unchecked. `format` is not asserted.
    #[must_use]
    pub fn with_output_schema(mut self, schema: RawJson) -> Self {
        self.output = OutputSource::Foreign(schema);
        self
    }

    /// Unknown arguments are ignored rather than refused.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.policy.open = true;
        self
    }

    /// Arguments of the wrong type are refused though it would be clear what is meant.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.policy.strict = true;
        self
    }

    /// A call that takes longer is ended with an error that the model reads, and its future dropped. A thread that blocks
    /// goes on, but is no longer waited for. A handler that is done when it returns ([`Step::Done`](crate::Step::Done))
    /// can't be interrupted and is not limited.
    #[must_use]
    pub fn with_deadline(mut self, limit: Duration) -> Self {
        self.deadline = Some(limit);
        self
    }

    /// A cancelled call runs on to its end, so that it can clean up; its answer is dropped. Without this it is the
    /// handler that is dropped.
    #[must_use]
    pub fn finishes(mut self) -> Self {
        self.finishes = true;
        self
    }

    /// The handler borrows a `T`, so the server must lend one.
    #[must_use]
    pub fn borrows<T: Lend>(mut self) -> Self {
        self.wanted.push(Wanted::new::<T>());
        self
    }

    /// The name that clients call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does, for the model.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

fn output_of<R: IntoReply>(dialect: Dialect) -> Result<Option<OutputSchema>, SchemaError> {
    R::output_schema(output_generator(dialect))
        .map(|root| OutputSchema::new(root, dialect))
        .transpose()
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
