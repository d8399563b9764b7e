//! What a tool returns, seen from its client.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::error::ClientErrorKind;
use crate::protocol::{CallToolResult, ContentBlock, RawJson};
use crate::server::{Json, Reply};

/// A return type of a tool, and what a client gets of it: a [`Result`] gives its value, a [`Json`] what is in it, and a
/// [`Reply`] the [`CallToolResult`].
///
/// It is there for what tools usually return, and [`#[data]`](macro@crate::data) gives it to types of yours. For others
/// it is written by hand, mostly with [`read_result`]:
///
/// ```
/// use mcp_core::ToolResult;
/// use mcp_core::client::{Returned, read_result};
///
/// #[derive(serde::Deserialize)]
/// struct Temperature(f64);
///
/// impl Returned for Temperature {
///     type Value = Self;
///
///     fn from_result(result: ToolResult) -> Result<Self, String> {
///         read_result(&result)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a client can't read `{Self}` from the result of a tool",
    label = "not read by clients",
    note = "put `#[mcp_core::data]` on your own type, or implement `Returned` for it; or call the tool by name and read what it returns by `into_typed`"
)]
pub trait Returned {
    /// What a client gets.
    type Value;

    /// Reads it from a result that is no failure.
    ///
    /// # Errors
    ///
    /// What does not fit.
    fn from_result(result: CallToolResult) -> Result<Self::Value, String>;
}

/// Stands for anything that serde can read.
#[derive(Debug)]
pub struct As<T>(PhantomData<fn() -> T>);

impl<T: DeserializeOwned> Returned for As<T> {
    type Value = T;

    fn from_result(result: CallToolResult) -> Result<T, String> {
        read_result(&result)
    }
}

/// Reads a result as a `T`: its structured content where there is some, also where it stands under `result`, else its
/// text as JSON or as a string.
///
/// # Errors
///
/// When none of these fits.
pub fn read_result<T: DeserializeOwned>(result: &CallToolResult) -> Result<T, String> {
    let mut first = None;
    let mut keep = |fault: serde_json::Error| {
        first.get_or_insert_with(|| fault.to_string());
    };
    let text = result.text();
    if let Some(structured) = &result.structured_content {
        let inner = wrapped(structured);
        // The text is never wrapped. Without a look at it, a type that takes any object would take the wrapping.
        let is_wrapped = inner.as_ref().is_some_and(|inner| inner.get() == text);
        let mut candidates = [Some(structured), inner.as_ref()];
        if is_wrapped {
            candidates.reverse();
        }
        for candidate in candidates {
            match candidate.map(RawJson::parse) {
                None => {}
                Some(Ok(value)) => return Ok(value),
                Some(Err(fault)) => keep(fault),
            }
        }
    }
    match serde_json::from_str(&text) {
        Ok(value) => return Ok(value),
        Err(fault) => keep(fault),
    }
    match T::deserialize(serde::de::value::StringDeserializer::<serde_json::Error>::new(text)) {
        Ok(value) => return Ok(value),
        Err(fault) => keep(fault),
    }
    // A tool that returns nothing says nothing.
    match serde_json::from_str("null") {
        Ok(value) if result.content.is_empty() && result.structured_content.is_none() => Ok(value),
        _ => Err(first.unwrap_or_default()),
    }
}

/// Up to 2025-11-25, values that are no objects are wrapped in one.
fn wrapped(structured: &RawJson) -> Option<RawJson> {
    let members: BTreeMap<String, RawJson> = structured.parse().ok()?;
    let mut members = members.into_iter();
    match (members.next(), members.next()) {
        (Some((name, inner)), None) if name == "result" => Some(inner),
        _ => None,
    }
}

pub(super) fn decode<R: Returned>(result: CallToolResult) -> Result<R::Value, ClientErrorKind> {
    if result.is_error == Some(true) {
        return Err(ClientErrorKind::Tool(result));
    }
    R::from_result(result).map_err(|why| {
        let name = std::any::type_name::<R::Value>();
        ClientErrorKind::Malformed(format!("it is no `{name}`: {why}"))
    })
}

macro_rules! by_serde {
    ($($ty:ty),+ $(,)?) => {$(
        impl Returned for $ty {
            type Value = Self;

            fn from_result(result: CallToolResult) -> Result<Self, String> {
                read_result(&result)
            }
        }
    )+};
}

by_serde! {
    bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64,
    serde_json::Value, serde_json::Map<String, serde_json::Value>, RawJson,
    std::path::PathBuf, std::time::Duration, std::time::SystemTime, std::net::IpAddr,
}

impl Returned for String {
    type Value = Self;

