//! Calls that are typed on both sides from the definition of a tool.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use serde::Serialize;

use super::calls::ToolCallFuture;
use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::returned::{self, Returned};
use crate::protocol::CallToolResult;
use crate::server::Tool;

impl Client {
    /// Calls a tool that was written with `#[tool]`, typed on both sides from its definition: `client.call(add::with(2, 3))`
    /// for a function, `client.call(FindFiles { .. })` for a struct that derives `Tool` and [`Serialize`].
    ///
    /// # Errors
    ///
    /// The future ends in one when the tool fails, too.
    pub fn call<C: IntoToolCall>(
        &self,
        call: C,
    ) -> TypedCallFuture<'_, <C::Returned as Returned>::Value>
    where
        C::Returned: Returned,
    {
        let call = call.into_tool_call();
        TypedCallFuture::new::<C::Returned>(self.call_tool(&call.name, &call.arguments))
    }
}

/// What a client can call: a [`TypedToolCall`], or a struct that derives `Tool` and so holds the arguments of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no call of a tool",
    label = "not a call",
    note = "a function with `#[tool]` is called by `name::with(…)`; a struct that derives `Tool` has to be `serde::Serialize` as well, which `#[mcp_core::data]` derives"
)]
pub trait IntoToolCall {
    /// The arguments, which serialise as an object.
    type Arguments: Serialize;

    /// What the tool returns.
    type Returned;

    /// The call.
    fn into_tool_call(self) -> TypedToolCall<Self::Arguments, Self::Returned>;
}

impl<A: Serialize, R> IntoToolCall for TypedToolCall<A, R> {
    type Arguments = A;
    type Returned = R;

    fn into_tool_call(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Tool + Serialize> IntoToolCall for T {
    type Arguments = Self;
    type Returned = T::Output;

    fn into_tool_call(self) -> TypedToolCall<Self, T::Output> {
        TypedToolCall::new(T::NAME, self)
    }
}

/// A call of a tool: its name, its arguments, and what it returns. The function `with` beside a tool makes it.
///
/// An argument that is `None` is left out.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::tool;
///
/// /// Finds notes.
/// #[tool]
/// fn find_notes(text: &str, author: Option<String>, #[arg(default = 20)] limit: u32) -> String {
///     format!("{limit} notes with {text} by {author:?}")
/// }
///
/// let call = find_notes::with("tea", None, 5);
/// assert_eq!(call.name(), "find_notes");
/// // Its server is mounted under a prefix.
/// let call = call.named("notes_find_notes");
/// # assert_eq!(call.name(), "notes_find_notes");
/// ```
#[must_use = "a client makes the call"]
pub struct TypedToolCall<A, R> {
    name: Cow<'static, str>,
    arguments: A,
    returned: PhantomData<fn() -> R>,
}

impl<A, R> TypedToolCall<A, R> {
    /// A call of the tool of this name. The arguments serialise as an object, and `()` stands for none.
    pub fn new(name: impl Into<Cow<'static, str>>, arguments: A) -> Self {
        Self {
            name: name.into(),
            arguments,
            returned: PhantomData,
        }
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments.
    pub const fn arguments(&self) -> &A {
        &self.arguments
    }

    /// The same call of a tool that is known by another name here, as when its server is mounted.
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }
}

// By hand, since deriving would ask the same of `R`, which is only a name.
impl<A: Clone, R> Clone for TypedToolCall<A, R> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            arguments: self.arguments.clone(),
            returned: PhantomData,
        }
    }
}

// Without the arguments, which are often those of people.
impl<A, R> fmt::Debug for TypedToolCall<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedToolCall")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// A call of a tool that ends in a `T`.
///
/// A tool that fails ends in [`ClientErrorKind::Tool`].
///
/// # Cancel safety
///
/// Dropping the future cancels the call.
#[must_use = "a call is made when it is awaited"]
pub struct TypedCallFuture<'c, T> {
    call: ToolCallFuture<'c>,
    decode: fn(CallToolResult) -> Result<T, ClientErrorKind>,
}

impl<'c, T> TypedCallFuture<'c, T> {
    pub(super) fn new<R: Returned<Value = T>>(call: ToolCallFuture<'c>) -> Self {
        Self {
            call,
            decode: returned::decode::<R>,
        }
    }

    /// Changes how the call is made: its deadlines, for example.
    pub fn with(mut self, change: impl FnOnce(ToolCallFuture<'c>) -> ToolCallFuture<'c>) -> Self {
        self.call = change(self.call);
        self
    }
}

impl<T> Future for TypedCallFuture<'_, T> {
    type Output = Result<T, ClientError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let result = std::task::ready!(self.call.poll_unpin(cx))?;
        Poll::Ready((self.decode)(result).map_err(|kind| self.call.error(kind)))
    }
}

impl<T> fmt::Debug for TypedCallFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedCallFuture").finish_non_exhaustive()
    }
}
