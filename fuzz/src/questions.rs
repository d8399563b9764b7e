//! What a peer says when it is asked something, in either era.

use std::cell::RefCell;
use std::collections::HashMap;

use arbitrary::Arbitrary;
use serde_json::{Map, Value, json};

use crate::meta::Era;
use crate::steps::{self, Target};
use crate::{Plan, serve};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Answer {
    Yes,
    No,
    Declined,
    Cancelled,
    /// What the form did not ask for.
    Unfit,
    /// No action that there is.
    Unknown,
    Said,
    Roots,
    Empty,
    Null,
    Refused,
    Failed,
}

impl Answer {
    /// The result, or the code of the error.
    fn outcome(self) -> Result<Value, i64> {
        Ok(match self {
            Self::Yes => json!({ "action": "accept", "content": { "yes": true } }),
            Self::No => json!({ "action": "accept", "content": { "yes": false } }),
            Self::Declined => json!({ "action": "decline" }),
            Self::Cancelled => json!({ "action": "cancel" }),
            Self::Unfit => json!({ "action": "accept", "content": { "yes": [] } }),
            Self::Unknown => json!({ "action": "shrug" }),
            Self::Said => {
                json!({ "role": "assistant", "content": { "type": "text", "text": "a" }, "model": "m" })
            }
            Self::Roots => json!({ "roots": [{ "uri": "file:///a" }] }),
            Self::Empty => json!({}),
            Self::Null => Value::Null,
            Self::Refused => return Err(-1),
            Self::Failed => return Err(-32000),
        })
    }

    /// To a request of the server.
    pub(crate) fn response(self, id: u8) -> Value {
        match self.outcome() {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(code) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "no" } })
            }
        }
    }
}

/// What a later round brings, in the modern era; in the legacy one it is passed over.
#[derive(Arbitrary, Clone, Debug)]
pub struct Round {
    state: State,
    answers: Vec<(Key, Answer)>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum State {
    Absent,
    /// What the server gave at the first round of such a call.
    First,
    /// At the second, when the first was answered by a yes that was a no.
    Second,
    /// The first with a letter changed.
    Changed(u16),
    /// Another call's.
    Other,
    Empty,
    Number,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Key {
    Sure,
    SureAgain,
    Person,
    Model,
    Roots,
    Page,
    Nobody,
}

impl Key {
    fn text(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::SureAgain => "sure-2",
            Self::Person => "person",
            Self::Model => "model",
            Self::Roots => "roots",
            Self::Page => "page",
            Self::Nobody => "nobody",
        }
    }
}

impl Round {
    pub(crate) fn add_to(&self, params: &mut Map<String, Value>, target: Target) {
        let first = || state(target, 0).unwrap_or_default();
        let state = match self.state {
            State::Absent => None,
            State::First => Some(json!(first())),
            State::Second => Some(json!(state(target, 1).unwrap_or_default())),
            State::Changed(at) => {
                let mut text = first().into_bytes();
                if let Some(last) = text.len().checked_sub(1) {
                    let letter = &mut text[usize::from(at) % last.max(1)];
                    *letter = if *letter == b'A' { b'B' } else { b'A' };
                }
                Some(json!(String::from_utf8_lossy(&text)))
            }
            State::Other => Some(json!(state(Target::Gather, 0).unwrap_or_default())),
            State::Empty => Some(json!("")),
            State::Number => Some(json!(1)),
        };
        if let Some(state) = state {
            params.insert("requestState".to_owned(), state);
        }
        let answers = (self.answers.iter())
            .filter_map(|(key, answer)| Some((key.text().to_owned(), answer.outcome().ok()?)));
        let answers: Map<String, Value> = answers.collect();
        params.insert("inputResponses".to_owned(), Value::Object(answers));
    }
}

thread_local! {
    /// Nothing in the world of the fuzzer is random, so that a state that a server gave once is good for every other.
    static STATES: RefCell<HashMap<String, Option<String>>> = RefCell::default();
}

/// The state that a server gives with its questions after so many rounds, if it asks anything.
fn state(target: Target, rounds: u8) -> Option<String> {
    let name = format!("{target:?} {rounds}");
    if let Some(known) = STATES.with_borrow(|states| states.get(&name).cloned()) {
        return known;
    }
    let round = (rounds > 0).then(|| Round {
        state: State::First,
        answers: vec![(Key::Sure, Answer::No), (Key::Person, Answer::No)],
    });
    let era = Era::Modern { is_able: true };
    let call = steps::call(1, era, target, None, round.as_ref());
    let answer = serve(format!("{call}\n").as_bytes(), &Plan::default());
    let state = answer[0]["result"]["requestState"].as_str();
    let state = state.map(str::to_owned);
    STATES.with_borrow_mut(|states| {
        // There are many calls that ask nothing.
        if states.len() > 4096 {
            states.clear();
        }
        states.insert(name, state.clone());
    });
    state
}
