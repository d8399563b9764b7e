//! A server that says sensible things and others in any order: every request of the client comes to an end, a modern server
//! is never answered, and an older one once a request at most.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use mcp_core::ProtocolVersion;
use mcp_fuzz::{Plan, ask};
use serde_json::{Value, json};

#[derive(Arbitrary, Debug)]
enum Step {
    Answer { id: u8, result: Answer },
    Refuse { id: Option<u8>, code: Code },
    Progress { id: u8, value: i16 },
    Acknowledge { id: u8 },
    Change { id: Option<u8>, what: Changed },
    Log,
    Cancel { id: u8 },
    Ask { id: u8, what: Asked },
    Unknown { method: String },
    Batch(Vec<Step>),
    Raw(Vec<u8>),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Code {
    Unsupported,
    UnknownMethod,
    InvalidParams,
    Other(i32),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Answer {
    Discovered,
    Initialized(Version),
    Text,
    Page { more: bool },
    Prompt,
    Contents,
    Required { asks: bool, state: bool },
    OfAnotherKind,
    Null,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    Unknown,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Changed {
    Tools,
    Prompts,
    Resources,
    Resource,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Asked {
    Ping,
    Roots,
    Form,
    Url,
    Sampling,
    Unknown,
}

/// How the conversation begins: as it should, most of the time, since little comes after anything else.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Opening {
    Modern,
    Legacy(Version),
    Any,
}

fuzz_target!(|input: (Opening, Vec<Step>, Plan)| {
    let (opening, steps, plan) = input;
    let mut text = Vec::new();
    let opened = match opening {
        Opening::Modern => vec![answer(1, Answer::Discovered)],
        Opening::Legacy(version) => vec![
            refusal(Some(1), Code::UnknownMethod),
            answer(2, Answer::Initialized(version)),
        ],
        Opening::Any => Vec::new(),
    };
    for message in opened {
        text.extend(message.to_string().into_bytes());
        text.push(b'\n');
    }
    for step in &steps {
        match step {
            Step::Raw(bytes) => text.extend(bytes),
            step => text.extend(message(step, 0).to_string().into_bytes()),
        }
        text.push(b'\n');
    }
    let asked = ask(&text, &plan);
    let answers = asked
        .lines
        .iter()
        .filter(|line| line.get("method").is_none());
    if asked.version.is_some_and(ProtocolVersion::is_modern) {
        assert_eq!(answers.count(), 0, "{:?}", asked.lines);
    } else {
        // Each line asks one thing at most, but for batches.
        let questions = text
            .windows(8)
            .filter(|bytes| bytes == b"\"method\"")
            .count();
        assert!(answers.count() <= questions);
    }
    let ids: Vec<_> = (asked.lines.iter())
        .filter(|line| line.get("method").is_some())
        .filter_map(|line| line.get("id"))
        .collect();
    assert!(
        ids.windows(2)
            .all(|pair| pair[0].as_u64() < pair[1].as_u64()),
        "{ids:?}"
    );
});

fn message(step: &Step, depth: usize) -> Value {
    match step {
        Step::Answer { id, result } => answer(*id, *result),
        Step::Refuse { id, code } => refusal(*id, *code),
        Step::Progress { id, value } => json!({
            "jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": id, "progress": value}
        }),
        Step::Acknowledge { id } => notice(
            "subscriptions/acknowledged",
            json!({"notifications": {"toolsListChanged": true}, "_meta": tag(*id)}),
        ),
        Step::Change { id, what } => {
            let method = match what {
                Changed::Tools => "tools/list_changed",
                Changed::Prompts => "prompts/list_changed",
                Changed::Resources => "resources/list_changed",
                Changed::Resource => "resources/updated",
            };
            let meta = id.map_or_else(|| json!({}), tag);
            notice(method, json!({"uri": "file:///x", "_meta": meta}))
        }
        Step::Log => notice("message", json!({"level": "info", "data": 1})),
        Step::Cancel { id } => notice("cancelled", json!({"requestId": id})),
        Step::Ask { id, what } => {
            let (method, params) = question(*what);
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        }
        Step::Unknown { method } => json!({"jsonrpc": "2.0", "method": method}),
        Step::Batch(steps) if depth < 3 => {
            steps.iter().map(|step| message(step, depth + 1)).collect()
        }
        Step::Batch(_) | Step::Raw(_) => Value::Null,
    }
}

fn notice(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params})
}

fn tag(id: u8) -> Value {
    json!({"io.modelcontextprotocol/subscriptionId": id})
}

fn question(what: Asked) -> (&'static str, Value) {
    let form = json!({"message": "m", "requestedSchema": {"type": "object", "properties": {}}});
    match what {
        Asked::Ping => ("ping", json!({})),
        Asked::Roots => ("roots/list", json!({})),
        Asked::Form => ("elicitation/create", form),
        Asked::Url => (
            "elicitation/create",
            json!({"mode": "url", "message": "m", "url": "https://x", "elicitationId": "e"}),
        ),
        Asked::Sampling => (
            "sampling/createMessage",
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], "maxTokens": 1}),
        ),
        Asked::Unknown => ("no/such", json!({})),
    }
}

fn answer(id: u8, result: Answer) -> Value {
    let result = match result {
        Answer::Discovered => json!({
            "supportedVersions": ["2026-07-28"], "capabilities": capabilities()
        }),
        Answer::Initialized(version) => json!({
            "protocolVersion": match version {
                Version::V2024_11_05 => "2024-11-05",
                Version::V2025_03_26 => "2025-03-26",
                Version::V2025_06_18 => "2025-06-18",
                Version::V2025_11_25 => "2025-11-25",
                Version::Unknown => "1",
            },
            "capabilities": capabilities(),
            "serverInfo": {"name": "s", "version": "1"}
        }),
        Answer::Text => json!({"content": [{"type": "text", "text": "[1]"}]}),
        Answer::Page { more } => json!({
            "tools": [{"name": "a", "inputSchema": {}}, 7],
            "resourceTemplates": [],
            "nextCursor": more.then(|| id.to_string()),
            "ttlMs": 1_000
        }),
        Answer::Prompt => json!({"messages": []}),
        Answer::Contents => json!({"contents": []}),
        Answer::Required { asks, state } => {
            let mut result = json!({"resultType": "input_required"});
            if asks {
                let (method, params) = question(Asked::Form);
                result["inputRequests"] = json!({"a": {"method": method, "params": params}, "b": {"method": "roots/list"}});
            }
            if state {
                result["requestState"] = json!("s");
            }
            result
        }
        Answer::OfAnotherKind => json!({"resultType": "new"}),
        Answer::Null => Value::Null,
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn capabilities() -> Value {
    json!({
        "tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true, "listChanged": true},
        "completions": {}, "logging": {}
    })
}

fn refusal(id: Option<u8>, code: Code) -> Value {
    let code = match code {
        Code::Unsupported => -32022,
        Code::UnknownMethod => -32601,
        Code::InvalidParams => -32602,
        Code::Other(code) => code,
    };
    let data = json!({"supported": ["2026-07-28", "2025-06-18"], "requested": "x"});
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no", "data": data}})
}
