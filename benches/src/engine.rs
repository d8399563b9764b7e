//! The least a server can do: one borrowed serde pass over the frame, the argument's own token spliced into the answer,
//! the tool list kept as text. No negotiation, no validation, no cancellation: a limit to measure against, not a design.

use std::{borrow::Cow, io::Write, time::Duration};

use serde::Deserialize;
use serde_json::value::RawValue;

/// Answers frames. [`Engine::from_env`] takes the number of tools from `MCP_TOOLS`.
#[derive(Debug)]
pub struct Engine {
    /// The `tools/list` result, still open: the era decides how it ends.
    tools: Vec<u8>,
}

/// An answer that has to wait.
#[derive(Debug)]
#[non_exhaustive]
pub struct Delayed {
    /// How long.
    pub wait: Duration,
    /// The line to write then.
    pub answer: Vec<u8>,
}

// `Option<Cow<str>>` costs an allocation a field. It stays: the budgets were set against this floor.
#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "progressToken")]
    token: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Echo<'a> {
    #[serde(borrow)]
    text: &'a RawValue,
}

#[derive(Deserialize)]
struct Add {
    a: f64,
    b: f64,
}

#[derive(Deserialize)]
struct Sleep {
    ms: u64,
}

#[derive(Deserialize)]
struct Progress {
    n: u32,
}

#[derive(Deserialize)]
struct Big {
    bytes: usize,
}

/// What every answer needs.
#[derive(Clone, Copy)]
struct Call<'a> {
    id: &'a str,
    modern: bool,
}

impl Engine {
    /// An engine with as many tools as `MCP_TOOLS` says, or five.
    #[must_use]
    pub fn from_env() -> Self {
        let count = std::env::var("MCP_TOOLS")
            .ok()
            .and_then(|count| count.parse().ok());
        Self {
            tools: tool_list(count.unwrap_or(5)),
        }
    }

