//! What the application answers when a server asks.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use serde::Serialize;
use serde_json::{Map, Value};

use super::handle::Client;
use super::server_info::ServerInfo;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitFormParams,
    ElicitParams, ElicitResult, ElicitationCapability, InputRequest, ListRootsResult,
    LoggingMessageParams, RawJson, Root, RootsCapability, SamplingCapability, as_value,
};
use crate::runtime::BoxFuture;
use crate::schema::{AnswerErrors, Form};

/// Something that a server asks of its client, and who asks. The fields of the question are read through it: `asked.messages`
/// of [`CreateMessageParams`], `match &*asked` of [`ElicitParams`].
#[derive(Debug)]
pub struct Asked<P> {
    params: P,
    client: Client,
}

impl<P> Asked<P> {
    /// What it asks.
    #[must_use]
    pub fn into_params(self) -> P {
        self.params
    }

    /// Which server asks; `None` while the connection is being opened. People should be shown it.
    #[must_use]
    pub fn server(&self) -> Option<&ServerInfo> {
        self.client.shared().server.get()
    }

    /// The client that is asked, to call the same server while it waits.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }
}

impl<P> Deref for Asked<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.params
    }
}

/// What a handler of a client may return: the answer, or a `Result` of it and the error that the server is told.
#[diagnostic::on_unimplemented(
    message = "a handler of a client can't answer `{Self}`",
    label = "not an answer",
    note = "answer `{T}`, or a `Result` of it with an `ErrorObject`"
)]
pub trait IntoAnswer<T> {
    /// The answer.
    ///
    /// # Errors
    ///
    /// What the server is told instead.
    fn into_answer(self) -> Result<T, ErrorObject>;
}

impl IntoAnswer<Self> for ElicitResult {
    fn into_answer(self) -> Result<Self, ErrorObject> {
        Ok(self)
    }
}

impl IntoAnswer<Self> for CreateMessageResult {
    fn into_answer(self) -> Result<Self, ErrorObject> {
        Ok(self)
    }
}

impl<T> IntoAnswer<T> for Result<T, ErrorObject> {
    fn into_answer(self) -> Self {
        self
    }
}

type Answering<P, R> =
    Arc<dyn Fn(Asked<P>) -> BoxFuture<'static, Result<R, ErrorObject>> + Send + Sync>;

/// Erases a handler.
pub(super) fn answering<P, R, F, A>(
    handler: impl Fn(Asked<P>) -> F + Send + Sync + 'static,
) -> Answering<P, R>
where
    F: Future<Output = A> + Send + 'static,
    A: IntoAnswer<R> + 'static,
    R: 'static,
{
    Arc::new(move |asked| Box::pin(handler(asked).map(IntoAnswer::into_answer)))
}

type OnLog = dyn Fn(&LoggingMessageParams) + Send + Sync;

#[derive(Clone, Default)]
pub(super) struct Handlers {
    pub(super) elicitation: Option<Answering<ElicitParams, ElicitResult>>,
    pub(super) sampling: Option<Answering<CreateMessageParams, CreateMessageResult>>,
    pub(super) roots: Option<Arc<Mutex<Vec<Root>>>>,
    pub(super) log: Option<Arc<OnLog>>,
    pub(super) takes_urls: bool,
    pub(super) takes_tools: bool,
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}

impl Handlers {
    /// Adds what these handlers can do.
    pub(super) fn declare(&self, mut capabilities: ClientCapabilities) -> ClientCapabilities {
        if self.elicitation.is_some() {
            let mut elicitation = ElicitationCapability::new().with_form();
            if self.takes_urls {
                elicitation = elicitation.with_url();
            }
            capabilities = capabilities.with_elicitation(elicitation);
        }
        if self.sampling.is_some() {
            let sampling = SamplingCapability::new();
            capabilities = capabilities.with_sampling(if self.takes_tools {
                sampling.with_tools()
            } else {
                sampling
            });
        }
        if self.roots.is_some() {
            capabilities =
                capabilities.with_roots(RootsCapability::default().with_list_changed(true));
        }
        capabilities
    }

    /// What the application answers.
    pub(super) async fn answer(
        &self,
        request: InputRequest,
        client: Client,
    ) -> Result<RawJson, ErrorObject> {
        let answer = AssertUnwindSafe(self.ask(request, client)).catch_unwind();
        answer
            .await
            .unwrap_or_else(|_| Err(failed("the client's handler panicked")))
    }

    async fn ask(&self, request: InputRequest, client: Client) -> Result<RawJson, ErrorObject> {
        match request {
            InputRequest::Elicit(params) => {
                let handler = self.elicitation.as_ref().ok_or_else(unsupported)?;
                let form = match &params {
                    ElicitParams::Form(form) => Some(form.clone()),
                    ElicitParams::Url(_) | ElicitParams::Other(_) => None,
                };
                let answer = handler(Asked { params, client }).await?;
                written(&checked(answer, form.as_ref())?)
            }
            InputRequest::CreateMessage(params) => {
                let handler = self.sampling.as_ref().ok_or_else(unsupported)?;
                written(&handler(Asked { params, client }).await?)
            }
            InputRequest::ListRoots(_) => {
                let roots = self.roots.as_ref().ok_or_else(unsupported)?;
                let roots = roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
                written(&ListRootsResult::new(roots))
            }
            InputRequest::Other(_) => Err(unsupported()),
        }
    }
}

/// Which fields are wrong, and nothing of what was answered: the server is told this, too.
fn misfit(errors: &AnswerErrors) -> String {
    let mut fields: Vec<&str> = errors
        .iter()
        .map(|violation| violation.pointer())
        .filter(|pointer| !pointer.is_empty())
        .collect();
    fields.dedup();
    match &*fields {
        [] => "the answer does not fit the form".to_owned(),
        fields => format!("the answer does not fit the form at {}", fields.join(", ")),
    }
}

/// What is left out of a form and has a default gets it, and what does not fit the form is not sent.
fn checked(
    mut answer: ElicitResult,
    form: Option<&ElicitFormParams>,
) -> Result<ElicitResult, ErrorObject> {
    let Some(form) = form.filter(|_| answer.action == ElicitAction::Accept) else {
        answer.content = None;
        return Ok(answer);
    };
    let mut content: Map<String, Value> = match &answer.content {
        Some(content) => {
            (content.parse()).map_err(|_| failed("the answer to the form is no object"))?
        }
        None => Map::new(),
    };
    let given = RawJson::from(Value::Object(content.clone()));
    if let Ok(schema) = form.form()
        && let Ok(form) = Form::from_schema(&schema)
    {
        let completed = form.completed(given.get());
        let completed = completed.map_err(|errors| failed(misfit(&errors)))?;
        answer.content = completed.parse().ok();
        return Ok(answer);
    }
    // A form that this version of the SDK can't read is the application's to judge.
    let schema = form.requested_schema.parse::<Value>();
    let fields = schema
        .as_ref()
        .ok()
        .and_then(|schema| schema.get("properties"));
    for (name, field) in fields.and_then(Value::as_object).into_iter().flatten() {
        if let Some(default) = field.get("default")
            && !content.contains_key(name)
        {
            content.insert(name.clone(), default.clone());
        }
    }
    answer.content = Some(RawJson::from(Value::Object(content)));
    Ok(answer)
}

fn written<T: Serialize>(answer: &T) -> Result<RawJson, ErrorObject> {
    Ok(RawJson::from(as_value(answer)))
}

fn failed(message: impl Into<std::borrow::Cow<'static, str>>) -> ErrorObject {
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
}

fn unsupported() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::METHOD_NOT_FOUND,
        "this client does not support that",
    )
}
