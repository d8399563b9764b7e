//! What only expansions of the macros need. None of it is part of the public interface.

use std::future::{Future, Ready, ready};
use std::marker::PhantomData;

pub use std::borrow::Cow;
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec::Vec;

pub use schemars::{self, JsonSchema};
pub use serde::de::DeserializeOwned;
pub use serde::{self, Deserialize, Serialize};

#[cfg(feature = "macros")]
pub use mcp_macros::Form;

pub use crate::client::{
    Client, ClientError, Returned, TypedCallFuture, TypedToolCall, read_result,
};
pub use crate::form::{Form, FormChoice, FormField};
pub use crate::protocol::{Annotations, CallToolResult, Completion, Icon, Role, ToolAnnotations};
pub use crate::runtime::Runtime;
pub use crate::server::{
    Completing, Context, Flow, IntoCompletion, IntoMessages, IntoReply, Invocation, Prompt,
    PromptDefinition, PromptSet, Resource, ResourceDefinition, ResourceSet, Run, Step, Tool,
    ToolDefinition, ToolSet,
};
pub use crate::transport::Transport;

use crate::protocol::{Meta, RawJson};
use crate::server::Reply;

#[path = "private/probe.rs"]
mod probe;
#[path = "private/returns.rs"]
mod returns;
#[path = "private/text.rs"]
mod text;

pub use probe::is_none;
pub use returns::{
    Boxed, ByAny, ByFailing, ByFailingJson, ByJson, ByReply, ByResult, HasCauses, Plain, Returns,
    ReturnsAny, ReturnsFailing, ReturnsFailingJson, ReturnsJson, ReturnsReply, ReturnsResult,
};
pub use text::Text;

/// What a type parameter must be when an argument is of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an argument",
    note = "arguments are `Deserialize`, `JsonSchema`, `Send` and `'static`; `#[mcp_core::data]` derives the first two"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Send + 'static {}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Argument for T {}

/// What an argument is that borrows nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an argument",
    label = "not an argument",
    note = "put `#[mcp_core::data]` on the type and on your types inside of it; those of other crates have to be `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait Owned: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Owned for T {}

/// What [`Json`](crate::Json) may hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be structured content",
    label = "not a value for `Json`",
    note = "put `#[mcp_core::data]` on the type and on your types inside of it; those of other crates have to be `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait Structured: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Structured for T {}

/// What holds all arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't hold arguments",
    label = "not decoded from arguments",
    note = "put `#[mcp_core::data]` on it, or derive `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait Whole<'de>: Deserialize<'de> + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<'de, T: Deserialize<'de> + JsonSchema> Whole<'de> for T {}

/// What takes a variable that a URI may leave out.
#[diagnostic::on_unimplemented(
    message = "a URI may leave out this variable, and `{Self}` always has a value",
    label = "a value that may be missing",
    note = "take `Option<{Self}>`, or give it a default by `#[arg(default = …)]`"
)]
pub trait MayBeMissing {}

impl<T> MayBeMissing for Option<T> {}

/// What a client gives as an argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be sent as an argument",
    label = "not written as JSON",
    note = "put `#[mcp_core::data]` on the type and on your types inside of it; those of other crates have to be `serde::Serialize`"
)]
pub trait Given: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Given for T {}

/// Connects a client that was made for tools of a package.
///
/// # Errors
///
/// As [`ClientBuilder::connect`](crate::ClientBuilder::connect).
pub async fn connect(
    (name, version): (Option<&str>, Option<&str>),
    client: &str,
    transport: impl Transport,
    runtime: impl Runtime,
) -> Result<Client, ClientError> {
    Client::builder(name.unwrap_or(client), version.unwrap_or("0"))
        .connect(transport, runtime)
        .await
}

/// Decodes all arguments.
///
/// # Errors
///
/// The reply that says what is wrong with them.
pub fn arguments<'a, T: Whole<'a>>(invocation: &'a Invocation) -> Result<T, Reply> {
    invocation.arguments()
}

