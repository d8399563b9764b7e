//! A peer that says sensible things in any order: each request is answered once at most, and nothing else is.

#![no_main]

use std::collections::HashMap;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{MODERN_META, Plan, answers, messages, serve};
use serde_json::{Value, json};

#[derive(Arbitrary, Debug)]
enum Step {
    Initialize {
        id: u8,
        version: Version,
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
        cursor: Option<String>,
    },
    Call {
        id: u8,
        era: Era,
        tool: Tool,
        wants_progress: bool,
    },
    Listen {
        id: u8,
    },
    Cancel {
        id: u8,
    },
    Response {
        id: u8,
    },
    Unknown {
        id: Option<u8>,
        method: String,
    },
    Batch(Vec<Step>),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Era {
    Legacy,
    Modern,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Tool {
    Add(i64),
    Everything,
    Later(u8),
    Finishing(u8),
    Blocking,
    Never,
    Big(u8),
    Panicking(u8),
    Change,
    Unknown,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Unknown,
}

fuzz_target!(|input: (Vec<Step>, Plan)| {
    let (steps, plan) = input;
    let mut text = String::new();
    let mut books = Books::default();
    for (at, step) in steps.iter().enumerate() {
        let message = message(step, at, 0);
        books.note(&message, false);
        text += &message.to_string();
        text.push('\n');
    }
    let lines = serve(text.as_bytes(), &plan);
    for (id, asked) in &books.asked {
        let answered = answers(&lines, &json!(id));
        assert!(
            answered.len() <= asked.times,
            "{id} was asked {} times: {answered:?}",
            asked.times
        );
        if asked.times > 1 || asked.in_batch {
            continue;
        }
        assert!(
            !answered.is_empty() || asked.cancelled || !plan.reads_all(),
            "{id} was never answered"
        );
        assert!(
            !asked.modern
                || (answered.iter()).all(|answer| answer.get("error").is_some()
                    || answer["result"]["resultType"] == "complete"),
            "{answered:?}"
        );
        no_progress_after_the_answer(&lines, asked, &json!(id));
    }
});

/// Progress of a call names a token of its own.
fn no_progress_after_the_answer(lines: &[Value], asked: &Asked, id: &Value) {
    let mut answered = false;
    let mut last = -1.0;
    for message in messages(lines) {
        answered |= message.get("method").is_none() && message.get("id") == Some(id);
        let params = &message["params"];
        if asked.token.is_some() && params["progressToken"].as_str() == asked.token.as_deref() {
            assert!(!answered, "progress after the answer: {message}");
            let progress = params["progress"].as_f64().expect("progress is a number");
            assert!(progress > last, "progress does not grow: {message}");
            last = progress;
        }
    }
}

/// What was asked, by id.
#[derive(Default)]
struct Books {
    asked: HashMap<u64, Asked>,
}

#[derive(Default)]
struct Asked {
    times: usize,
    cancelled: bool,
    in_batch: bool,
    modern: bool,
    token: Option<String>,
}

impl Books {
    /// A member of a batch that is itself a batch is no request, but may be answered as one that is wrong, without an
    /// id.
    fn note(&mut self, message: &Value, in_batch: bool) {
        if let Value::Array(members) = message {
            return members.iter().for_each(|member| self.note(member, true));
        }
        if message["method"] == "notifications/cancelled" {
            if let Some(id) = message["params"]["requestId"].as_u64() {
                self.asked.entry(id).or_default().cancelled = true;
            }
        }
        if let Some(id) = message["id"].as_u64()
            && message.get("method").is_some()
        {
            let asked = self.asked.entry(id).or_default();
            asked.times += 1;
            asked.in_batch |= in_batch;
            let meta = &message["params"]["_meta"];
            asked.modern = meta
                .get("io.modelcontextprotocol/protocolVersion")
                .is_some();
            asked.token = meta["progressToken"].as_str().map(str::to_owned);
        }
    }
}

/// Batches in batches are cut off early; the depth of JSON is another target's business.
const MAX_DEPTH: usize = 2;

fn message(step: &Step, at: usize, depth: usize) -> Value {
    let request = |id: &u8, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    match step {
        Step::Initialize { id, version } => request(
            id,
            "initialize",
            json!({ "protocolVersion": version.text(), "capabilities": {}, "clientInfo": { "name": "fuzz", "version": "1" } }),
        ),
        Step::Initialized => json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        Step::Ping { id } => request(id, "ping", json!({})),
        Step::SetLevel { id } => request(id, "logging/setLevel", json!({ "level": "debug" })),
        Step::Discover { id } => request(
            id,
            "server/discover",
            json!({ "_meta": Era::Modern.meta() }),
        ),
        Step::List { id, era, cursor } => {
            let mut params = json!({ "_meta": era.meta() });
            if let Some(cursor) = cursor {
                params["cursor"] = json!(cursor);
            }
            request(id, "tools/list", params)
        }
        Step::Call {
            id,
            era,
            tool,
            wants_progress,
        } => {
            let mut meta = era.meta();
            if *wants_progress {
                meta["progressToken"] = json!(format!("{at} {depth}"));
            }
            let (name, arguments) = tool.call();
            let params = json!({ "name": name, "arguments": arguments, "_meta": meta });
            request(id, "tools/call", params)
        }
        Step::Listen { id } => request(
            id,
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true }, "_meta": Era::Modern.meta() }),
        ),
        Step::Cancel { id } => {
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
        }
        Step::Response { id } => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        Step::Unknown {
            id: Some(id),
            method,
        } => request(id, method, json!({})),
        Step::Unknown { id: None, method } => json!({ "jsonrpc": "2.0", "method": method }),
        Step::Batch(steps) if depth < MAX_DEPTH => steps
            .iter()
            .map(|step| message(step, at, depth + 1))
            .collect(),
        Step::Batch(_) => json!([]),
    }
}

impl Era {
    fn meta(self) -> Value {
        match self {
            Self::Legacy => json!({}),
            Self::Modern => serde_json::from_str(MODERN_META).expect("a constant of ours"),
        }
    }
}

impl Tool {
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
            Self::Change => ("change", json!({})),
            Self::Unknown => ("unknown", json!({})),
        }
    }
}

impl Version {
    fn text(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
            Self::Unknown => "1999-01-01",
        }
    }
}
