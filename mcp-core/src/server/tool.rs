//! What a tool is: its name, what clients are shown of it, and its handler.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::build_error::BuildError;
use super::callee::Callee;
use super::definition::{Common, common_builders};
use super::invocation::Handler;
use super::object::ObjectWriter;
use super::reply::IntoReply;
use super::shelf::{Definition, Registered, under};
use super::show::{self, Schemas, Showing};
use super::table::Entry;
use crate::protocol::{Icon, Meta, ProtocolVersion, RawJson, ToolAnnotations};
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

    /// What the handler returns. A client gets what [`Returned`](crate::client::Returned) makes of it.
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
    pub(crate) common: Common,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) flow: Vec<Flow>,
    pub(crate) input: InputSource,
    pub(crate) output: OutputSource,
    pub(crate) policy: ArgumentPolicy,
}

impl ToolDefinition {
    /// A tool without arguments; what it is called, and what it does when it is.
    pub fn new(name: impl Into<Cow<'static, str>>, handler: impl Handler) -> Self {
        Self {
            common: Common::new(name, handler),
            annotations: ToolAnnotations::default(),
            flow: Vec::new(),
            input: InputSource::Type(root_of::<()>),
            output: OutputSource::None,
            policy: ArgumentPolicy::default(),
        }
    }

    common_builders!("tool");

    /// Hints to the client about what the tool does to the world.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Where the data goes. An empty list says nothing.
    #[must_use]
    pub fn with_flow(mut self, flow: &[Flow]) -> Self {
        self.flow = flow.to_vec();
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
}

fn output_of<R: IntoReply>(dialect: Dialect) -> Result<Option<OutputSchema>, SchemaError> {
    R::output_schema(output_generator(dialect))
        .map(|root| OutputSchema::new(root, dialect))
        .transpose()
}

impl Definition for ToolDefinition {
    type Entry = ToolEntry;

    const KIND: &'static str = "tools";

    fn key(&self) -> String {
        self.common.name.clone().into_owned()
    }

    fn key_under(prefix: &str, key: &str) -> String {
        under(prefix, key)
    }

    fn compile(
        registered: &Registered<Self>,
        showing: &Showing,
        schemas: &mut Schemas,
    ) -> Result<ToolEntry, BuildError> {
        show::compile(registered, showing, schemas)
    }

    fn twice(key: String) -> BuildError {
        BuildError::Twice(key)
    }
}

impl<S: ToolSet> ToolSet for Arc<S> {
    fn definitions(this: Arc<Self>) -> Vec<ToolDefinition> {
        S::definitions(Self::clone(&this))
    }
}

/// A tool, ready to be called and shown.
#[derive(Debug)]
pub(crate) struct ToolEntry {
    pub(super) sequence: u64,
    pub(super) definition: Arc<ToolDefinition>,
    pub(super) callee: Arc<Callee>,
    pub(super) meta: Meta,
    pub(super) description: Option<Cow<'static, str>>,
}

impl Entry for ToolEntry {
    fn callee(&self) -> &Arc<Callee> {
        &self.callee
    }

    fn sequence(&self) -> u64 {
        self.sequence
    }

    fn write(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        let mut object = ObjectWriter::begin(out);
        object.text("name", &self.callee.name);
        if version.has_title()
            && let Some(title) = &self.definition.common.title
        {
            object.text("title", title);
        }
        if let Some(description) = &self.description {
            object.text("description", description);
        }
        object.raw("inputSchema", self.callee.input.json());
        if version.has_structured_content()
            && let Some(output) = &self.callee.output
            && output.can_be_shown(version)
        {
            object.raw("outputSchema", output.json(version));
        }
        let annotations = &self.definition.annotations;
        if version.has_tool_annotations() && *annotations != Default::default() {
            object.json("annotations", annotations);
        }
        write_extras(
            &mut object,
            &self.definition.common.icons,
            &self.meta,
            version,
        );
        object.end();
    }
}

/// The members that all that is listed may have.
pub(super) fn write_extras(
    object: &mut ObjectWriter<'_>,
    icons: &[Icon],
    meta: &Meta,
    version: ProtocolVersion,
) {
    if version.has_icons() && !icons.is_empty() {
        object.json("icons", icons);
    }
    if version.has_meta_on_objects() && !meta.is_empty() {
        object.json("_meta", meta);
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.common.name)
            .finish_non_exhaustive()
    }
}
