use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use super::asks::{Answered, AskKey, Unanswered};
use super::context::Context;
use super::failure::Failure;
use super::visit::Visit;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, RawJson};
use crate::runtime::BoxFuture;

/// What a person decided instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refused {
    /// They said no.
    Declined,
    /// They turned away without an answer.
    Cancelled,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Declined => "the person declined",
            Self::Cancelled => "the person gave no answer",
        })
    }
}

impl std::error::Error for Refused {}

/// A question to the client; it is asked when it is awaited.
///
/// Several at once (`join!`) are asked at once. Dropping one before it is answered withdraws it.
///
/// What can't be answered ends the call, with the error that the revision prescribes: the client has not declared what
/// the question needs, its answer does not fit the question, or none came in time. So `T` is what is left for the handler
/// to decide about.
///
/// In 2026-07-28 a question without an answer ends the call as well: it is answered with the question, and the client
/// calls again with the answer. The handler is dropped and runs again from its beginning, so what it does before a
/// question should be idempotent, or [remembered](Context::remember). Ask from the handler itself, not from a spawned
/// task.
#[must_use = "a question is asked when it is awaited"]
pub struct Question<T> {
    context: Context,
    name: Cow<'static, str>,
    timeout: Duration,
    asked: Asked<T>,
    /// The id of the errand, for one that sends a person to a URL.
    visit: Option<String>,
    stage: Stage,
}

/// What is asked, and how the answer is read.
pub(super) struct Asked<T> {
    pub(super) method: &'static str,
    /// The params, or why there are none.
    pub(super) params: Result<RawJson, ErrorObject>,
    /// What the client has to declare.
    pub(super) required: Option<ClientCapabilities>,
    pub(super) read: Read<T>,
    /// What an error of the client stands for, when a person may be behind it.
    pub(super) refused: Option<fn() -> T>,
}

/// Reads an answer, or says why it is none.
type Read<T> = Box<dyn Fn(&RawJson) -> Result<T, String> + Send>;

enum Stage {
    Fresh,
    /// The call will end with it, unless it is withdrawn.
    Open(String),
    /// A request of ours is on its way.
    Sent(AskKey, BoxFuture<'static, Option<Answered>>),
    /// The call will end, and nothing more will come.
    Failed(u64),
    Done,
}

impl<T> Question<T> {
    pub(super) fn new(
        context: &Context,
        name: impl Into<Cow<'static, str>>,
        timeout: Duration,
        asked: Asked<T>,
    ) -> Self {
        Self {
            context: context.clone(),
            name: name.into(),
            timeout,
            asked,
            visit: None,
            stage: Stage::Fresh,
        }
    }

    pub(super) fn visiting(mut self, id: Option<String>) -> Self {
        self.visit = id;
        self
    }

    /// Another key: what the client sees the question under (2026-07-28), and what its answer is found by when the handler
    /// runs again.
    ///
    /// A key that is used again in a call gets a number. An answer is used for the very same question only, so keep the
    /// time of day and the like out of its words.
    pub fn named(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.name = key.into();
        self
    }

