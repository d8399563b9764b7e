//! How what a tool returns becomes a reply.

use std::error::Error;
use std::marker::PhantomData;

use serde::Serialize;

use crate::server::{IntoReply, IntoToolError, Reply, ToolDefinition};

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
