//! Input rounds (2026-07-28): the server asks, the application answers, and the request is repeated with the answers.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/multi-round-trip-requests>

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::result::{self, Outcome, Read};
use super::sent::{OnProgress, Sent};
use super::shared::{Failure, Shared};
use crate::jsonrpc::{write_json, write_string};
use crate::protocol::http_headers::UnsafeInteger;
use crate::protocol::{InputRequest, InputRequiredResult, RawJson};
use crate::session::client::{MAX_ASKED, Outline, Patience, check_input};

/// A request that the server does not finish without input.
pub(super) struct Asking<'c> {
    pub(super) shared: &'c Arc<Shared>,
    pub(super) method: &'static str,
    /// The params of the first request, an object without `_meta`.
    pub(super) params: Vec<u8>,
    pub(super) meta: Vec<u8>,
    pub(super) patience: Patience,
    pub(super) asks_progress: bool,
}

impl Asking<'_> {
    /// Answers what the server asks until it has its result.
    pub(super) async fn run<T: Read>(
        self,
        first: Box<InputRequiredResult>,
        mut on_progress: OnProgress<'_>,
    ) -> Result<T, ClientError> {
        let mut required = first;
        let mut left = self.patience.total;
        for _ in 0..self.shared.options.max_rounds {
            if required.input_requests.is_none() && required.request_state.is_none() {
                // To repeat the request would do once more what it does.
                let why = "it asks for input, but not for which".to_owned();
                let kind = ClientErrorKind::Malformed(why);
                return Err(self.shared.error(self.method, kind));
            }
            let answers = self.answers(&mut required).await?;
            let params = self.params_with(&answers, required.request_state.as_deref());
            match self.repeat(&params, &mut left, &mut on_progress).await? {
                Outcome::Complete(result) => return Ok(result),
                Outcome::InputRequired(next) => required = next,
            }
        }
        let rounds = self.shared.options.max_rounds;
        Err(self.fail(format!("the server asks on after {rounds} rounds")))
    }

    /// Sends the request once more, after the server has refused it for its headers: those of the tool are learnt before.
    pub(super) async fn again<T: Read>(
        self,
        mut on_progress: OnProgress<'_>,
    ) -> Result<T, ClientError> {
        let client = Client::uncounted(Arc::clone(self.shared));
        client.relist_tools().await?;
        let mut left = self.patience.total;
        match self
            .repeat(&self.params, &mut left, &mut on_progress)
            .await?
        {
            Outcome::Complete(result) => Ok(result),
            Outcome::InputRequired(required) => self.run(required, on_progress).await,
        }
    }

    /// The answers to all that is asked, which may be asked at once. One that there is no answer to ends the request: a
    /// part of the answers would only make the server ask again.
    async fn answers(
        &self,
        required: &mut InputRequiredResult,
    ) -> Result<Vec<(String, RawJson)>, ClientError> {
        let requests = required.input_requests.take().unwrap_or_default();
        if requests.len() > MAX_ASKED {
            return Err(self.fail(format!(
                "the server asks more than {MAX_ASKED} questions at once"
            )));
        }
        let (facts, version) = {
            let state = self.shared.lock();
            (Arc::clone(state.session.facts()), state.session.version())
        };
        for request in requests.values() {
            check_input(request, &facts.capabilities, version)
                .map_err(|error| self.fail(error.message.into_owned()))?;
        }
        let answering = requests
            .into_iter()
            .map(|(key, request)| self.answer(key, request));
        join_all(answering).await.into_iter().collect()
    }

    async fn answer(
        &self,
        key: String,
        request: InputRequest,
    ) -> Result<(String, RawJson), ClientError> {
        let client = Client::uncounted(Arc::clone(self.shared));
        match self.shared.handlers.answer(request, client).await {
            Ok(answer) => Ok((key, answer)),
            Err(error) => Err(self.fail(error.message.into_owned())),
        }
    }

    fn params_with(&self, answers: &[(String, RawJson)], state: Option<&str>) -> Vec<u8> {
        let mut out = self.params.strip_suffix(b"}").unwrap_or(b"{").to_vec();
        if !answers.is_empty() {
            begin_member(&mut out, "inputResponses");
            out.push(b'{');
            for (key, answer) in answers {
                begin_member(&mut out, key);
                write_json(&mut out, answer);
            }
            out.push(b'}');
        }
        if let Some(state) = state {
            begin_member(&mut out, "requestState");
            write_string(&mut out, state);
        }
        out.push(b'}');
        out
    }

    async fn repeat<T: Read>(
        &self,
        params: &[u8],
        left: &mut Duration,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Outcome<T>, ClientError> {
        let headers = self
            .shared
            .mirrored(self.method, params)
            .map_err(|why| self.unwritable(&why))?;
        let patience = Patience {
            total: *left,
            ..self.patience
        };
        let outline = Outline {
            meta: &self.meta,
            headers: &headers,
            asks_progress: self.asks_progress,
            shows_progress: on_progress.is_some(),
            ..Outline::new(self.method, params, Some(patience))
        };
        let failed = |failure| {
            let failure = match failure {
                // What is left of it would tell nobody anything.
                Failure::Timeout { after, sent } if after == patience.total => Failure::Timeout {
                    after: self.patience.total,
                    sent,
                },
                failure => failure,
            };
            self.shared.failure(self.method, failure)
        };
        let begun = self.shared.runtime.now();
        let mut sent = Sent::new(self.shared, &outline).map_err(failed)?;
        let answered = std::future::poll_fn(|cx| sent.poll_with(cx, on_progress));
        let result = answered.await.map_err(failed)?;
        let took = self.shared.runtime.now().saturating_duration_since(begun);
        *left = left.saturating_sub(took);
        result::read(&result, true).map_err(|why| {
            self.shared
                .error(self.method, ClientErrorKind::Malformed(why))
        })
    }

    fn unwritable(&self, why: &UnsafeInteger) -> ClientError {
        let kind = ClientErrorKind::Unwritable(why.to_string());
        self.shared.error(self.method, kind)
    }

    fn fail(&self, why: String) -> ClientError {
        self.shared.error(self.method, ClientErrorKind::Input(why))
    }
}

fn begin_member(out: &mut Vec<u8>, name: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    write_string(out, name);
    out.push(b':');
}