    /// How long to wait for the answer (up to 2025-11-25), instead of what the server says.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    fn start(&mut self) -> Stage {
        let state = self.context.state();
        if state.version.has_input_rounds() && state.inputs.subject.is_none() {
            let why = "a completion can't ask anything";
            let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, why);
            return Stage::Failed(state.inputs.fail(Failure::Unaskable(error)));
        }
        if let Some(required) = self.asked.required.take() {
            return Stage::Failed(state.inputs.fail(Failure::Undeclared(Box::new(required))));
        }
        let params = match &self.asked.params {
            Ok(params) => params,
            Err(why) => {
                return Stage::Failed(state.inputs.fail(Failure::Unaskable(why.clone())));
            }
        };
        if state.version.has_input_rounds() {
            return Stage::Open(state.inputs.key(&self.name));
        }
        let now = state.connection.runtime.now();
        let deadline = now.checked_add(self.timeout);
        let outbox = &state.connection.outbox;
        let (key, answer) = outbox.ask(state.key, self.asked.method, params.clone(), now, deadline);
        Stage::Sent(key, Box::pin(answer))
    }

    fn fail(&mut self, failure: Failure) -> Poll<T> {
        self.stage = Stage::Failed(self.context.state().inputs.fail(failure));
        Poll::Pending
    }

    fn read(&mut self, answer: &RawJson) -> Poll<T> {
        match (self.asked.read)(answer) {
            Ok(value) => {
                self.stage = Stage::Done;
                Poll::Ready(value)
            }
            Err(why) => {
                let key = &self.name;
                self.fail(Failure::Malformed(format!("the answer to `{key}`: {why}")))
            }
        }
    }

    fn request(&self) -> RawJson {
        let mut json = format!(r#"{{"method":"{}""#, self.asked.method);
        if let Ok(params) = &self.asked.params
            && params.get() != "{}"
        {
            json.push_str(r#","params":"#);
            json.push_str(params.get());
        }
        json.push('}');
        RawJson::try_from(json).unwrap_or_else(|_| RawJson::empty_object())
    }

    fn unanswered(&mut self, why: Unanswered) -> Poll<T> {
        match why {
            Unanswered::Error(error) => {
                // By convention -1 says that a person refused.
                if error.code == ErrorCode::new(-1)
                    && let Some(refused) = self.asked.refused
                {
                    self.stage = Stage::Done;
                    return Poll::Ready(refused());
                }
                let message: String = error.message.chars().take(200).collect();
                self.fail(Failure::Unanswered(format!(
                    "the client answered `{}` with an error: {message}",
                    self.asked.method
                )))
            }
            Unanswered::TimedOut => self.fail(Failure::Unanswered(format!(
                "the client did not answer `{}` in time",
                self.asked.method
            ))),
            Unanswered::Gone => self.fail(Failure::Unanswered(format!(
                "the client left without an answer to `{}`",
                self.asked.method
            ))),
        }
    }
}

impl Question<Result<(), Refused>> {
    /// What the person does at the URL of [`elicit_url`](Context::elicit_url). Keep it where your page finds it, to tell
    /// the client when they are done.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use std::collections::HashMap;
    /// use std::sync::{Arc, Mutex};
    /// use std::time::Duration;
    ///
    /// use mcp_core::testing::TestClient;
    /// use mcp_core::{Context, ProtocolVersion, Refused, Server, Visit, tool};
    /// use serde_json::json;
    ///
    /// /// By order.
    /// #[derive(Clone, Default)]
    /// struct Payments(Arc<Mutex<HashMap<u32, Visit>>>);
    ///
    /// /// Sends the person to pay.
    /// #[tool]
    /// async fn pay(cx: &Context, payments: &Payments, order: u32) -> Result<&'static str, Refused> {
    ///     let question = cx.elicit_url("pay", "Please pay.", format!("https://example.org/pay/{order}"));
    ///     payments.0.lock().unwrap().insert(order, question.visit());
    ///     question.await?;
    ///     Ok("They are about to pay.")
    /// }
    ///
    /// let payments = Payments::default();
    /// let server = Server::new("shop", "1.0.0").lend(payments.clone()).tool::<pay>();
    /// let mut client = TestClient::new(server).answering(|_| Ok(json!({"action": "accept"})));
    /// client.initialize(ProtocolVersion::V2025_11_25);
    /// client.call_tool("pay", json!({"order": 7}));
    ///
    /// // Later, when the page has the money:
    /// if let Some(visit) = payments.0.lock().unwrap().remove(&7) {
    ///     visit.complete();
    /// }
    /// client.advance(Duration::ZERO);
    /// let told = &client.take_messages()[0];
    /// assert_eq!(told["method"], "notifications/elicitation/complete");
    /// ```
    #[must_use]
    pub fn visit(&self) -> Visit {
        Visit::new(&self.context, self.visit.clone())
    }
}

// Nothing in it is pinned but what is boxed.
impl<T> Unpin for Question<T> {}

impl<T> Future for Question<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<T> {
        let this = &mut *self;
        if matches!(this.stage, Stage::Fresh) {
            this.stage = this.start();
        }
        match &mut this.stage {
            Stage::Open(key) => {
                let key = key.clone();
                let request = this.request();
                match this.context.state().inputs.ask(&key, &request) {
                    Some(answer) => this.read(&answer),
                    None => Poll::Pending,
                }
            }
            Stage::Sent(_, answer) => match answer.as_mut().poll(cx) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(Some(Ok(answer))) => this.read(&answer),
                Poll::Ready(Some(Err(why))) => this.unanswered(why),
                Poll::Ready(None) => this.unanswered(Unanswered::Gone),
            },
            Stage::Fresh | Stage::Failed(_) | Stage::Done => Poll::Pending,
        }
    }
}

impl<T> Drop for Question<T> {
    fn drop(&mut self) {
        let state = self.context.state();
        match &self.stage {
            Stage::Open(key) => state.inputs.withdraw(key),
            Stage::Sent(key, _) => {
                let now = state.connection.runtime.now();
                state.connection.outbox.withdraw(state.key, *key, now);
            }
            Stage::Failed(failure) => state.inputs.forget_failure(*failure),
            Stage::Fresh | Stage::Done => {}
        }
    }
}

impl<T> fmt::Debug for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("name", &self.name)
            .field("method", &self.asked.method)
            .finish_non_exhaustive()
    }
}
