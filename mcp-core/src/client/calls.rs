//! Calls of tools.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::result::{self, Outcome};
use super::returned::As;
use super::rounds::Asking;
use super::sent::{OnProgress, Sent};
use super::shared::{Failure, Shared};
use super::typed::TypedCallFuture;
use crate::jsonrpc::{ErrorCode, ErrorObject, write_string};
use crate::protocol::{CallTool, CallToolResult, Meta, ProgressParams, Request};
use crate::runtime::BoxFuture;
use crate::session::client::{Outline, Patience};

/// A call of a tool: a future that sends it when it is first polled.
///
/// A tool that fails gives a result with [`is_error`](CallToolResult::is_error): what it says is for the model. Typed calls
/// end in [`ClientErrorKind::Tool`] instead.
///
/// # Cancel safety
///
/// Dropping the future cancels the call.
#[must_use = "a call is made when it is awaited"]
pub struct ToolCallFuture<'c> {
    shared: &'c Arc<Shared>,
    /// The params without `_meta`, or why there are none.
    params: Result<Vec<u8>, String>,
    meta: Vec<u8>,
    patience: Patience,
    asks_progress: bool,
    on_progress: OnProgress<'c>,
    cancelled: Option<BoxFuture<'c, ()>>,
    tool: Option<String>,
    state: State<'c>,
}

enum State<'c> {
    Ready,
    Waiting(Sent),
    /// The server asks for input.
    Asked(BoxFuture<'c, Result<CallToolResult, ClientError>>),
    Over,
}

impl Client {
    /// Calls a tool by its name. `arguments` is anything that serialises as an object, such as `json!({…})`; `()` stands
    /// for none.
    ///
    /// # Errors
    ///
    /// The future ends in one when the server refuses the call, or does not answer as it should.
    pub fn call_tool(&self, name: &str, arguments: impl Serialize) -> ToolCallFuture<'_> {
        let shared = self.shared();
        ToolCallFuture {
            shared,
            params: params(name, &arguments),
            meta: Vec::new(),
            patience: shared.options.patience,
            asks_progress: true,
            on_progress: None,
            cancelled: None,
            tool: shared.options.validates_output.then(|| name.to_owned()),
            state: State::Ready,
        }
    }
}

