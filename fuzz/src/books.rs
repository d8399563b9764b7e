//! What a peer has asked, and what must hold of all that it hears.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::{Plan, answers, messages};

/// What was asked, by id.
#[derive(Default)]
pub struct Books {
    asked: HashMap<u64, Asked>,
    /// What the client said it can be asked, in `initialize`.
    is_able: bool,
}

#[derive(Default)]
struct Asked {
    times: usize,
    method: String,
    params: Value,
    cancelled: bool,
    in_batch: bool,
    modern: bool,
    token: Option<String>,
}

impl Books {
    /// A member of a batch that is itself a batch is no request, but may be answered as one that is wrong, without an
    /// id.
    pub fn note(&mut self, message: &Value, in_batch: bool) {
        if let Value::Array(members) = message {
            return members.iter().for_each(|member| self.note(member, true));
        }
        if message["method"] == "notifications/cancelled"
            && let Some(id) = message["params"]["requestId"].as_u64()
        {
            self.asked.entry(id).or_default().cancelled = true;
        }
        if let Some(id) = message["id"].as_u64()
            && let Some(method) = message["method"].as_str()
        {
            let params = &message["params"];
            self.is_able |= method == "initialize" && params["capabilities"] != json!({});
            let asked = self.asked.entry(id).or_default();
            asked.times += 1;
            asked.in_batch |= in_batch;
            let meta = &params["_meta"];
            asked.modern = meta
                .get("io.modelcontextprotocol/protocolVersion")
                .is_some();
            asked.token = meta["progressToken"].as_str().map(str::to_owned);
            method.clone_into(&mut asked.method);
            asked.params = params.clone();
        }
    }

    /// Holds what was heard to what was asked.
    ///
    /// # Panics
    ///
    /// When it does not fit: that is what is looked for.
    pub fn check(&self, lines: &[Value], plan: &Plan) {
        self.check_questions(lines);
        for (id, asked) in &self.asked {
            let answered = answers(lines, &json!(id));
            assert!(
                answered.len() <= asked.times,
                "{id} was asked {} times: {answered:?}",
                asked.times
            );
            if asked.times != 1 || asked.in_batch {
                continue;
            }
            assert!(
                !answered.is_empty() || asked.cancelled || !plan.reads_all(),
                "{id} was never answered"
            );
            for answer in answered {
                asked.check_answer(answer);
            }
            asked.check_progress(lines, &json!(id));
            if asked.method == "subscriptions/listen" && asked.modern {
                asked.check_stream(lines, &json!(id));
            }
        }
    }

    /// Only clients of the legacy era that can be asked are asked by requests, each with an id of its own.
    fn check_questions(&self, lines: &[Value]) {
        let mut ids = HashSet::new();
        for message in messages(lines) {
            if message.get("method").is_some()
                && let Some(id) = message.get("id")
            {
                assert!(self.is_able, "nobody can be asked: {message}");
                assert!(ids.insert(id.as_u64()), "an id comes twice: {message}");
            }
            if message["method"] == "notifications/elicitation/complete" {
                assert!(self.is_able, "nobody was sent anywhere: {message}");
            }
        }
    }
}

impl Asked {
    fn check_answer(&self, answer: &Value) {
        if !self.modern || answer.get("error").is_some() {
            let is_round = answer["result"]["resultType"] == "input_required";
            return assert!(!is_round, "a round of the legacy era: {answer}");
        }
        let result = &answer["result"];
        if result["resultType"] == "complete" {
            return;
        }
        assert_eq!(result["resultType"], "input_required", "{answer}");
        let asks = ["tools/call", "prompts/get", "resources/read"];
        assert!(asks.contains(&&*self.method), "{} asks", self.method);
        let questions = result["inputRequests"].as_object();
        let questions = questions.expect("there is a question");
        assert!(!questions.is_empty() && result["requestState"].is_string());
        let able = &self.params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        for question in questions.values() {
            let method = question["method"].as_str().unwrap_or_default();
            assert!(is_question(method), "{question}");
            let kind = method.split('/').next().unwrap_or_default();
            assert!(able.get(kind).is_some(), "not declared: {question}");
        }
    }

    /// Progress of a call names a token of its own.
    fn check_progress(&self, lines: &[Value], id: &Value) {
        let mut answered = false;
        let mut last = -1.0;
        for message in messages(lines) {
            answered |= message.get("method").is_none() && message.get("id") == Some(id);
            let params = &message["params"];
            if self.token.is_some() && params["progressToken"].as_str() == self.token.as_deref() {
                assert!(!answered, "progress after the answer: {message}");
                let progress = params["progress"].as_f64().expect("progress is a number");
                assert!(progress > last, "progress does not grow: {message}");
                last = progress;
            }
        }
    }

    /// A stream begins with its acknowledgement, has what was asked for, and ends with its answer.
    fn check_stream(&self, lines: &[Value], id: &Value) {
        const ID: &str = "io.modelcontextprotocol/subscriptionId";
        let filter = &self.params["notifications"];
        let (mut begun, mut ended) = (false, false);
        for message in messages(lines) {
            let params = &message["params"];
            if message.get("method").is_none() && message.get("id") == Some(id) {
                assert!(begun || message.get("error").is_some(), "{message}");
                ended = true;
            }
            if params["_meta"].get(ID) != Some(id) {
                continue;
            }
            assert!(!ended, "after the end of its stream: {message}");
            let method = message["method"].as_str().unwrap_or_default();
            let is_wanted = match method {
                "notifications/subscriptions/acknowledged" => !std::mem::replace(&mut begun, true),
                "notifications/tools/list_changed" => filter["toolsListChanged"] == true,
                "notifications/prompts/list_changed" => filter["promptsListChanged"] == true,
                "notifications/resources/list_changed" => filter["resourcesListChanged"] == true,
                "notifications/resources/updated" => (filter["resourceSubscriptions"].as_array())
                    .is_some_and(|uris| uris.contains(&params["uri"])),
                _ => method == "notifications/cancelled",
            };
            assert!(begun && is_wanted, "nobody asked for it: {message}");
        }
    }
}

/// What a client may be asked.
pub(crate) fn is_question(method: &str) -> bool {
    ["elicitation/create", "sampling/createMessage", "roots/list"].contains(&method)
}