/// Arguments with a reference inside, and what they are decoded to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an argument",
    label = "a reference inside of another type",
    note = "references are taken as `&str`, `&[T]`, `Option<&str>`, `Option<&[T]>` and `Vec<&str>`; take anything else by value"
)]
pub trait Nested {
    /// What is decoded.
    type Held;
}

/// Lending of what [`Nested`] decodes.
pub trait LendAs<'a, T> {
    /// The argument as the function takes it.
    fn lend_as(&'a self) -> T;
}

impl<'a> Nested for Option<&'a str> {
    type Held = Option<Text<'a>>;
}

impl<'a> LendAs<'a, Option<&'a str>> for Option<Text<'_>> {
    fn lend_as(&'a self) -> Option<&'a str> {
        self.as_deref()
    }
}

impl<T> Nested for Option<&[T]> {
    type Held = Option<Vec<T>>;
}

impl<'a, T> LendAs<'a, Option<&'a [T]>> for Option<Vec<T>> {
    fn lend_as(&'a self) -> Option<&'a [T]> {
        self.as_deref()
    }
}

impl<'a> Nested for Vec<&'a str> {
    type Held = Vec<Text<'a>>;
}

impl<'a> LendAs<'a, Vec<&'a str>> for Vec<Text<'_>> {
    fn lend_as(&'a self) -> Vec<&'a str> {
        self.iter().map(|text| &**text).collect()
    }
}

// The arguments of a tool that has none. A doc comment would be shown to models.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "expansions take it apart")]
pub struct NoArguments {}

// The arguments of a tool that has none and ignores what it is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(clippy::exhaustive_structs, reason = "expansions take it apart")]
pub struct AnyArguments {}

/// What a completer gives: the values, or a future of them. The first of these that fits is chosen, as with [`Returns`].
#[derive(Debug)]
pub struct Completes<R>(PhantomData<fn() -> R>);

impl<R> Completes<R> {
    /// What this is.
    pub const fn of(_found: &R) -> Self {
        Self(PhantomData)
    }
}

/// Chosen for a future.
pub trait CompletesLater<F> {
    /// The way it goes.
    fn completes(&self) -> ByFuture<F>;
}

impl<F: Future> CompletesLater<F> for &Completes<F> {
    fn completes(&self) -> ByFuture<F> {
        ByFuture(PhantomData)
    }
}

/// Chosen for what is no future.
pub trait CompletesNow<R> {
    /// The way it goes.
    fn completes(&self) -> ByValue<R>;
}

impl<R> CompletesNow<R> for Completes<R> {
    fn completes(&self) -> ByValue<R> {
        ByValue(PhantomData)
    }
}

/// Values that are waited for.
#[derive(Debug)]
pub struct ByFuture<F>(PhantomData<fn() -> F>);

impl<F: Future> ByFuture<F> {
    /// The future itself.
    pub const fn wait(self, found: F) -> F {
        found
    }
}

/// Values that are there.
#[derive(Debug)]
pub struct ByValue<R>(PhantomData<fn() -> R>);

impl<R> ByValue<R> {
    /// Nothing is to be waited for.
    pub fn wait(self, found: R) -> Ready<R> {
        ready(found)
    }
}

/// One more handle on what the methods of a tool set share.
pub fn share<T>(shared: &Arc<T>) -> Arc<T> {
    Arc::clone(shared)
}

/// Tidies a description that was put together by the compiler, as with `#[doc = include_str!("tool.md")]`.
#[must_use]
pub const fn description(text: &'static str) -> &'static str {
    text.trim_ascii()
}

/// The `_meta` of a tool, from names and the JSON texts of their values.
#[must_use]
pub fn meta(members: &[(&str, &str)]) -> Meta {
    members.iter().fold(Meta::new(), |meta, (name, json)| {
        // The macro wrote the text, so it is JSON.
        meta.with(*name, json.parse().unwrap_or_else(|_| RawJson::null()))
    })
}
