//! Runs handlers: whatever they do, there is a reply.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use super::callee::{Callee, Output};
use super::context::{Context, Kind};
use super::invocation::{Invocation, Reading, Step};
use super::reply::{Outcome, Reply};
use super::rounds::Frame;
use super::slot::slot;
use super::turnstile::Turnstile;
use crate::diagnostics;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ProtocolVersion, ResourceNotFoundData};
use crate::runtime::{BoxFuture, Runtime};

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

/// Starts a handler. A panic is a reply like any other, and blocking handlers become futures.
pub(super) fn enter(
    callee: &Arc<Callee>,
    invocation: Invocation,
    runtime: &Arc<dyn Runtime>,
    blocking: &Arc<Turnstile>,
) -> Step {
    let context = invocation.context.clone();
    let resource = invocation.resource.clone();
    let started = catch_unwind(AssertUnwindSafe(|| {
        // Arguments for a schema from elsewhere are decoded by the handler, or not at all.
        callee.handler.start(invocation)
    }));
    let settles = Settles {
        version: context.version(),
        resource,
    };
    match started {
        Ok(Step::Done(reply)) => Step::Done(settles.settle(callee, reply)),
        Ok(Step::Later(future)) => {
            let callee = Arc::clone(callee);
            // Boxed once more only where something has to be done with the reply.
            Step::Later(Box::pin(async move {
                let frame = if callee.layers.is_empty() {
                    Frame::Outermost
                } else {
                    Frame::Inner
                };
                let reply = Contained::new(&callee, &context, future, frame).await;
                settles.settle(&callee, reply)
            }))
        }
        Ok(Step::Blocking(job)) => {
            let (callee, runtime) = (Arc::clone(callee), Arc::clone(runtime));
            let passing = blocking.pass();
            Step::Later(Box::pin(async move {
                let place = passing.await;
                let (filler, reply) = slot();
                runtime.blocking(Box::new(move || {
                    // A panic drops the filler, which says that no reply will come.
                    filler.fill(job());
                    drop(place);
                }));
                let reply = reply.await.unwrap_or_else(|| panicked(&callee));
                settles.settle(&callee, reply)
            }))
        }
        Err(_) => Step::Done(settles.settle(callee, panicked(callee))),
    }
}

pub(super) fn panicked(callee: &Callee) -> Reply {
    diagnostics::panicked(callee.kind.word(), &callee.name);
    Reply(Outcome::Panicked)
}

/// What a layer that panicked answers: only of tools there is a model to tell.
pub(super) fn unless_layer_panicked(callee: &Callee, reply: Reply) -> Reply {
    Reply(match (reply.0, callee.kind) {
        (Outcome::Panicked, Kind::Prompt) => failed("the prompt failed"),
        (Outcome::Panicked, Kind::Resource) => failed("the resource failed"),
        (outcome, _) => outcome,
    })
}

/// Makes of a reply what its kind of call may be answered with.
struct Settles {
    version: ProtocolVersion,
    resource: Option<Arc<Reading>>,
}

impl Settles {
    fn settle(&self, callee: &Callee, reply: Reply) -> Reply {
        match callee.kind {
            Kind::Tool => checked(callee, reply),
            Kind::Prompt => Reply(match reply.0 {
                Outcome::InvalidArguments(errors) => {
                    let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, errors.of("prompt"));
                    Outcome::Error(Box::new(error.with_data(errors.to_value())))
                }
                outcome @ (Outcome::Prompt(_) | Outcome::InputRequired(_) | Outcome::Error(_)) => {
                    outcome
                }
                _ => failed("the prompt failed"),
            }),
            Kind::Resource => Reply(match reply.0 {
                // There is no such thing as an empty resource, only one that is not there.
                Outcome::Contents(contents) if contents.is_empty() => self.not_found(),
                // The URI has values that the resource's variables don't take.
                Outcome::InvalidArguments(_) | Outcome::NotFound => self.not_found(),
                outcome
                @ (Outcome::Contents(_) | Outcome::InputRequired(_) | Outcome::Error(_)) => outcome,
                _ => failed("the resource failed"),
            }),
        }
    }

    fn not_found(&self) -> Outcome {
        let uri = (self.resource.as_ref()).map_or("", |resource| resource.uri());
        Outcome::Error(Box::new(not_found(uri, self.version)))
    }
}

pub(super) fn not_found(uri: &str, version: ProtocolVersion) -> ErrorObject {
    ResourceNotFoundData::new(uri).into_error(version)
}

fn failed(message: &'static str) -> Outcome {
    Outcome::Error(Box::new(ErrorObject::new(
        ErrorCode::INTERNAL_ERROR,
        message,
    )))
}

/// Holds a tool to its output schema: structured content unless it failed, in the form that the schema shows. Our own
/// schemas are those of the type that was written, so there is little that has to be compared.
fn checked(tool: &Callee, reply: Reply) -> Reply {
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
/// cancelled. It ends when it waits for an answer that a later round will bring.
pub(super) struct Contained {
    /// `None` once it has ended.
    call: Option<BoxFuture<'static, Reply>>,
    callee: Arc<Callee>,
    context: Context,
    frame: Frame,
}

impl Contained {
    pub(super) fn new(
        callee: &Arc<Callee>,
        context: &Context,
        call: BoxFuture<'static, Reply>,
        frame: Frame,
    ) -> Self {
        Self {
            call: Some(call),
            callee: Arc::clone(callee),
            context: context.clone(),
            frame,
        }
    }

    fn release(&mut self) {
        let call = self.call.take();
        if catch_unwind(AssertUnwindSafe(|| drop(call))).is_err() {
            diagnostics::panicked(self.callee.kind.word(), &self.callee.name);
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
            Ok(Poll::Ready(reply)) => reply,
            Err(_) => panicked(&self.callee),
            Ok(Poll::Pending) => {
                let inputs = &self.context.state().inputs;
                match inputs.outcome(&self.context, self.frame) {
                    Some(reply) => reply,
                    None => return Poll::Pending,
                }
            }
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
