use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::json;

use super::context::Context;
use super::invocation::Step;
use super::reply::{Outcome, Reply};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{ContentBlock, RawJson};
use crate::runtime::BoxFuture;
use crate::session;

/// Wraps every call of a tool, a prompt or a resource: sees it before its arguments are checked, and its encoded reply.
///
/// The layer that was added first is the outermost. A layer may answer without going on, change the arguments, or
/// change the reply.
///
/// It may ask, too, before its handler or after it. In 2026-07-28 a handler that has to ask ends with a result whose
/// `resultType` is `input_required`; what a layer asks then goes to the client with those questions, and all answers
/// come back together. `requestState` is added when the last layer has returned.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use mcp_core::{Layer, LayerCall, LayerReply, Next};
///
/// /// How many calls may still be made.
/// struct Budget(AtomicU64);
///
/// impl Layer for Budget {
///     async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
///         let spend = |left: u64| left.checked_sub(1);
///         if self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_err() {
///             return LayerReply::tool_error(format!("no calls are left, `{}` was not run", call.name()));
///         }
///         next.run(call).await
///     }
/// }
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Handles one call.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the call is cancelled.
    fn call(&self, call: LayerCall, next: Next<'_>) -> impl Future<Output = LayerReply> + Send;
}

/// A call as layers see it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LayerCall {
    // Read only: which tool runs was settled before, and its context with it.
    pub(super) name: String,
    pub(super) context: Context,
    /// The arguments, an object, as they came. What a layer puts here is what the tool gets.
    pub arguments: RawJson,
}

impl LayerCall {
    /// The name of the tool or the prompt that is called, or the URI of the resource that is read: as it was
    /// registered, or that of a family's member in the one spelling, whatever the client has written.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known of the call, and what may be reported during it.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The method of the request.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.context.state().kind.method()
    }
}

/// A reply as layers see it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LayerReply {
    /// The result, an object, as the revision of the call has it. What the session adds to every result is not in it.
    Result(RawJson),
    /// A JSON-RPC error.
    Error(ErrorObject),
}

impl LayerReply {
    /// A result that the model reads as an error: the short way to refuse a call.
    pub fn tool_error(text: impl Into<String>) -> Self {
        let content = [ContentBlock::text(text)];
        let result = json!({ "content": content, "isError": true });
        Self::Result(result.into())
    }
}

/// The rest of the way to the handler.
pub struct Next<'l> {
    layers: &'l [Arc<dyn DynLayer>],
    handler: &'l (dyn Fn(Bytes) -> Step + Send + Sync),
}

impl<'l> Next<'l> {
    pub(super) const fn new(
        layers: &'l [Arc<dyn DynLayer>],
        handler: &'l (dyn Fn(Bytes) -> Step + Send + Sync),
    ) -> Self {
        Self { layers, handler }
    }

    /// Goes on with the call.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call.
    pub async fn run(self, call: LayerCall) -> LayerReply {
        if let Some((layer, rest)) = self.layers.split_first() {
            return layer.call(call, Next::new(rest, self.handler)).await;
        }
        let version = call.context.version();
        let arguments = Bytes::copy_from_slice(call.arguments.get().as_bytes());
        let reply = match (self.handler)(arguments) {
            Step::Done(reply) => reply,
            Step::Later(future) => future.await,
            // The router has turned these into futures already.
            Step::Blocking(job) => job(),
        };
        match session::encode(reply, version) {
            Ok(result) => LayerReply::Result(result),
            Err(error) => LayerReply::Error(error),
        }
    }
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}

impl From<LayerReply> for Reply {
    fn from(reply: LayerReply) -> Self {
        match reply {
            LayerReply::Result(result) => Self(Outcome::Encoded(result)),
            LayerReply::Error(error) => Self::protocol_error(error),
        }
    }
}

/// [`Layer`] behind a pointer.
pub(crate) trait DynLayer: Send + Sync {
    fn call<'l>(&'l self, call: LayerCall, next: Next<'l>) -> BoxFuture<'l, LayerReply>;
}

impl<L: Layer> DynLayer for L {
    fn call<'l>(&'l self, call: LayerCall, next: Next<'l>) -> BoxFuture<'l, LayerReply> {
        Box::pin(Layer::call(self, call, next))
    }
}

impl fmt::Debug for dyn DynLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Layer")
    }
}