    /// Writes the answer to one frame to the end of `out`, or gives it back when it must wait. A notification and what is
    /// no JSON have no answer.
    pub fn answer(&self, frame: &[u8], out: &mut Vec<u8>) -> Option<Delayed> {
        let frame: Frame<'_> = serde_json::from_slice(frame).ok()?;
        let id = frame.id?.get();
        let params = frame.params.unwrap_or_default();
        let version = params
            .meta
            .as_ref()
            .and_then(|meta| meta.version.as_deref());
        let call = Call {
            id,
            modern: version == Some("2026-07-28"),
        };
        match frame.method.as_deref() {
            Some("tools/call") => return call.tool(&params, out),
            Some("tools/list") => {
                call.begin(out);
                out.extend_from_slice(&self.tools);
                if call.modern {
                    out.extend_from_slice(br#","ttlMs":0,"cacheScope":"public""#);
                }
                call.end(out);
            }
            Some("initialize") => {
                call.begin(out);
                out.extend_from_slice(br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1.0.0"}"#);
                call.end(out);
            }
            Some("server/discover") => {
                call.begin(out);
                out.extend_from_slice(br#"{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public""#);
                call.end(out);
            }
            _ => call.refuse(-32601, out),
        }
        None
    }
}

impl Call<'_> {
    fn tool(self, params: &Params<'_>, out: &mut Vec<u8>) -> Option<Delayed> {
        let arguments = params.arguments.map_or("{}", RawValue::get);
        let known = match params.name.as_deref() {
            Some("echo") => self.echo(arguments, out),
            Some("add") => self.add(arguments, out),
            Some("sleep") => return self.sleep(arguments),
            Some("progress") => self.progress(arguments, params, out),
            Some("big") => self.big(arguments, out),
            _ => None,
        };
        if known.is_none() {
            self.refuse(-32602, out);
        }
        None
    }

    fn echo(self, arguments: &str, out: &mut Vec<u8>) -> Option<()> {
        let Echo { text } = serde_json::from_str(arguments).ok()?;
        self.text(text.get().as_bytes(), out);
        Some(())
    }

    fn add(self, arguments: &str, out: &mut Vec<u8>) -> Option<()> {
        let Add { a, b } = serde_json::from_str(arguments).ok()?;
        self.text(format!("\"{}\"", a + b).as_bytes(), out);
        Some(())
    }

    fn sleep(self, arguments: &str) -> Option<Delayed> {
        let Sleep { ms } = serde_json::from_str(arguments).ok()?;
        let mut answer = Vec::with_capacity(128);
        self.text(br#""slept""#, &mut answer);
        let wait = Duration::from_millis(ms);
        Some(Delayed { wait, answer })
    }

    fn progress(self, arguments: &str, params: &Params<'_>, out: &mut Vec<u8>) -> Option<()> {
        let Progress { n } = serde_json::from_str(arguments).ok()?;
        if let Some(token) = params.meta.as_ref().and_then(|meta| meta.token) {
            for step in 0..n {
                out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#);
                out.extend_from_slice(token.get().as_bytes());
                // Writing to a vector does not fail.
                let _ = writeln!(out, r#","progress":{step},"total":{n}}}}}"#);
            }
        }
        self.text(br#""done""#, out);
        Some(())
    }

    fn big(self, arguments: &str, out: &mut Vec<u8>) -> Option<()> {
        let Big { bytes } = serde_json::from_str(arguments).ok()?;
        self.begin_text(out);
        out.push(b'"');
        out.resize(out.len() + bytes, b'x');
        out.push(b'"');
        self.end_text(out);
        Some(())
    }

    /// A whole tool result of one text block; `literal` is already a JSON string.
    fn text(self, literal: &[u8], out: &mut Vec<u8>) {
        self.begin_text(out);
        out.extend_from_slice(literal);
        self.end_text(out);
    }

    fn begin_text(self, out: &mut Vec<u8>) {
        self.begin(out);
        out.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    }

    fn end_text(self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"}]");
        self.end(out);
    }

    fn begin(self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        out.extend_from_slice(self.id.as_bytes());
        out.extend_from_slice(br#","result":"#);
    }

    /// Closes a result that is still open, and its line.
    fn end(self, out: &mut Vec<u8>) {
        if self.modern {
            out.extend_from_slice(br#","resultType":"complete""#);
        }
        out.extend_from_slice(b"}}\n");
    }

    fn refuse(self, code: i32, out: &mut Vec<u8>) {
        // Writing to a vector does not fail.
        let _ = writeln!(
            out,
            r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":{code},"message":"refused"}}}}"#,
            self.id
        );
    }
}

/// A tool as the list shows it.
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    /// Names and JSON types.
    arguments: &'a [(&'a str, &'a str)],
}

const FIVE: [Tool<'static>; 5] = [
    Tool {
        name: "echo",
        description: "Echo the text back",
        arguments: &[("text", "string")],
    },
    Tool {
        name: "add",
        description: "Add two numbers",
        arguments: &[("a", "number"), ("b", "number")],
    },
    Tool {
        name: "sleep",
        description: "Sleep for ms milliseconds",
        arguments: &[("ms", "integer")],
    },
    Tool {
        name: "progress",
        description: "Send n progress notifications",
        arguments: &[("n", "integer")],
    },
    Tool {
        name: "big",
        description: "Return a text of the given size",
        arguments: &[("bytes", "integer")],
    },
];

fn tool_list(count: usize) -> Vec<u8> {
    let mut tools: Vec<String> = FIVE.iter().take(count).map(Tool::text).collect();
    tools.extend((5..count).map(|number| {
        let filler = Tool {
            name: &format!("filler_{number:04}"),
            description: &format!("Filler tool number {number}"),
            arguments: &[("text", "string")],
        };
        filler.text()
    }));
    format!(r#"{{"tools":[{}]"#, tools.join(",")).into_bytes()
}

impl Tool<'_> {
    fn text(&self) -> String {
        let properties: Vec<String> = self
            .arguments
            .iter()
            .map(|(name, kind)| format!(r#""{name}":{{"type":"{kind}"}}"#))
            .collect();
        let required: Vec<String> = self
            .arguments
            .iter()
            .map(|(name, _)| format!(r#""{name}""#))
            .collect();
        format!(
            r#"{{"name":"{}","description":"{}","inputSchema":{{"type":"object","properties":{{{}}},"required":[{}]}}}}"#,
            self.name,
            self.description,
            properties.join(","),
            required.join(",")
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn engine(tools: usize) -> Engine {
        Engine {
            tools: tool_list(tools),
        }
    }

    fn ask(request: &Value) -> Vec<Value> {
        let mut out = Vec::new();
        if let Some(delayed) = engine(7).answer(request.to_string().as_bytes(), &mut out) {
            out.extend(delayed.answer);
        }
        serde_json::Deserializer::from_slice(&out)
            .into_iter()
            .map(Result::unwrap)
            .collect()
    }

    fn call(name: &str, arguments: &Value, meta: &Value) -> Vec<Value> {
        ask(&json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call",
            "params": {"name": name, "arguments": arguments, "_meta": meta}}))
    }

    #[test]
    fn every_tool_answers_with_its_text() {
        let text = |answer: &[Value]| answer[0]["result"]["content"][0]["text"].clone();
        assert_eq!(
            text(&call("echo", &json!({"text": "a\n\"b\""}), &json!({}))),
            "a\n\"b\""
        );
        assert_eq!(
            text(&call("add", &json!({"a": 2, "b": 3.5}), &json!({}))),
            "5.5"
        );
        assert_eq!(text(&call("sleep", &json!({"ms": 1}), &json!({}))), "slept");
        assert_eq!(text(&call("big", &json!({"bytes": 4}), &json!({}))), "xxxx");
    }

    #[test]
    fn progress_comes_before_the_answer_and_carries_its_token() {
        let sent = call("progress", &json!({"n": 2}), &json!({"progressToken": 9}));
        assert_eq!(sent.len(), 3);
        assert_eq!(
            sent[1]["params"],
            json!({"progressToken": 9, "progress": 1, "total": 2})
        );
        assert_eq!(sent[2]["result"]["content"][0]["text"], "done");
    }

    #[test]
    fn a_modern_request_gets_a_modern_result() {
        let modern = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        assert_eq!(
            call("add", &json!({"a": 1, "b": 1}), &modern)[0]["result"]["resultType"],
            "complete"
        );
        let list = ask(
            &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": modern}}),
        );
        assert_eq!(list[0]["result"]["cacheScope"], "public");
        assert_eq!(list[0]["result"]["tools"].as_array().map(Vec::len), Some(7));
    }

    #[test]
    fn wrong_arguments_and_unknown_names_are_refused() {
        assert_eq!(
            call("add", &json!({"a": 1}), &json!({}))[0]["error"]["code"],
            -32602
        );
        assert_eq!(
            call("nothing", &json!({}), &json!({}))[0]["error"]["code"],
            -32602
        );
        assert_eq!(
            ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "nothing"}))[0]["error"]["code"],
            -32601
        );
    }
}
