//! What a prompt is: its name, its arguments, and its handler.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::build_error::BuildError;
use super::callee::Callee;
use super::completing::{Completer, Completers};
use super::context::Kind;
use super::definition::{Common, common_builders};
use super::invocation::{Handler, Invocation, Step};
use super::object::ObjectWriter;
use super::reply::Reply;
use super::shelf::{Definition, Registered, under};
use super::show::{Schemas, Showing, callee, check_name};
use super::table::Entry;
use super::tool::{InputSource, write_extras};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{PromptArgument, ProtocolVersion};
use crate::schema::{ArgumentPolicy, root_of};

/// A prompt known at compile time: what `#[prompt]` makes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt",
    label = "not a prompt",
    note = "put `#[prompt]` on the function `{Self}`"
)]
pub trait Prompt: Sized + 'static {
    /// The name that clients ask for it by.
    const NAME: &'static str;

    /// Everything the server needs to know of it.
    fn definition() -> PromptDefinition;
}

/// Prompts that share a value: what `#[prompts]` makes of an `impl` block. Their methods run on `Arc<Self>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no prompts",
    note = "put `#[prompts]` on an `impl {Self}` block and `#[prompt]` on its methods"
)]
pub trait PromptSet: Send + Sync + Sized + 'static {
    /// The definitions of all its prompts.
    fn definitions(this: Arc<Self>) -> Vec<PromptDefinition>;
}

impl<S: PromptSet> PromptSet for Arc<S> {
    fn definitions(this: Arc<Self>) -> Vec<PromptDefinition> {
        S::definitions(Self::clone(&this))
    }
}

/// A prompt: what clients are shown of it, and its handler.
///
/// The macros make these. By hand, they are for prompts that are known only when the program runs:
///
/// ```
/// use mcp_core::protocol::PromptMessage;
/// use mcp_core::{Invocation, PromptDefinition, Reply, Server, Step};
///
/// let greeting = PromptDefinition::new("greeting", |_: Invocation| {
///     Step::Done(Reply::from_messages(vec![PromptMessage::user("Say hello.")]))
/// })
/// .with_description("Has the model say hello.");
/// let server = Server::new("manners", "1.0.0").raw_prompt(greeting).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct PromptDefinition {
    pub(crate) common: Common,
    pub(crate) input: InputSource,
    pub(crate) completers: Completers,
    /// Whether the handler sees to it by itself that the arguments are what was declared.
    reads_arguments: bool,
}

impl PromptDefinition {
    /// A prompt without arguments; what it is called, and what it says.
    pub fn new(name: impl Into<Cow<'static, str>>, handler: impl Handler) -> Self {
        Self {
            common: Common::new(name, handler),
            input: InputSource::Type(root_of::<()>),
            completers: Completers::default(),
            reads_arguments: false,
        }
    }

    common_builders!("prompt");

    /// The arguments are the fields of `A`. Clients send their values as strings, which are read as what the fields are.
    ///
    /// A request that lacks a required one, has one that is not declared, or a value that is no string or can't be read as
    /// its field, is refused (-32602) before the handler runs.
    #[must_use]
    pub fn with_arguments<A: JsonSchema>(mut self) -> Self {
        self.input = InputSource::Type(root_of::<A>);
        self
    }

    /// The same, for a handler that begins with reading all of them: what the macros write.
    #[doc(hidden)]
    #[must_use]
    pub fn reads_arguments<A: JsonSchema>(mut self) -> Self {
        self.reads_arguments = true;
        self.with_arguments::<A>()
    }

    /// How an argument is completed while a person types it.
    #[must_use]
    pub fn with_completer(
        mut self,
        argument: impl Into<Cow<'static, str>>,
        completer: impl Completer,
    ) -> Self {
        self.completers.insert(argument.into(), completer);
        self
    }
}

impl fmt::Debug for PromptDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptDefinition")
            .field("name", &self.common.name)
            .finish_non_exhaustive()
    }
}

/// A prompt, ready to be asked for and shown.
#[derive(Debug)]
pub(crate) struct PromptEntry {
    sequence: u64,
    definition: Arc<PromptDefinition>,
    callee: Arc<Callee>,
    pub(super) arguments: Vec<PromptArgument>,
    pub(super) completers: Completers,
}

