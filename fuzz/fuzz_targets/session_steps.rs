//! A peer that says sensible things in any order: each request is answered once at most, and nothing else is.

#![no_main]

use std::collections::HashMap;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{MODERN_META, answers, serve};
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
        a: i64,
        token: Option<u8>,
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
    Add,
    Everything,
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

fuzz_target!(|input: (Vec<Step>, Vec<u8>)| {
    let (steps, pieces) = input;
    let mut text = String::new();
    let mut asked = HashMap::new();
    for step in &steps {
        let message = message(step, 0);
        count(&message, &mut asked);
        text += &message.to_string();
        text.push('\n');
    }
    let lines = serve(text.as_bytes(), &pieces);
    for line in lines.iter().flat_map(|line| {
        line.as_array()
            .map_or(std::slice::from_ref(line), Vec::as_slice)
    }) {
        // The server asks for nothing here, and notifications have no id.
        assert!(
            !(line.get("method").is_some() && line.get("id").is_some()),
            "an unasked request: {line}"
        );
    }
    for (id, times) in asked {
        let answered = answers(&lines, &json!(id)).len();
        assert!(
            answered <= times,
            "{id} was asked {times} times and answered {answered} times"
        );
    }
});

/// Counts the requests in a message by their ids. A member of a batch that is itself a batch is no request, but may be
/// answered as one that is wrong, without an id.
fn count(message: &Value, asked: &mut HashMap<u64, usize>) {
    match message {
        Value::Array(members) => members.iter().for_each(|member| count(member, asked)),
        message => {
            if let Some(id) = message["id"].as_u64() {
                *asked.entry(id).or_default() += 1;
            }
        }
    }
}

/// Batches in batches are cut off early; the depth of JSON is another target's business.
const MAX_DEPTH: usize = 2;

fn message(step: &Step, depth: usize) -> Value {
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
            a,
            token,
        } => {
            let mut meta = era.meta();
            if let Some(token) = token {
                meta["progressToken"] = json!(token);
            }
            let params =
                json!({ "name": tool.text(), "arguments": { "a": a, "b": 1 }, "_meta": meta });
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
        Step::Batch(steps) if depth < MAX_DEPTH => {
            steps.iter().map(|step| message(step, depth + 1)).collect()
        }
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
    fn text(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Everything => "everything",
            Self::Unknown => "unknown",
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
