//! What a call asks its client for, and what it knows already.
//!
//! In 2026-07-28 a call that has to ask ends: it is answered with its questions, and the client calls again with the
//! answers. So a handler that waits for an answer that has not come is dropped, and runs again from its beginning.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;

use super::context::{Context, Kind};
use super::reply::{Outcome, Reply};
use super::seal::{Answer, Binding, SealError, Sealer, State, digest};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, MissingCapabilityData, ProtocolVersion, RawJson};

/// What is the same for all calls of a server.
#[derive(Debug)]
pub(crate) struct InputSettings {
    pub(super) sealer: Sealer,
    /// How long a person may take to answer.
    pub(super) elicitation_timeout: Duration,
    /// How long a client may take to answer what needs no person.
    pub(super) request_timeout: Duration,
}

/// What came with a call beside its arguments, when it is not the first round.
#[derive(Debug)]
pub(crate) struct Given {
    /// The JSON text of an object.
    pub(crate) responses: Option<Bytes>,
    pub(crate) state: Option<String>,
}

/// What a call of the modern era is about, for its state must not be used with another.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(super) method: &'static str,
    pub(super) target: Bytes,
    pub(super) arguments: Bytes,
}

/// The questions of one call.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// `None` in the legacy era, where questions are requests.
    pub(super) subject: Option<Subject>,
    /// Whether there may be something in the book that ends the call, so that those that ask nothing need not look.
    is_open: AtomicBool,
    book: Mutex<Option<Box<Book>>>,
}

#[derive(Debug, Default)]
struct Book {
    /// Answers that were used, in earlier rounds and in this one; and what is remembered.
    state: State,
    /// Answers that came with this call and were not used yet.
    given: BTreeMap<String, RawJson>,
    /// How often each name was asked by so far.
    asked: HashMap<String, u32>,
    /// The keys that came of it.
    keys: HashSet<String>,
    open: BTreeMap<String, RawJson>,
    /// In the order they came.
    failures: BTreeMap<u64, Failure>,
    last_failure: u64,
}

/// Why a call that has asked can't go on.
#[derive(Debug)]
pub(super) enum Failure {
    /// The client has not declared what the question needs.
    Undeclared(Box<ClientCapabilities>),
    /// The answer does not fit the question.
    Malformed(String),
    /// The client answered with an error, or not at all.
    Unanswered(String),
    /// The question itself is wrong, or can't be asked in this revision.
    Unaskable(ErrorObject),
    /// The state does not fit.
    StateTooLong,
}

impl Inputs {
    pub(super) fn new(subject: Option<Subject>) -> Self {
        Self {
            subject,
            is_open: AtomicBool::new(false),
            book: Mutex::new(None),
        }
    }

    /// Takes in what came with a later round.
    pub(super) fn resume(&self, context: &Context, given: &Given) -> Result<(), ErrorObject> {
        let mut book = Book::default();
        if let Some(sealed) = &given.state {
            let connection = &context.state().connection;
            let binding = self.binding(context);
            book.state = (connection.inputs.sealer)
                .open(&*connection.runtime, &binding, sealed)
                .ok_or_else(|| {
                    ErrorObject::new(
                        ErrorCode::INVALID_PARAMS,
                        "`requestState` is not one of this request, or has expired",
                    )
                })?;
        }
        if let Some(responses) = &given.responses {
            book.given = serde_json::from_slice(responses).map_err(|_| {
                ErrorObject::new(
                    ErrorCode::INVALID_PARAMS,
                    "`inputResponses` must be an object",
                )
            })?;
        }
        *self.lock() = Some(Box::new(book));
        Ok(())
    }

    /// The key of a question: its name, and a number from the second time on that it is asked in a round. So a loop that
    /// asks until it likes the answer gets the next one each time.
    pub(super) fn key(&self, name: &str) -> String {
        let mut book = self.lock();
        let Book { asked, keys, .. } = &mut **book.get_or_insert_default();
        let asked = asked.entry(name.to_owned()).or_default();
        loop {
            *asked += 1;
            let key = match *asked {
                1 => name.to_owned(),
                times => format!("{name}-{times}"),
            };
            // Another question may be named as this one is numbered.
            if keys.insert(key.clone()) {
                return key;
            }
        }
    }

    /// Looks for an answer, and opens the question when there is none.
    ///
    /// An answer holds for the question that the client was shown, word for word. When the handler asks something else
    /// by the same key this time, the person is asked again: who agreed to one deletion has not agreed to another.
    pub(super) fn ask(&self, key: &str, question: &RawJson) -> Option<RawJson> {
        let digest = digest(question);
        let mut book = self.lock();
        let book = book.get_or_insert_default();
        let open = &book.state.open;
        // What was not asked last has not been shown: it is an answer of an earlier round that was sent again. A client
        // that brings no state may answer beforehand.
        let was_shown = (open.get(key)).map_or(open.is_empty(), |open| *open == digest);
        if let Some(answer) = book.given.remove(key)
            && was_shown
        {
            let question = digest.clone();
            let answer = Answer { question, answer };
            book.state.answers.insert(key.to_owned(), answer);
        }
        if let Some(known) = book.state.answers.get(key)
            && known.question == digest
        {
            return Some(known.answer.clone());
        }
        book.open.insert(key.to_owned(), question.clone());
        self.is_open.store(true, Ordering::Relaxed);
        None
    }

