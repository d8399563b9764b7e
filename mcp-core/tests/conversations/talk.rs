//! A conversation: lines out, lines back, each of which is checked against the schema of the revision it is in.

use std::collections::HashMap;
use std::fmt::Display;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::Pair;
use mcp_core::{BuiltServer, Server};
use serde_json::Value;

use crate::schemas;

pub(crate) const MODERN: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
const SERVER_INFO: &str =
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;

/// A connection whose every line is checked.
pub(crate) struct Talk {
    pub(crate) pair: Pair,
    /// The method and the revision of each request that was sent, by the JSON of its id.
    asked: HashMap<String, (String, ProtocolVersion)>,
    session: Option<ProtocolVersion>,
    spoke_modern: bool,
}

impl Talk {
    /// A connection on which nothing was said yet.
    pub(crate) fn new(server: Server) -> Self {
        Self::over(Pair::new(server))
    }

    pub(crate) fn connect(server: &BuiltServer) -> Self {
        Self::over(Pair::connect(server))
    }

    pub(crate) fn over(pair: Pair) -> Self {
        Self {
            pair,
            asked: HashMap::new(),
            session: None,
            spoke_modern: false,
        }
    }

    /// A connection with a session of this revision.
    pub(crate) fn session(server: Server, version: ProtocolVersion) -> Self {
        Self::new(server).opened(version)
    }

    pub(crate) fn opened(self, version: ProtocolVersion) -> Self {
        self.opened_as(version, "{}")
    }

    /// As [`opened`](Self::opened), by a client of these capabilities.
    pub(crate) fn opened_as(mut self, version: ProtocolVersion, capabilities: &str) -> Self {
        self.say(initialize_as("init", version.as_str(), capabilities));
        assert_eq!(self.heard().len(), 1);
        assert_eq!(self.session, Some(version));
        self.say(INITIALIZED).is_silent();
        self
    }

    /// Sends a line and lets the server run.
    pub(crate) fn say(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.note(line.as_ref());
        self.pair.send(line.as_ref()).run();
        self
    }

    /// Sends a line without letting the server run.
    pub(crate) fn put(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.note(line.as_ref());
        self.pair.send(line.as_ref());
        self
    }

    /// Asserts that exactly these lines came, and that they follow the schema.
    #[track_caller]
    pub(crate) fn hears<S: AsRef<str>>(&mut self, lines: &[S]) -> &mut Self {
        let lines: Vec<_> = lines.iter().map(AsRef::as_ref).collect();
        assert_eq!(self.heard(), lines, "left came, right was expected");
        self
    }

    #[track_caller]
    pub(crate) fn is_silent(&mut self) -> &mut Self {
        self.hears::<&str>(&[])
    }

    /// Takes the lines that came; they follow the schema.
    #[track_caller]
    pub(crate) fn heard(&mut self) -> Vec<String> {
        let lines = self.pair.take_sent();
        for line in &lines {
            assert!(
                !line.contains('\r') && !line.contains("\"id\":null"),
                "{line}"
            );
            match serde_json::from_str(line).unwrap() {
                Value::Array(members) => {
                    assert_eq!(self.session, Some(ProtocolVersion::V2025_03_26), "{line}");
                    members.iter().for_each(|member| self.check(member));
                }
                message => self.check(&message),
            }
        }
        lines
    }

    /// The result in the only line that came.
    #[track_caller]
    pub(crate) fn result(&mut self) -> Value {
        let lines = self.heard();
        assert_eq!(lines.len(), 1, "{lines:?}");
        let mut message: Value = serde_json::from_str(&lines[0]).unwrap();
        assert!(message["error"].is_null(), "{message}");
        message["result"].take()
    }

