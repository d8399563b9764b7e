//! What only expansions of the macros need. None of it is part of the public interface.

use std::error::Error;
use std::fmt;
use std::future::{Future, Ready, ready};
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{Schema, SchemaGenerator};
use serde::Deserializer;
use serde::de::{DeserializeOwned, Visitor};
use serde::ser::{Error as _, Impossible, Serializer};

pub use std::borrow::Cow;
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec::Vec;

pub use schemars::{self, JsonSchema};
pub use serde::{self, Deserialize, Serialize};

#[cfg(feature = "macros")]
pub use mcp_macros::Form;

pub use crate::form::{Form, FormChoice, FormField};
pub use crate::protocol::{Annotations, Completion, Icon, Role, ToolAnnotations};
pub use crate::server::{
    Completing, Context, Flow, IntoCompletion, IntoMessages, IntoReply, Invocation, Prompt,
    PromptDefinition, PromptSet, Resource, ResourceDefinition, ResourceSet, Run, Step, Tool,
    ToolCall, ToolDefinition, ToolSet,
};

use crate::protocol::{Meta, RawJson};
use crate::server::{IntoToolError, Reply};

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

/// Decodes all arguments.
///
/// # Errors
///
/// The reply that says what is wrong with them.
pub fn arguments<'a, T: Whole<'a>>(invocation: &'a Invocation) -> Result<T, Reply> {
    invocation.arguments()
}

/// Text that borrows from the frame when it holds no escapes: what `&str` is decoded to.
#[derive(Clone, Debug)]
pub struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self(Cow::Borrowed(""))
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Text<'a> {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor).map(Self)
    }
}

impl JsonSchema for Text<'_> {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        std::str::from_utf8(bytes)
            .map_err(E::custom)
            .and_then(|text| self.visit_str(text))
    }
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

/// How a value of type `R` becomes a reply. The first of these that fits is chosen, by the order in which method
/// calls look for references: a `Result` that is `IntoReply` and whose error has causes; `IntoReply`; a `Result` of a
/// value that serialises, whose error has causes or not; a value that serialises; and anything else, so that the missing
/// `IntoReply` is what is reported.
#[derive(Debug)]
pub struct Returns<R>(PhantomData<fn() -> R>);

impl<R> Returns<R> {
    /// How a type becomes a reply.
    #[expect(clippy::new_without_default, reason = "only expansions make it")]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// How this value becomes a reply.
    pub const fn of(_value: &R) -> Self {
        Self(PhantomData)
    }
}

/// An error whose causes can be asked for. `IntoToolError` can't ask: it is for all that has a `Display`.
pub trait HasCauses<Kind> {
    /// The error and its causes, for the model.
    fn into_reply_with_causes(self) -> Reply;
}

/// The kind of errors that implement `Error`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Plain {}

/// The kind of errors in a box, which do not, but what is in the box does.
#[derive(Debug)]
#[non_exhaustive]
pub enum Boxed {}

impl<E: Error> HasCauses<Plain> for E {
    fn into_reply_with_causes(self) -> Reply {
        Reply::from_error(&self)
    }
}

macro_rules! boxed_errors {
    ($($inside:ty),+) => {$(
        impl HasCauses<Boxed> for Box<$inside> {
            fn into_reply_with_causes(self) -> Reply {
                Reply::from_error(&*self)
            }
        }
    )+};
}

boxed_errors! { dyn Error, dyn Error + Send, dyn Error + Send + Sync }

/// Chosen for a `Result` that is [`IntoReply`] and whose error has causes.
pub trait ReturnsFailing<T, E, Kind> {
    /// The way it goes.
    fn returned(&self) -> ByFailing<T, E, Kind>;
}

impl<T: IntoReply, E: HasCauses<Kind>, Kind> ReturnsFailing<T, E, Kind>
    for &&&&&Returns<Result<T, E>>
{
    fn returned(&self) -> ByFailing<T, E, Kind> {
        ByFailing(PhantomData)
    }
}

/// Chosen for what is [`IntoReply`].
pub trait ReturnsReply<R> {
    /// The way it goes.
    fn returned(&self) -> ByReply<R>;
}

impl<R: IntoReply> ReturnsReply<R> for &&&&Returns<R> {
    fn returned(&self) -> ByReply<R> {
        ByReply(PhantomData)
    }
}

/// Chosen for a `Result` of something that serialises and whose error has causes.
pub trait ReturnsFailingJson<T, E, Kind> {
    /// The way it goes.
    fn returned(&self) -> ByFailingJson<T, E, Kind>;
}

impl<T: Serialize, E: HasCauses<Kind>, Kind> ReturnsFailingJson<T, E, Kind>
    for &&&Returns<Result<T, E>>
{
    fn returned(&self) -> ByFailingJson<T, E, Kind> {
        ByFailingJson(PhantomData)
    }
}

/// Chosen for a `Result` of something that serialises.
pub trait ReturnsResult<T, E> {
    /// The way it goes.
    fn returned(&self) -> ByResult<T, E>;
}

impl<T: Serialize, E> ReturnsResult<T, E> for &&Returns<Result<T, E>> {
    fn returned(&self) -> ByResult<T, E> {
        ByResult(PhantomData)
    }
}

/// Chosen for what serialises.
pub trait ReturnsJson<R> {
    /// The way it goes.
    fn returned(&self) -> ByJson<R>;
}

