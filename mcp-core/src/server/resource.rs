//! What a resource is: its URI, or the template of a family of URIs, and its handler.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde_json::Value;

use super::build_error::BuildError;
use super::callee::Callee;
use super::completing::{Completer, Completers};
use super::context::Kind;
use super::definition::{Common, common_builders};
use super::invocation::Handler;
use super::object::ObjectWriter;
use super::shelf::{Definition, Registered};
use super::show::{Schemas, Showing, callee};
use super::table::Entry;
use super::tool::{InputSource, write_extras};
use crate::protocol::{Annotations, ProtocolVersion};
use crate::schema::{ArgumentPolicy, root_of};
use crate::uri_template::UriTemplate;
use crate::uri_template::chars::normalise;

/// A resource known at compile time: what `#[resource]` makes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "put `#[resource(\"scheme://path\")]` on the function `{Self}`"
)]
pub trait Resource: Sized + 'static {
    /// Where it is: a URI, or a template of URIs (RFC 6570).
    const URI: &'static str;

    /// Everything the server needs to know of it.
    fn definition() -> ResourceDefinition;
}

/// Resources that share a value: what `#[resources]` makes of an `impl` block. Their methods run on `Arc<Self>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no resources",
    note = "put `#[resources]` on an `impl {Self}` block and `#[resource(\"scheme://path\")]` on its methods"
)]
pub trait ResourceSet: Send + Sync + Sized + 'static {
    /// The definitions of all its resources.
    fn definitions(this: Arc<Self>) -> Vec<ResourceDefinition>;
}

impl<S: ResourceSet> ResourceSet for Arc<S> {
    fn definitions(this: Arc<Self>) -> Vec<ResourceDefinition> {
        S::definitions(Self::clone(&this))
    }
}

/// A resource, or a family of them: what clients are shown of it, and its handler.
///
/// The macros make these. By hand, they are for resources that are known only when the program runs:
///
/// ```
/// use mcp_core::{Invocation, ResourceDefinition, Server, Step};
///
/// let hours = ResourceDefinition::new("shop://hours", "hours", |call: Invocation| {
///     Step::Done(call.contents("9 to 5"))
/// })
/// .with_mime_type("text/plain");
/// let server = Server::new("shop", "1.0.0").raw_resource(hours).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct ResourceDefinition {
    pub(crate) common: Common,
    uri: Cow<'static, str>,
    mime_type: Option<Cow<'static, str>>,
    annotations: Annotations,
    size: Option<u64>,
    input: InputSource,
    completers: Completers,
}

impl ResourceDefinition {
    /// A resource at this URI, or the family of a template such as `notes://{id}`; its name for programs, and what gives its
    /// contents.
    pub fn new(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        handler: impl Handler,
    ) -> Self {
        Self {
            common: Common::new(name, handler),
            uri: uri.into(),
            mime_type: None,
            annotations: Annotations::default(),
            size: None,
            input: InputSource::Type(root_of::<()>),
            completers: Completers::default(),
        }
    }

    common_builders!("resource");

    /// The media type of its contents; also that of contents which name none.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Whom it is for, and how much it matters.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// How many bytes it has. Families show none.
    #[must_use]
    pub fn with_size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// The variables of the template are the fields of `A`. A URI whose values can't be read as these names no resource.
    #[must_use]
    pub fn with_variables<A: JsonSchema>(mut self) -> Self {
        self.input = InputSource::Type(root_of::<A>);
        self
    }

    /// How a variable of the template is completed while a person types it.
    #[must_use]
    pub fn with_completer(
        mut self,
        variable: impl Into<Cow<'static, str>>,
        completer: impl Completer,
    ) -> Self {
        self.completers.insert(variable.into(), completer);
        self
    }

    /// The URI, or the template of the family.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }
}

impl fmt::Debug for ResourceDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceDefinition")
            .field("uri", &self.uri)
            .finish_non_exhaustive()
    }
}