    fn note(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let members = match message {
            Value::Array(members) => members,
            message => vec![message],
        };
        for message in members {
            let meta = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
            let version = match meta.as_str() {
                Some(_) => {
                    self.spoke_modern = true;
                    ProtocolVersion::LATEST
                }
                None => self.session.unwrap_or(ProtocolVersion::LATEST_LEGACY),
            };
            if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
                let asked = (method.to_owned(), version);
                // The first of two requests of one id is the one that is answered.
                self.asked.entry(id.to_string()).or_insert(asked);
            }
        }
    }

    fn check(&mut self, message: &Value) {
        if let Some(result) = message.get("result") {
            let (method, mut version) = self
                .asked
                .remove(&message["id"].to_string())
                .unwrap_or_else(|| panic!("an answer to nothing: {message}"));
            if method == "initialize" {
                let named = result["protocolVersion"].as_str().unwrap();
                version = ProtocolVersion::parse(named).unwrap();
                self.session = Some(version);
            }
            schemas::check(version, "JSONRPCResponse", message);
            let definition = if result["resultType"] == "input_required" {
                "InputRequiredResult"
            } else {
                schemas::result_of(&method)
            };
            schemas::check(version, definition, result);
            return;
        }
        let definition = match (message.get("error"), message.get("id")) {
            (Some(_), _) => "an error",
            (None, Some(_)) => "ServerRequest",
            (None, None) => "ServerNotification",
        };
        let asked = message
            .get("id")
            .filter(|_| message.get("error").is_some())
            .and_then(|id| self.asked.remove(&id.to_string()));
        let versions = match asked {
            Some((_, version)) => vec![version],
            None => {
                let modern = (self.spoke_modern || self.session.is_none())
                    .then_some(ProtocolVersion::LATEST);
                modern.into_iter().chain(self.session).collect()
            }
        };
        schemas::check_any(&versions, definition, message);
    }
}

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

pub(crate) fn initialize(id: &str, version: &str) -> String {
    initialize_as(id, version, "{}")
}

fn initialize_as(id: &str, version: &str, capabilities: &str) -> String {
    request(
        format!("\"{id}\""),
        "initialize",
        &format!(
            r#""protocolVersion":"{version}","capabilities":{capabilities},"clientInfo":{{"name":"t","version":"0"}}"#
        ),
    )
}

/// A request of 2026-07-28 by a client of these capabilities.
pub(crate) fn modern_as(
    id: impl Display,
    capabilities: &str,
    method: &str,
    members: &str,
) -> String {
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    let declared = format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#);
    let members = format!(r#"{members},"_meta":{{{version},{declared}}}"#);
    request(id, method, &members)
}

/// A request of the session: `id` is JSON, `members` those of its params.
pub(crate) fn request(id: impl Display, method: &str, members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{members}}}}}"#)
}

/// A request of 2026-07-28 whose `_meta` holds these members too, unless there are none.
pub(crate) fn modern_with(id: impl Display, method: &str, members: &str, meta: &str) -> String {
    let comma = |text: &str| if text.is_empty() { "" } else { "," };
    let members = format!(
        r#"{members}{}"_meta":{{{MODERN}{}{meta}}}"#,
        comma(members),
        comma(meta)
    );
    request(id, method, &members)
}

pub(crate) fn modern(id: impl Display, method: &str, members: &str) -> String {
    modern_with(id, method, members, "")
}

pub(crate) fn call(id: impl Display, name: &str, arguments: &str) -> String {
    request(
        id,
        "tools/call",
        &format!(r#""name":"{name}","arguments":{arguments}"#),
    )
}

pub(crate) fn modern_call(id: impl Display, name: &str, arguments: &str) -> String {
    modern(
        id,
        "tools/call",
        &format!(r#""name":"{name}","arguments":{arguments}"#),
    )
}

pub(crate) fn cancel(id: impl Display) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

/// A result of a legacy session.
pub(crate) fn result(id: impl Display, members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{members}}}}}"#)
}

/// A result of 2026-07-28.
pub(crate) fn modern_result(id: impl Display, members: &str) -> String {
    result(
        id,
        &format!(r#"{members},"resultType":"complete",{SERVER_INFO}"#),
    )
}

/// The result of a tool: one text.
pub(crate) fn text(id: impl Display, text: &str) -> String {
    result(id, &text_members(text))
}

pub(crate) fn modern_text(id: impl Display, text: &str) -> String {
    modern_result(id, &text_members(text))
}

pub(crate) fn text_members(text: &str) -> String {
    let text = Value::from(text);
    format!(r#""content":[{{"type":"text","text":{text}}}]"#)
}

/// The result of a tool that failed.
pub(crate) fn failure(id: impl Display, text: &str) -> String {
    result(id, &format!(r#"{},"isError":true"#, text_members(text)))
}

pub(crate) fn modern_failure(id: impl Display, text: &str) -> String {
    modern_result(id, &format!(r#"{},"isError":true"#, text_members(text)))
}

pub(crate) fn error(id: impl Display, code: i64, message: &str) -> String {
    let message = Value::from(message);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
}

pub(crate) fn error_without_id(code: i64, message: &str) -> String {
    let message = Value::from(message);
    format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":{message}}}}}"#)
}