    /// Text is not read as JSON here: a tool that returns a string means what it says.
    fn from_result(result: CallToolResult) -> Result<Self, String> {
        let structured = result.structured_content.as_ref();
        let value = structured.and_then(|structured| {
            let inner = || wrapped(structured)?.parse().ok();
            structured.parse().ok().or_else(inner)
        });
        Ok(value.unwrap_or_else(|| result.text()))
    }
}

impl Returned for &str {
    type Value = String;

    fn from_result(result: CallToolResult) -> Result<String, String> {
        <String as Returned>::from_result(result)
    }
}

impl Returned for std::borrow::Cow<'_, str> {
    type Value = String;

    fn from_result(result: CallToolResult) -> Result<String, String> {
        <String as Returned>::from_result(result)
    }
}

impl Returned for Box<str> {
    type Value = String;

    fn from_result(result: CallToolResult) -> Result<String, String> {
        <String as Returned>::from_result(result)
    }
}

impl Returned for () {
    type Value = ();

    fn from_result(_: CallToolResult) -> Result<(), String> {
        Ok(())
    }
}

impl Returned for CallToolResult {
    type Value = Self;

    fn from_result(result: CallToolResult) -> Result<Self, String> {
        Ok(result)
    }
}

impl Returned for Reply {
    type Value = CallToolResult;

    fn from_result(result: CallToolResult) -> Result<CallToolResult, String> {
        Ok(result)
    }
}

impl Returned for ContentBlock {
    type Value = Self;

    fn from_result(result: CallToolResult) -> Result<Self, String> {
        let mut blocks = result.content.into_iter();
        match (blocks.next(), blocks.next()) {
            (Some(block), None) => Ok(block),
            _ => Err("it has not one block of content".to_owned()),
        }
    }
}

impl<T: DeserializeOwned> Returned for Json<T> {
    type Value = T;

    fn from_result(result: CallToolResult) -> Result<T, String> {
        read_result(&result)
    }
}

impl<T: Returned, E> Returned for Result<T, E> {
    type Value = T::Value;

    fn from_result(result: CallToolResult) -> Result<T::Value, String> {
        T::from_result(result)
    }
}

impl<T: Returned> Returned for Box<T> {
    type Value = T::Value;

    fn from_result(result: CallToolResult) -> Result<T::Value, String> {
        T::from_result(result)
    }
}

impl<T: Returned> Returned for Arc<T> {
    type Value = T::Value;

    fn from_result(result: CallToolResult) -> Result<T::Value, String> {
        T::from_result(result)
    }
}

impl<T, const N: usize> Returned for [T; N]
where
    Self: DeserializeOwned,
{
    type Value = Self;

    fn from_result(result: CallToolResult) -> Result<Self, String> {
        read_result(&result)
    }
}

impl<T: DeserializeOwned + 'static> Returned for Vec<T> {
    type Value = Self;

    fn from_result(mut result: CallToolResult) -> Result<Self, String> {
        // A list of content blocks is what the result has, and not what it says.
        let mut blocks = Some(std::mem::take(&mut result.content));
        let mut own: Box<dyn std::any::Any> = Box::new(blocks.take().unwrap_or_default());
        if let Some(own) = own.downcast_mut::<Self>() {
            return Ok(std::mem::take(own));
        }
        if let Some(content) = own.downcast_mut::<Vec<ContentBlock>>() {
            result.content = std::mem::take(content);
        }
        read_result(&result)
    }
}

macro_rules! generic_by_serde {
    ($(<$($name:ident $(: $bound:ident $(+ $more:ident)*)?),+> $ty:ty;)+) => {$(
        impl<$($name: DeserializeOwned $(+ $bound $(+ $more)*)?),+> Returned for $ty {
            type Value = Self;

            fn from_result(result: CallToolResult) -> Result<Self, String> {
                read_result(&result)
            }
        }
    )+};
}

generic_by_serde! {
    <T> Option<T>;
    <T> VecDeque<T>;
    <T: Ord> BTreeSet<T>;
    <K: Ord, V> BTreeMap<K, V>;
    <A> (A,);
    <A, B> (A, B);
    <A, B, C> (A, B, C);
    <A, B, C, D> (A, B, C, D);
    <A, B, C, D, E> (A, B, C, D, E);
    <A, B, C, D, E, F> (A, B, C, D, E, F);
}

impl<T: DeserializeOwned + Eq + Hash, S: BuildHasher + Default> Returned for HashSet<T, S> {
    type Value = Self;

    fn from_result(result: CallToolResult) -> Result<Self, String> {
        read_result(&result)
    }
}

impl<K: DeserializeOwned + Eq + Hash, V: DeserializeOwned, S: BuildHasher + Default> Returned
    for HashMap<K, V, S>
{
    type Value = Self;

    fn from_result(result: CallToolResult) -> Result<Self, String> {
        read_result(&result)
    }
}