impl Definition for PromptDefinition {
    type Entry = PromptEntry;

    const KIND: &'static str = "prompts";

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
    ) -> Result<PromptEntry, BuildError> {
        check_name(&registered.name)?;
        let definition = &registered.definition;
        let policy = ArgumentPolicy::default();
        let input = schemas
            .input(
                &definition.input,
                showing.dialect,
                definition.description(),
                policy,
            )
            .map_err(|source| BuildError::Schema {
                of: Kind::Prompt.of(&registered.name),
                source,
            })?;
        let schema: Value = serde_json::from_str(input.json()).unwrap_or_default();
        let mut completers = definition.completers.clone();
        completers.add_choices(&schema);
        let mut common = definition.common.clone();
        if !definition.reads_arguments {
            common.handler = Arc::new(Checked(common.handler));
        }
        Ok(PromptEntry {
            sequence: registered.sequence,
            definition: Arc::clone(definition),
            callee: callee(Kind::Prompt, registered, &common, showing, input, None)?,
            arguments: arguments(&schema),
            completers,
        })
    }

    fn twice(key: String) -> BuildError {
        BuildError::PromptTwice(key)
    }
}

/// A handler that need not look whether its arguments are what the prompt declares.
struct Checked(Arc<dyn Handler>);

impl Handler for Checked {
    fn start(&self, invocation: Invocation) -> Step {
        let arguments = invocation.raw_arguments();
        let checked = strings(arguments).and_then(|()| {
            let checked = invocation.schema.check(arguments);
            checked.map_err(Reply::invalid_arguments)
        });
        match checked {
            Ok(()) => self.0.start(invocation),
            Err(reply) => Step::Done(reply),
        }
    }
}

/// Whether all arguments are strings, as the protocol has it.
fn strings(arguments: &str) -> Result<(), Reply> {
    let refused = |why| Reply::protocol_error(ErrorObject::new(ErrorCode::INVALID_PARAMS, why));
    let arguments: Map<String, Value> = serde_json::from_str(arguments)
        .map_err(|_| refused("the arguments must be an object".to_owned()))?;
    match arguments.iter().find(|(_, value)| !value.is_string()) {
        None => Ok(()),
        Some((name, _)) => {
            let shown: String = name.chars().take(64).collect();
            Err(refused(format!("the argument `{shown}` must be a string")))
        }
    }
}

/// What is shown of the arguments: the schema says more than prompts can.
fn arguments(schema: &Value) -> Vec<PromptArgument> {
    let required = |name: &String| {
        (schema["required"].as_array())
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    let properties = schema["properties"].as_object();
    (properties.into_iter().flatten())
        .map(|(name, property)| {
            let mut argument = PromptArgument::new(name.as_str());
            let text = |member: &str| property[member].as_str().map(ToOwned::to_owned);
            argument.title = text("title");
            argument.description = text("description");
            argument.required = required(name).then_some(true);
            argument
        })
        .collect()
}

impl Entry for PromptEntry {
    fn callee(&self) -> &Arc<Callee> {
        &self.callee
    }

    fn sequence(&self) -> u64 {
        self.sequence
    }

    fn write(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        let common = &self.definition.common;
        let mut object = ObjectWriter::begin(out);
        object.text("name", &self.callee.name);
        if version.has_title()
            && let Some(title) = &common.title
        {
            object.text("title", title);
        }
        if let Some(description) = &common.description {
            object.text("description", description);
        }
        if !self.arguments.is_empty() {
            let shown = self.arguments.iter().map(|argument| ShownArgument {
                name: &argument.name,
                title: argument.title.as_deref().filter(|_| version.has_title()),
                description: argument.description.as_deref(),
                required: argument.required,
            });
            object.json("arguments", &shown.collect::<Vec<_>>());
        }
        write_extras(&mut object, &common.icons, &common.meta, version);
        object.end();
    }
}

/// An argument without what the revision does not have.
#[derive(Serialize)]
struct ShownArgument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
}
