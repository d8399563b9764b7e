//! What a sensible peer may say, as values that a fuzzer makes, and as messages.

use arbitrary::Arbitrary;
use serde_json::{Map, Value, json};

use crate::meta::{Era, Version};
use crate::offers::WATCHED;
use crate::questions::{Answer, Round};

#[derive(Arbitrary, Debug)]
pub enum Step {
    Initialize {
        id: u8,
        version: Version,
        is_able: bool,
    },
    Initialized,
    Ping {
        id: u8,
    },
    SetLevel {
        id: u8,
    },
    Discover {
        id: u8,
    },
    List {
        id: u8,
        era: Era,
        list: List,
        cursor: Option<String>,
    },
    Call {
        id: u8,
        era: Era,
        target: Target,
        wants_progress: bool,
        round: Option<Round>,
    },
    Complete {
        id: u8,
        era: Era,
        what: Completed,
        typed: String,
    },
    Subscribe {
        id: u8,
        uri: Uri,
    },
    Unsubscribe {
        id: u8,
        uri: Uri,
    },
    Listen {
        id: u8,
        filter: Filter,
    },
    Cancel {
        id: u8,
    },
    /// To a question of the server, which numbers them from 1 on.
    Answer {
        id: u8,
        answer: Answer,
    },
    Unknown {
        id: Option<u8>,
        method: String,
    },
    Batch(Vec<Step>),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

/// What is called, got or read.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Target {
    Add(i64),
    Everything,
    Later(u8),
    Finishing(u8),
    Blocking,
    Never,
    Big(u8),
    Panicking(u8),
    Change(u8),
    Update,
    Ask,
    Gather,
    Insist,
    Hurry(u8),
    Leave,
    Visit,
    Visited,
    Unknown,
    Review(Option<u8>),
    AskFirst,
    Pick,
    UnknownPrompt,
    Read(Uri),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Uri {
    Watched,
    Note(u16),
    Page(u8),
    Locked(u8),
    Book,
    Nowhere,
    NoUri,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Completed {
    Language,
    Findings,
    Title,
    Book,
    Unknown,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Filter {
    tools: Option<bool>,
    prompts: Option<bool>,
    resources: Option<bool>,
    uris: Option<(Uri, Uri)>,
}

/// Batches in batches are cut off early; the depth of JSON is another target's business.
const MAX_DEPTH: usize = 2;

/// The message, and its line in the input: `at` and `depth` make its progress token one of its own.
#[must_use]
pub fn message(step: &Step, at: usize, depth: usize) -> Value {
    match step {
        Step::Initialize {
            id,
            version,
            is_able,
        } => request(
            *id,
            "initialize",
            json!({
                "protocolVersion": version.text(),
                "capabilities": Era::capabilities(*is_able),
                "clientInfo": { "name": "fuzz", "version": "1" },
            }),
        ),
        Step::Initialized => json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        Step::Ping { id } => request(*id, "ping", json!({})),
        Step::SetLevel { id } => request(*id, "logging/setLevel", json!({ "level": "debug" })),
        Step::Discover { id } => {
            let meta = Era::Modern { is_able: false }.meta();
            request(*id, "server/discover", json!({ "_meta": meta }))
        }
        Step::List {
            id,
            era,
            list,
            cursor,
        } => {
            let mut params = json!({ "_meta": era.meta() });
            if let Some(cursor) = cursor {
                params["cursor"] = json!(cursor);
            }
            request(*id, list.method(), params)
        }
        Step::Call {
            id,
            era,
            target,
            wants_progress,
            round,
        } => {
            let token = wants_progress.then(|| format!("{at} {depth}"));
            call(*id, *era, *target, token, round.as_ref())
        }
        Step::Complete {
            id,
            era,
            what,
            typed,
        } => request(*id, "completion/complete", what.params(*era, typed)),
        Step::Subscribe { id, uri } => request(*id, "resources/subscribe", uri.params()),
        Step::Unsubscribe { id, uri } => request(*id, "resources/unsubscribe", uri.params()),
        Step::Listen { id, filter } => {
            let meta = Era::Modern { is_able: false }.meta();
            let params = json!({ "notifications": filter.json(), "_meta": meta });
            request(*id, "subscriptions/listen", params)
        }
        Step::Cancel { id } => {
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
        }
        Step::Answer { id, answer } => answer.response(*id),
        Step::Unknown {
            id: Some(id),
            method,
        } => request(*id, method, json!({})),
        Step::Unknown { id: None, method } => json!({ "jsonrpc": "2.0", "method": method }),
        Step::Batch(steps) if depth < MAX_DEPTH => steps
            .iter()
            .map(|step| message(step, at, depth + 1))
            .collect(),
        Step::Batch(_) => json!([]),
    }
}

fn request(id: u8, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A call, or a later round of one.
pub(crate) fn call(
    id: u8,
    era: Era,
    target: Target,
    token: Option<String>,
    round: Option<&Round>,
) -> Value {
    let mut meta = era.meta();
    if let Some(token) = token {
        meta["progressToken"] = json!(token);
    }
    let (method, mut params) = target.params();
    params.insert("_meta".to_owned(), meta);
    if let Some(round) = round {
        round.add_to(&mut params, target);
    }
    request(id, method, Value::Object(params))
}

impl List {
    fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }
}

impl Target {
    /// The method, and the params of a first round.
    pub(crate) fn params(self) -> (&'static str, Map<String, Value>) {
        let (method, params) = match self {
            Self::Read(uri) => ("resources/read", uri.params()),
            Self::Review(findings) => {
                let findings = findings.map(|findings| findings.to_string());
                let arguments = json!({ "language": "rust", "findings": findings });
                prompt("review", arguments)
            }
            Self::AskFirst => prompt("ask_first", json!({})),
            Self::Pick => prompt("pick", json!({ "title": "a" })),
            Self::UnknownPrompt => prompt("unknown", json!({})),
            tool => {
                let (name, arguments) = tool.call();
                let params = json!({ "name": name, "arguments": arguments });
                ("tools/call", params)
            }
        };
        match params {
            Value::Object(params) => (method, params),
            _ => (method, Map::new()),
        }
    }

    fn call(self) -> (&'static str, Value) {
        match self {
            Self::Add(a) => ("add", json!({ "a": a, "b": 1 })),
            Self::Everything => ("everything", json!({ "word": 1, "b": 1 })),
            Self::Later(rounds) => ("later", json!({ "rounds": rounds })),
            Self::Finishing(rounds) => ("finishing", json!({ "rounds": rounds })),
            Self::Blocking => ("blocking", json!({})),
            Self::Never => ("never", json!({})),
            Self::Big(kilobytes) => ("big", json!({ "kilobytes": kilobytes })),
            Self::Panicking(rounds) => ("panicking", json!({ "rounds": rounds })),
            Self::Change(what) => ("change", json!({ "what": what % 4 })),
            Self::Update => ("update", json!({})),
            Self::Ask => ("ask", json!({})),
            Self::Gather => ("gather", json!({})),
            Self::Insist => ("insist", json!({})),
            Self::Hurry(rounds) => ("hurry", json!({ "rounds": rounds })),
            Self::Leave => ("leave", json!({})),
            Self::Visit => ("visit", json!({})),
            Self::Visited => ("visited", json!({})),
            _ => ("unknown", json!({})),
        }
    }
}

fn prompt(name: &str, arguments: Value) -> (&'static str, Value) {
    (
        "prompts/get",
        json!({ "name": name, "arguments": arguments }),
    )
}

impl Uri {
    fn text(self) -> String {
        match self {
            Self::Watched => WATCHED.to_owned(),
            Self::Note(id) => format!("fuzz://note/{id}"),
            Self::Page(to) => format!("fuzz://page/a/b%2Fc?to={to}&from=%C3%A9"),
            Self::Locked(id) => format!("fuzz://locked/{id}"),
            Self::Book => "fuzz://shelf/a%20b".to_owned(),
            Self::Nowhere => "fuzz://nowhere".to_owned(),
            Self::NoUri => "no uri".to_owned(),
        }
    }

    fn params(self) -> Value {
        json!({ "uri": self.text() })
    }
}

impl Completed {
    fn params(self, era: Era, typed: &str) -> Value {
        let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
        let (of, argument) = match self {
            Self::Language => (prompt("review"), "language"),
            Self::Findings => (prompt("review"), "findings"),
            Self::Title => (prompt("pick"), "title"),
            Self::Book => (
                json!({ "type": "ref/resource", "uri": "fuzz://shelf/{title}" }),
                "title",
            ),
            Self::Unknown => (prompt("unknown"), "nothing"),
        };
        let argument = json!({ "name": argument, "value": typed });
        json!({ "ref": of, "argument": argument, "_meta": era.meta() })
    }
}

impl Filter {
    fn json(self) -> Value {
        let mut filter = Map::new();
        let mut set = |name: &str, wanted: Option<bool>| {
            if let Some(wanted) = wanted {
                filter.insert(name.to_owned(), json!(wanted));
            }
        };
        set("toolsListChanged", self.tools);
        set("promptsListChanged", self.prompts);
        set("resourcesListChanged", self.resources);
        if let Some((one, another)) = self.uris {
            let uris = json!([one.text(), another.text()]);
            filter.insert("resourceSubscriptions".to_owned(), uris);
        }
        Value::Object(filter)
    }
}
