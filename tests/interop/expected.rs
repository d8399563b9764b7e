//! What the server must say, step by step, in each revision.

mod asking;
mod offers;
mod tools;

use serde_json::{Value, json};

pub(crate) use tools::{PNG, TOOLS};

/// The revisions in their order, as a client negotiates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

/// What a client program shows of a conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) revision: Revision,
    /// It asks for logs with every modern request, so that even the call that should be silent is answered with one.
    pub(crate) always_asks_for_logs: bool,
    /// It has no way to listen to changes in the modern era.
    pub(crate) cannot_listen: bool,
    /// It shows the code of 2026-07-28 for a resource that is not there, whatever code came.
    pub(crate) renames_not_found: bool,
}

impl Client {
    pub(crate) fn new(revision: Revision) -> Self {
        Self {
            revision,
            always_asks_for_logs: false,
            cannot_listen: false,
            renames_not_found: false,
        }
    }
}

/// One step, by its name: it shows these members and no others.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) name: &'static str,
    answer: Value,
}

impl Expected {
    pub(crate) fn assert_met_by(&self, step: &Value) {
        let mut shown = step.clone();
        let members = shown.as_object_mut().expect("a step is an object");
        let name = members.remove("step").expect("a step has a name");
        assert_eq!(name, self.name, "the steps are out of order at {step}");
        assert_eq!(shown, self.answer, "{name}");
    }
}

/// The whole conversation with a client.
pub(crate) fn conversation(client: &Client) -> Vec<Expected> {
    let mut steps = vec![connect(client)];
    steps.extend(greeting(client.revision));
    steps.extend(tools::steps(client));
    steps.extend(offers::resources(client));
    steps.extend(offers::prompts(client.revision));
    steps.extend(asking::steps(client.revision));
    steps.extend(offers::changes(client));
    steps.push(exactly("close", json!({})));
    steps
}

/// What is expected of the one step of this name.
pub(crate) fn answer_to(steps: &[Expected], name: &str) -> Value {
    let step = steps.iter().find(|step| step.name == name);
    step.expect("there is a step of this name").answer.clone()
}

/// The conversation with a client that can't be asked anything.
pub(crate) fn mute_conversation(client: &Client) -> Vec<Expected> {
    let mut steps = vec![connect(client)];
    steps.extend(asking::mute_steps(client.revision));
    steps.push(exactly("close", json!({})));
    steps
}

fn exactly(name: &'static str, answer: Value) -> Expected {
    Expected { name, answer }
}

fn connect(client: &Client) -> Expected {
    exactly("connect", json!({ "protocol": client.revision.as_str() }))
}

fn greeting(revision: Revision) -> Vec<Expected> {
    let server = json!({ "name": "conformance", "version": "0.1.0" });
    let mut capabilities = json!({
        "logging": {},
        "prompts": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
        "tools": { "listChanged": true },
    });
    if revision >= Revision::V2025_03_26 {
        capabilities["completions"] = json!({});
    }
    if revision == Revision::V2026_07_28 {
        let discover = json!({ "versions": [revision.as_str()], "server": server, "capabilities": capabilities });
        return vec![exactly("discover", discover)];
    }
    let initialize = json!({ "server": server, "capabilities": capabilities });
    vec![
        exactly("initialize", initialize),
        exactly("ping", json!({})),
    ]
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime_type, "text": text } })
}

/// An error of the protocol, without data.
fn error(code: i32, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "data": null } })
}