/// A resource or a family of them, ready to be read and shown.
#[derive(Debug)]
pub(crate) struct ResourceEntry {
    sequence: u64,
    definition: Arc<ResourceDefinition>,
    callee: Arc<Callee>,
    template: Option<UriTemplate>,
    pub(super) completers: Completers,
}

impl ResourceEntry {
    /// `None` for a resource that has a URI of its own.
    pub(super) const fn template(&self) -> Option<&UriTemplate> {
        self.template.as_ref()
    }

    pub(super) fn mime_type(&self) -> Option<&str> {
        self.definition.mime_type.as_deref()
    }
}

impl Definition for ResourceDefinition {
    type Entry = ResourceEntry;

    const KIND: &'static str = "resources";

    /// URIs that differ in spelling only lead to the same.
    fn key(&self) -> String {
        self.uri.clone().into_owned()
    }

    /// URIs are the same everywhere.
    fn key_under(_prefix: &str, key: &str) -> String {
        key.to_owned()
    }

    fn compile(
        registered: &Registered<Self>,
        showing: &Showing,
        schemas: &mut Schemas,
    ) -> Result<ResourceEntry, BuildError> {
        let definition = &registered.definition;
        let template = template(&definition.uri)?;
        // The values of an optional expression may be missing, and what the handler does not want is left to it.
        let policy = ArgumentPolicy {
            open: true,
            strict: false,
        };
        let input = schemas
            .input(
                &definition.input,
                showing.dialect,
                definition.description(),
                policy,
            )
            .map_err(|source| BuildError::Schema {
                of: Kind::Resource.of(&registered.name),
                source,
            })?;
        let mut completers = definition.completers.clone();
        if template.is_some() {
            let schema: Value = serde_json::from_str(input.json()).unwrap_or_default();
            completers.add_choices(&schema);
        }
        Ok(ResourceEntry {
            sequence: registered.sequence,
            definition: Arc::clone(definition),
            callee: callee(
                Kind::Resource,
                registered,
                &definition.common,
                showing,
                input,
                None,
            )?,
            template,
            completers,
        })
    }

    fn twice(key: String) -> BuildError {
        BuildError::TwiceAt(key)
    }
}

/// The template, when the text has variables; else it must be a URI.
fn template(uri: &str) -> Result<Option<UriTemplate>, BuildError> {
    let wrong = |why: String| BuildError::Uri {
        uri: uri.to_owned(),
        why,
    };
    let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let has_scheme = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(allowed)
    });
    if !has_scheme {
        return Err(wrong(
            "it must begin with a scheme, such as `notes:`".to_owned(),
        ));
    }
    if uri.contains(['{', '}']) {
        return UriTemplate::parse(uri)
            .map(Some)
            .map_err(|error| wrong(error.to_string()));
    }
    if normalise(uri).is_none() {
        return Err(wrong("it is no URI".to_owned()));
    }
    Ok(None)
}

impl Entry for ResourceEntry {
    fn callee(&self) -> &Arc<Callee> {
        &self.callee
    }

    fn sequence(&self) -> u64 {
        self.sequence
    }

    fn write(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        let common = &self.definition.common;
        let mut object = ObjectWriter::begin(out);
        let uri = if self.template.is_some() {
            "uriTemplate"
        } else {
            "uri"
        };
        object.text(uri, &self.callee.name);
        object.text("name", &common.name);
        if version.has_title()
            && let Some(title) = &common.title
        {
            object.text("title", title);
        }
        if let Some(description) = &common.description {
            object.text("description", description);
        }
        if let Some(mime_type) = &self.definition.mime_type {
            object.text("mimeType", mime_type);
        }
        let mut annotations = self.definition.annotations.clone();
        if !version.has_last_modified() {
            annotations.last_modified = None;
        }
        if annotations != Annotations::default() {
            object.json("annotations", &annotations);
        }
        if let Some(size) = self.definition.size.filter(|_| self.template.is_none()) {
            object.json("size", &size);
        }
        write_extras(&mut object, &common.icons, &common.meta, version);
        object.end();
    }
}