impl<R: Serialize> ReturnsJson<R> for &Returns<R> {
    fn returned(&self) -> ByJson<R> {
        ByJson(PhantomData)
    }
}

/// Chosen when nothing else fits.
pub trait ReturnsAny<R> {
    /// The way it goes.
    fn returned(&self) -> ByAny<R>;
}

impl<R> ReturnsAny<R> for Returns<R> {
    fn returned(&self) -> ByAny<R> {
        ByAny(PhantomData)
    }
}

/// A reply, or an error with its causes.
#[derive(Debug)]
pub struct ByFailing<T, E, Kind>(PhantomData<(T, E, Kind)>);

impl<T: IntoReply, E: HasCauses<Kind>, Kind> ByFailing<T, E, Kind> {
    /// Adds the output schema.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition.with_output::<T>()
    }

    /// Makes the reply.
    pub fn reply(self, value: Result<T, E>) -> Reply {
        value.map_or_else(E::into_reply_with_causes, T::into_reply)
    }
}

/// A reply that says all itself, the schema of its output too.
#[derive(Debug)]
pub struct ByReply<R>(PhantomData<fn() -> R>);

impl<R: IntoReply> ByReply<R> {
    /// Adds the output schema.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition.with_output::<R>()
    }

    /// Makes the reply.
    pub fn reply(self, value: R) -> Reply {
        value.into_reply()
    }
}

/// A value as one JSON text, or an error with its causes.
#[derive(Debug)]
pub struct ByFailingJson<T, E, Kind>(PhantomData<(T, E, Kind)>);

impl<T: Serialize, E: HasCauses<Kind>, Kind> ByFailingJson<T, E, Kind> {
    /// There is no output schema to add.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    /// Makes the reply.
    pub fn reply(self, value: Result<T, E>) -> Reply {
        value.map_or_else(E::into_reply_with_causes, |value| json_text(&value))
    }
}

/// A value as one JSON text, or an error.
#[derive(Debug)]
pub struct ByResult<T, E>(PhantomData<fn() -> (T, E)>);

impl<T: Serialize, E> ByResult<T, E> {
    /// There is no output schema to add.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    /// Makes the reply.
    pub fn reply(self, value: Result<T, E>) -> Reply
    where
        E: IntoToolError,
    {
        match value {
            Ok(value) => json_text(&value),
            Err(error) => error.into_tool_error(),
        }
    }
}

/// A value as one JSON text.
#[derive(Debug)]
pub struct ByJson<R>(PhantomData<fn() -> R>);

impl<R: Serialize> ByJson<R> {
    /// There is no output schema to add.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    /// Makes the reply.
    pub fn reply(self, value: R) -> Reply {
        json_text(&value)
    }
}

/// Nothing that a tool may return.
#[derive(Debug)]
pub struct ByAny<R>(PhantomData<fn() -> R>);

impl<R> ByAny<R> {
    /// There is no output schema to add.
    #[must_use]
    pub fn define(self, definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    /// Says what is missing.
    pub fn reply(self, value: R) -> Reply
    where
        R: IntoReply,
    {
        value.into_reply()
    }
}

fn json_text<T: Serialize>(value: &T) -> Reply {
    match serde_json::to_string(value) {
        Ok(text) => Reply::text(text),
        Err(fault) => Reply::tool_error(format!("the result can't be written as JSON: {fault}")),
    }
}

/// Whether a value is written as the `None` of an `Option`, which is an argument left out.
pub fn is_none<T: Serialize + ?Sized>(value: &T) -> bool {
    value.serialize(NoneProbe).is_ok()
}

/// Succeeds for `None` and fails for everything else, at the first step.
struct NoneProbe;

/// It is something.
#[derive(Debug)]
struct Something;

impl fmt::Display for Something {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not `None`")
    }
}

impl Error for Something {}

impl serde::ser::Error for Something {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

macro_rules! is_something {
    ($($method:ident($($kind:ty),*)),+ $(,)?) => {$(
        fn $method(self, $(_: $kind),*) -> Result<(), Something> {
            Err(Something)
        }
    )+};
}

macro_rules! holds_something {
    ($($method:ident($($kind:ty),*) -> $compound:ty),+ $(,)?) => {$(
        fn $method(self, $(_: $kind),*) -> Result<$compound, Something> {
            Err(Something)
        }
    )+};
}

type Never = Impossible<(), Something>;

impl Serializer for NoneProbe {
    type Ok = ();
    type Error = Something;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    fn serialize_none(self) -> Result<(), Something> {
        Ok(())
    }

    is_something! {
        serialize_bool(bool), serialize_char(char), serialize_str(&str), serialize_bytes(&[u8]),
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64), serialize_i128(i128),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_u128(u128),
        serialize_f32(f32), serialize_f64(f64), serialize_unit(), serialize_unit_struct(&'static str),
        serialize_unit_variant(&'static str, u32, &'static str),
    }

    holds_something! {
        serialize_seq(Option<usize>) -> Never,
        serialize_tuple(usize) -> Never,
        serialize_tuple_struct(&'static str, usize) -> Never,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never,
        serialize_map(Option<usize>) -> Never,
        serialize_struct(&'static str, usize) -> Never,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never,
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Something> {
        Err(Something)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Something> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Something> {
        Err(Something)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), Something> {
        Err(Something::custom(""))
    }
}
