//! Finds the handler of a call and starts it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use bytes::Bytes;

use super::context::{CallState, Context, Status};
use super::invocation::{Invocation, Step};
use super::layer::{LayerCall, Next};
use super::outbox::Outbox;
use super::registry::Registry;
use super::reply::{Outcome, Reply};
use super::slot::slot;
use super::table::{Output, Table, ToolEntry};
use super::turnstile::Turnstile;
use crate::diagnostics;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::RawJson;
use crate::runtime::{BoxFuture, Runtime};
use crate::session::{Call, CallRequest, ServerFacts};

/// Where calls go.
#[derive(Debug)]
pub(crate) struct Router {
    pub(super) registry: Arc<Registry>,
    pub(super) facts: Arc<ServerFacts>,
    pub(super) tool_deadline: Option<Duration>,
    pub(super) spawn_handlers: bool,
    pub(super) blocking: Arc<Turnstile>,
}

/// Blocking calls of one server at once: as many as a runtime is likely to have threads.
pub(super) const MAX_BLOCKING: usize = 64;

/// A call that was started.
pub(crate) enum Started {
    /// Its reply is here.
    Done(Reply),
    /// It goes on.
    Running(Running),
}

/// A call that goes on.
pub(crate) struct Running {
    pub(crate) future: BoxFuture<'static, Reply>,
    pub(crate) context: Context,
    pub(crate) tool: Arc<ToolEntry>,
    pub(crate) deadline: Option<Duration>,
}

impl Running {
    /// Whether a cancelled call runs on.
    pub(crate) fn finishes(&self) -> bool {
        self.tool.definition.finishes
    }
}

impl ToolEntry {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Router {
    /// Starts a call; it may be done at once.
    pub(crate) fn start(
        &self,
        table: &Table,
        call: Call,
        outbox: &Arc<Outbox>,
        runtime: &Arc<dyn Runtime>,
    ) -> (Started, Option<Arc<ToolEntry>>) {
        match &call.request {
            CallRequest::ListTools { cursor } => {
                let page = table.page(call.version, cursor.as_deref(), self.facts.caching());
                let reply =
                    page.map_or_else(Reply::protocol_error, |page| Reply(Outcome::Members(page)));
                (Started::Done(reply), None)
            }
            CallRequest::CallTool { name, arguments } => {
                let Some(tool) = table.find(name.as_str()) else {
                    return (Started::Done(unknown_tool(name.as_str())), None);
                };
                let tool = Arc::clone(tool);
                let arguments = arguments.clone().unwrap_or(Bytes::from_static(b"{}"));
                let started = self.call(&tool, arguments, call, outbox, runtime);
                (started, Some(tool))
            }
        }
    }

    fn call(
        &self,
        tool: &Arc<ToolEntry>,
        arguments: Bytes,
        call: Call,
        outbox: &Arc<Outbox>,
        runtime: &Arc<dyn Runtime>,
    ) -> Started {
        let context = Context::new(CallState {
            key: call.key,
            id: call.id,
            version: call.version,
            wants_progress: call.wants_progress,
            log_gate: call.log_gate,
            client: call.client,
            meta: call.meta,
            outbox: Arc::clone(outbox),
            status: Status::default(),
        });
        let step = if tool.layers.is_empty() {
            enter(tool, arguments, context.clone(), runtime, &self.blocking)
        } else {
            self.through_layers(tool, &arguments, context.clone(), runtime)
        };
        match step {
            Step::Done(reply) => {
                context.state().status.end();
                Started::Done(reply)
            }
            Step::Later(future) => Started::Running(Running {
                future,
                context,
                tool: Arc::clone(tool),
                deadline: tool.definition.deadline.or(self.tool_deadline),
            }),
            // `enter` has made futures of these.
            Step::Blocking(_) => Started::Done(Reply(Outcome::Panicked)),
        }
    }

    fn through_layers(
        &self,
        tool: &Arc<ToolEntry>,
        arguments: &Bytes,
        context: Context,
        runtime: &Arc<dyn Runtime>,
    ) -> Step {
        let call = LayerCall {
            name: (*tool.name).to_owned(),
            // Part of a frame that was scanned, so it is JSON.
            arguments: std::str::from_utf8(arguments)
                .ok()
                .and_then(|arguments| arguments.parse().ok())
                .unwrap_or_else(RawJson::empty_object),
            context: context.clone(),
        };
        let (runtime, blocking) = (Arc::clone(runtime), Arc::clone(&self.blocking));
        let inner = Arc::clone(tool);
        let layered = Box::pin(async move {
            let handler =
                |arguments| enter(&inner, arguments, context.clone(), &runtime, &blocking);
            Next::new(&inner.layers, &handler).run(call).await.into()
        });
        Step::Later(Box::pin(Contained::new(tool, layered)))
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) const fn spawns_handlers(&self) -> bool {
        self.spawn_handlers
    }
}

/// Moves a call to a task of its own, which ends when the future is dropped.
pub(crate) fn spawned(
    future: BoxFuture<'static, Reply>,
    runtime: &Arc<dyn Runtime>,
) -> BoxFuture<'static, Reply> {
    let (filler, reply) = slot();
    let task = runtime.spawn(Box::pin(async move { filler.fill(future.await) }));
    Box::pin(async move {
        let reply = reply.await;
        drop(task);
        reply.unwrap_or(Reply(Outcome::Panicked))
    })
}