    /// The question is not asked after all.
    pub(super) fn withdraw(&self, key: &str) {
        if let Some(book) = self.lock().as_deref_mut() {
            book.open.remove(key);
        }
    }

    /// Ends the call as soon as its handler waits.
    pub(super) fn fail(&self, failure: Failure) -> u64 {
        let mut book = self.lock();
        let book = book.get_or_insert_default();
        book.last_failure += 1;
        book.failures.insert(book.last_failure, failure);
        self.is_open.store(true, Ordering::Relaxed);
        book.last_failure
    }

    /// The question that failed was dropped, and the call goes on without it.
    pub(super) fn forget_failure(&self, failure: u64) {
        if let Some(book) = self.lock().as_deref_mut() {
            book.failures.remove(&failure);
        }
    }

    pub(super) fn remember(&self, key: String, value: RawJson) {
        let mut book = self.lock();
        let book = book.get_or_insert_default();
        book.state.remembered.insert(key, value);
    }

    pub(super) fn recall(&self, key: &str) -> Option<RawJson> {
        let book = self.lock();
        book.as_deref()?.state.remembered.get(key).cloned()
    }

    /// What ends a call whose handler waits: its questions, or why they can't be asked. `None` when it waits for
    /// something else.
    pub(super) fn outcome(&self, context: &Context) -> Option<Reply> {
        if !self.is_open.load(Ordering::Relaxed) {
            return None;
        }
        let (requests, state) = {
            let mut book = self.lock();
            let book = book.as_deref_mut()?;
            if let Some((_, failure)) = book.failures.pop_first() {
                return Some(failure.reply(context));
            }
            if book.open.is_empty() {
                return None;
            }
            let requests = std::mem::take(&mut book.open);
            // A layer may ask on when its handler has asked, and what is known then is still known.
            let mut state = book.state.clone();
            state.open = (requests.iter())
                .map(|(key, question)| (key.clone(), digest(question)))
                .collect();
            (requests, state)
        };
        let connection = &context.state().connection;
        let binding = self.binding(context);
        let sealed = connection
            .inputs
            .sealer
            .seal(&*connection.runtime, &binding, state);
        Some(match sealed {
            Ok(state) => Reply(Outcome::InputRequired(Box::new(InputRequired {
                requests,
                state,
            }))),
            Err(SealError::TooLong) => Failure::StateTooLong.reply(context),
            Err(SealError::NoRandomness) => Reply::protocol_error(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                "the server has no source of randomness",
            )),
        })
    }

    fn binding(&self, context: &Context) -> Binding {
        let principal = context.principal().map(super::Principal::id);
        match &self.subject {
            Some(subject) => Binding::new(
                principal,
                subject.method,
                &subject.target,
                &subject.arguments,
            ),
            None => Binding::new(principal, "", &[], &[]),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<Book>>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call needs before it can finish.
#[derive(Debug)]
pub(crate) struct InputRequired {
    pub(crate) requests: BTreeMap<String, RawJson>,
    pub(crate) state: String,
}

impl Failure {
    fn reply(self, context: &Context) -> Reply {
        let is_modern = context.version().has_input_rounds();
        let (code, text) = match self {
            Self::Undeclared(required) if is_modern => {
                return Reply::protocol_error(MissingCapabilityData::new(*required).into());
            }
            Self::Undeclared(required) => {
                let name = name(&required, context.version());
                let why =
                    format!("this needs the capability `{name}`, which the client does not have");
                (ErrorCode::INVALID_REQUEST, why)
            }
            Self::Malformed(why) => (ErrorCode::INVALID_PARAMS, why),
            Self::Unanswered(why) => (ErrorCode::INTERNAL_ERROR, why),
            Self::Unaskable(error) => return told(error, context),
            Self::StateTooLong => (
                ErrorCode::INTERNAL_ERROR,
                "the answers so far are more than a state may hold".to_owned(),
            ),
        };
        told(ErrorObject::new(code, text), context)
    }
}

/// What a question needs, as one looks for it among the capabilities of a client.
fn name(required: &ClientCapabilities, version: ProtocolVersion) -> &'static str {
    match (&required.elicitation, &required.sampling) {
        (Some(elicitation), _) if elicitation.url.is_some() => "elicitation.url",
        (Some(_), _) if version.has_elicitation_modes() => "elicitation.form",
        (Some(_), _) => "elicitation",
        (None, Some(sampling)) if sampling.tools.is_some() => "sampling.tools",
        (None, Some(_)) => "sampling",
        (None, None) => "roots",
    }
}

/// Where the client was asked by a request, what went wrong is no fault of its call, so the model is told.
fn told(error: ErrorObject, context: &Context) -> Reply {
    if !context.version().has_input_rounds() && context.state().kind == Kind::Tool {
        return Reply::tool_error(error.message);
    }
    Reply::protocol_error(error)
}
