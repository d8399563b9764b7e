use std::any::{Any, TypeId};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::Deserialize;

use super::context::Context;
use super::lend::{Lend, Lent};
use super::reply::Reply;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::runtime::BoxFuture;
use crate::schema::InputSchema;

/// One call of a tool, as its handler gets it: the arguments, still as they came, and what may be borrowed.
///
/// This is what the macros write, by hand:
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{Invocation, Reply, Server, Step, ToolDefinition, data};
///
/// #[data]
/// struct Sum {
///     a: i64,
///     b: i64,
/// }
///
/// let add = ToolDefinition::new("add", |call: Invocation| {
///     Step::now(&call, |call| {
///         let sum: Sum = call.arguments()?;
///         Ok(Reply::text((sum.a + sum.b).to_string()))
///     })
/// })
/// .with_arguments::<Sum>();
/// let server = Server::new("calculator", "1.0.0").raw_tool(add).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub struct Invocation {
    pub(crate) arguments: Bytes,
    pub(crate) schema: Arc<InputSchema>,
    pub(crate) lent: Arc<Lent>,
    pub(crate) context: Context,
    /// `None` for tools and prompts.
    pub(crate) resource: Option<Arc<Reading>>,
    /// Arguments that were mended, when the text as it came did not fit. Decoded values may borrow from it.
    pub(crate) mended: OnceLock<String>,
}

/// Which resource is read.
pub(crate) struct Reading {
    pub(crate) uri: Bytes,
    /// It in the one spelling, when it is a member of a family.
    pub(crate) member: Option<String>,
    /// The media type that it is declared to have.
    pub(crate) mime_type: Option<Box<str>>,
}

impl Reading {
    pub(crate) fn uri(&self) -> &str {
        // Part of a frame that was scanned, so the fallback is never taken.
        std::str::from_utf8(&self.uri).unwrap_or_default()
    }
}

impl Invocation {
    /// Decodes the arguments: strictly from the frame, or, when that fails, mended.
    ///
    /// # Errors
    ///
    /// The reply that lists everything that is wrong with the arguments.
    pub fn arguments<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Reply> {
        self.schema
            .decode(self.raw_arguments(), &self.mended)
            .map_err(Reply::invalid_arguments)
    }

    /// The JSON text of the arguments, as it came.
    #[must_use]
    pub fn raw_arguments(&self) -> &str {
        // A slice of a frame that was checked as a whole, so the fallback is never taken.
        simdutf8::basic::from_utf8(&self.arguments).unwrap_or("{}")
    }

    /// What the handler may ask and report during the call.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// Borrows a value that the server lends: its [`Context`] or one given to `Server::lend`.
    ///
    /// # Errors
    ///
    /// The reply of an internal error when the server has no such value. A server that is built lends everything that
    /// its definitions name.
    pub fn lent<T: Lend>(&self) -> Result<&T, Reply> {
        let found = if TypeId::of::<T>() == TypeId::of::<Context>() {
            (&self.context as &dyn Any).downcast_ref()
        } else {
            self.lent.get::<T>()
        };
        found.ok_or_else(|| {
            Reply::protocol_error(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                "the handler borrows a value that this server does not lend",
            ))
        })
    }
}

impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation").finish_non_exhaustive()
    }
}

/// What came of starting a handler.
#[non_exhaustive]
pub enum Step {
    /// It is done.
    Done(Reply),
    /// It goes on by itself.
    Later(BoxFuture<'static, Reply>),
    /// It wants a thread that may block.
    Blocking(Box<dyn FnOnce() -> Reply + Send>),
}

impl Step {
    /// Runs a handler that is ready at once.
    pub fn now(
        invocation: &Invocation,
        handler: impl FnOnce(&Invocation) -> Result<Reply, Reply>,
    ) -> Self {
        Self::Done(handler(invocation).unwrap_or_else(|refusal| refusal))
    }

    /// Runs a handler that may wait.
    pub fn later(handler: impl Future<Output = Result<Reply, Reply>> + Send + 'static) -> Self {
        Self::Later(Box::pin(async move {
            handler.await.unwrap_or_else(|refusal| refusal)
        }))
    }

    /// Runs a handler that blocks, on a thread of its own.
    pub fn blocking(
        invocation: Invocation,
        handler: impl FnOnce(&Invocation) -> Result<Reply, Reply> + Send + 'static,
    ) -> Self {
        Self::Blocking(Box::new(move || {
            handler(&invocation).unwrap_or_else(|refusal| refusal)
        }))
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done(_) => "Done",
            Self::Later(_) => "Later",
            Self::Blocking(_) => "Blocking",
        })
    }
}

/// Starts the calls of a tool, a prompt or a resource. Implemented for functions and closures from an [`Invocation`] to a [`Step`].
pub trait Handler: Send + Sync + 'static {
    /// Starts one call.
    fn start(&self, invocation: Invocation) -> Step;
}

impl<F: Fn(Invocation) -> Step + Send + Sync + 'static> Handler for F {
    fn start(&self, invocation: Invocation) -> Step {
        self(invocation)
    }
}