fn params(name: &str, arguments: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(br#"{"name":"#);
    write_string(&mut out, name);
    out.extend_from_slice(br#","arguments":"#);
    let start = out.len();
    serde_json::to_writer(&mut out, arguments)
        .map_err(|fault| format!("the arguments can't be written: {fault}"))?;
    match out.get(start..) {
        Some([b'{', ..]) => {}
        Some(b"null") => {
            out.truncate(start);
            out.extend_from_slice(b"{}");
        }
        _ => return Err("the arguments of a tool are an object".to_owned()),
    }
    out.push(b'}');
    super::params::on_one_line(&mut out);
    Ok(out)
}

impl<'c> ToolCallFuture<'c> {
    /// How long the answer may take without a sign of life.
    pub const fn timeout(mut self, idle: Duration) -> Self {
        self.patience.idle = idle;
        self
    }

    /// How long the answer may take in all, whatever progress is reported.
    pub const fn total_timeout(mut self, total: Duration) -> Self {
        self.patience.total = total;
        self
    }

    /// Is called with what the tool reports, in order, before the call ends. What does not grow is no progress and left
    /// out, and so is the oldest of what comes faster than it is taken.
    pub fn on_progress(mut self, on_progress: impl FnMut(ProgressParams) + Send + 'c) -> Self {
        self.on_progress = Some(Box::new(on_progress));
        self
    }

    /// Asks for no progress. Then nothing but the answer is a sign of life.
    pub const fn without_progress(mut self) -> Self {
        self.asks_progress = false;
        self
    }

    /// Sends this metadata along. Names of the protocol are left out: the client sets them.
    pub fn meta(mut self, meta: &Meta) -> Self {
        self.meta = super::params::own_members(meta);
        self
    }

    /// Cancels the call as soon as this is ready, such as `token.cancelled()`: it ends in
    /// [`ClientErrorKind::Cancelled`].
    pub fn cancelled_by(mut self, cancelled: impl Future<Output = ()> + Send + 'c) -> Self {
        self.cancelled = Some(Box::pin(cancelled));
        self
    }

    /// Reads the result as a `T`: its structured content where there is some, else its text.
    pub fn into_typed<T: DeserializeOwned>(self) -> TypedCallFuture<'c, T> {
        TypedCallFuture::new::<As<T>>(self)
    }

    fn start(&self, cx: &Context<'_>) -> Result<Sent, ClientError> {
        let server = self.shared.server.get();
        if server.is_none_or(|server| server.capabilities.tools.is_none()) {
            let why = "the server offers no tools".to_owned();
            return Err(self.error(ClientErrorKind::Unsupported(why)));
        }
        let params = match &self.params {
            Ok(params) => params,
            Err(why) => return Err(self.error(ClientErrorKind::Unwritable(why.clone()))),
        };
        let headers = self.shared.mirrored(CallTool::METHOD, params);
        let headers =
            headers.map_err(|why| self.error(ClientErrorKind::Unwritable(why.to_string())))?;
        let outline = Outline {
            meta: &self.meta,
            headers: &headers,
            is_plain: true,
            asks_progress: self.asks_progress,
            shows_progress: self.on_progress.is_some(),
            ..Outline::new(CallTool::METHOD, params, Some(self.patience))
        };
        Sent::waited_for(self.shared, &outline, Some(cx.waker()))
            .map_err(|failure| self.shared.failure(CallTool::METHOD, failure))
    }

    pub(super) fn error(&self, kind: ClientErrorKind) -> ClientError {
        self.shared.error(CallTool::METHOD, kind)
    }

    fn poll_state(&mut self, cx: &mut Context<'_>) -> Poll<Result<CallToolResult, ClientError>> {
        loop {
            match &mut self.state {
                State::Ready => {
                    self.state = State::Waiting(self.start(cx)?);
                    return Poll::Pending;
                }
                State::Waiting(sent) => {
                    let result = match std::task::ready!(sent.poll_with(cx, &mut self.on_progress))
                    {
                        Ok(result) => result,
                        Err(failure) if self.is_refused_for_headers(&failure) => {
                            let on_progress = self.on_progress.take();
                            self.state = State::Asked(Box::pin(self.asking().again(on_progress)));
                            continue;
                        }
                        Err(failure) => {
                            let error = self.shared.failure(CallTool::METHOD, failure);
                            return Poll::Ready(Err(error));
                        }
                    };
                    let has_kinds = self.has_kinds();
                    match result::read::<CallToolResult>(&result, has_kinds) {
                        Ok(Outcome::Complete(result)) => {
                            if let Some(result) = self.checked(result) {
                                return Poll::Ready(Ok(result));
                            }
                        }
                        Ok(Outcome::InputRequired(required)) => {
                            let on_progress = self.on_progress.take();
                            let asking = self.asking();
                            self.state = State::Asked(Box::pin(asking.run(required, on_progress)));
                        }
                        Err(why) => {
                            return Poll::Ready(Err(self.error(ClientErrorKind::Malformed(why))));
                        }
                    }
                }
                State::Asked(rounds) => {
                    let result = std::task::ready!(rounds.poll_unpin(cx))?;
                    if let Some(result) = self.checked(result) {
                        return Poll::Ready(Ok(result));
                    }
                }
                // A future that has ended is not polled again.
                State::Over => return Poll::Pending,
            }
        }
    }

    /// Whether the server wants headers that this client does not know of, for it has not listed the tool of late.
    fn is_refused_for_headers(&self, failure: &Failure) -> bool {
        let is_mismatch = |error: &ErrorObject| error.code == ErrorCode::HEADER_MISMATCH;
        matches!(failure, Failure::Error(error) if is_mismatch(error))
            && self.shared.mirrors_arguments()
    }

    /// What is needed to send it again.
    fn asking(&mut self) -> Asking<'c> {
        Asking {
            shared: self.shared,
            method: CallTool::METHOD,
            params: self.params.clone().unwrap_or_default(),
            meta: std::mem::take(&mut self.meta),
            patience: self.patience,
            asks_progress: self.asks_progress,
        }
    }

    fn has_kinds(&self) -> bool {
        let server = self.shared.server.get();
        server.is_some_and(|server| server.version.has_result_type())
    }

    /// The result, unless it is to be checked first.
    fn checked(&mut self, result: CallToolResult) -> Option<CallToolResult> {
        let Some(tool) = self.tool.take() else {
            return Some(result);
        };
        let client = Client::uncounted(Arc::clone(self.shared));
        let checking = async move { client.check_output(&tool, result).await };
        self.state = State::Asked(Box::pin(checking));
        None
    }
}

impl Future for ToolCallFuture<'_> {
    type Output = Result<CallToolResult, ClientError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(cancelled) = &mut this.cancelled
            && cancelled.poll_unpin(cx).is_ready()
        {
            if let State::Waiting(sent) = std::mem::replace(&mut this.state, State::Over) {
                sent.cancel("the caller has cancelled it");
            }
            return Poll::Ready(Err(this.error(ClientErrorKind::Cancelled)));
        }
        let polled = this.poll_state(cx);
        if polled.is_ready() {
            this.state = State::Over;
        }
        polled
    }
}

impl fmt::Debug for ToolCallFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallFuture").finish_non_exhaustive()
    }
}