fn unknown_tool(name: &str) -> Reply {
    // The client knows what it asked for; a long name is cut so that it can't be used to fill logs.
    let shown: String = name.chars().take(64).collect();
    let error = ErrorObject::new(
        ErrorCode::INVALID_PARAMS,
        format!("there is no tool `{shown}`"),
    );
    Reply::protocol_error(error)
}

/// Starts a handler. A panic is a reply like any other, and blocking handlers become futures.
fn enter(
    tool: &Arc<ToolEntry>,
    arguments: Bytes,
    context: Context,
    runtime: &Arc<dyn Runtime>,
    blocking: &Arc<Turnstile>,
) -> Step {
    let invocation = Invocation {
        arguments,
        schema: Arc::clone(&tool.input),
        lent: Arc::clone(&tool.lent),
        context,
        mended: OnceLock::new(),
    };
    let started = catch_unwind(AssertUnwindSafe(|| {
        // Arguments for a schema from elsewhere are decoded by the handler, or not at all.
        tool.handler().start(invocation)
    }));
    match started {
        Ok(Step::Done(reply)) => Step::Done(checked(tool, reply)),
        Ok(Step::Later(future)) => {
            let tool = Arc::clone(tool);
            // Boxed once more only where something has to be done with the reply.
            Step::Later(Box::pin(async move {
                let reply = Contained::new(&tool, future).await;
                checked(&tool, reply)
            }))
        }
        Ok(Step::Blocking(job)) => {
            let (tool, runtime) = (Arc::clone(tool), Arc::clone(runtime));
            let passing = blocking.pass();
            Step::Later(Box::pin(async move {
                let place = passing.await;
                let (filler, reply) = slot();
                runtime.blocking(Box::new(move || {
                    // A panic drops the filler, which says that no reply will come.
                    filler.fill(job());
                    drop(place);
                }));
                let reply = reply.await;
                reply.map_or_else(|| panicked(&tool), |reply| checked(&tool, reply))
            }))
        }
        Err(_) => Step::Done(panicked(tool)),
    }
}

fn panicked(tool: &ToolEntry) -> Reply {
    diagnostics::panicked(&tool.name);
    Reply(Outcome::Panicked)
}

/// Holds a tool to its output schema: structured content unless it failed, in the form that the schema shows. Our own
/// schemas are those of the type that was written, so there is little that has to be compared.
fn checked(tool: &ToolEntry, reply: Reply) -> Reply {
    let Some(output) = &tool.output else {
        return reply;
    };
    match (output, reply.0) {
        (_, Outcome::Result(result)) if result.is_error == Some(true) => result.into(),
        (Output::Foreign(schema), Outcome::Result(result)) => match &result.structured_content {
            Some(content) => match schema.violations(content.get()) {
                None => result.into(),
                Some(lines) => broken_output(&format!(":{lines}")),
            },
            None => broken_output(NO_CONTENT),
        },
        (Output::Foreign(_), Outcome::Text(_)) => broken_output(NO_CONTENT),
        (Output::Ours(schema), Outcome::Result(result)) => {
            let content = result.structured_content.as_ref();
            match content.and_then(|content| schema.violations(content.get())) {
                Some(lines) => broken_output(&format!(":{lines}")),
                None if schema.wraps() => Reply(Outcome::Wrapped(result)),
                None => result.into(),
            }
        }
        (_, outcome) => Reply(outcome),
    }
}

const NO_CONTENT: &str = ": it gave no structured content.";

fn broken_output(how: &str) -> Reply {
    Reply::tool_error(format!("The tool broke its own output schema{how}"))
}

/// A call whose panics are its own: those of its code, and those of its destructors when it is dropped because it was
/// cancelled.
struct Contained {
    /// `None` once it has ended.
    call: Option<BoxFuture<'static, Reply>>,
    tool: Arc<ToolEntry>,
}

impl Contained {
    fn new(tool: &Arc<ToolEntry>, call: BoxFuture<'static, Reply>) -> Self {
        Self {
            call: Some(call),
            tool: Arc::clone(tool),
        }
    }

    fn release(&mut self) {
        let call = self.call.take();
        if catch_unwind(AssertUnwindSafe(|| drop(call))).is_err() {
            diagnostics::panicked(&self.tool.name);
        }
    }
}

impl Future for Contained {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<Reply> {
        let Some(call) = &mut self.call else {
            return Poll::Ready(Reply(Outcome::Panicked));
        };
        let reply = match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(reply)) => reply,
            Err(_) => panicked(&self.tool),
        };
        self.release();
        Poll::Ready(reply)
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        self.release();
    }
}
