//! What to send, and what must come back.

use std::{error::Error, str::FromStr};

pub(crate) struct Load {
    pub(crate) what: What,
    /// Bytes of text, milliseconds of sleep, notifications, tools or resources expected in the list, or families of
    /// resources, of which the last is read.
    pub(crate) size: usize,
    pub(crate) depth: usize,
    pub(crate) modern: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Echo,
    /// An echo whose text is full of quotes, line breaks and letters outside ASCII.
    Escapes,
    Add,
    Sleep,
    Progress,
    Big,
    List,
    /// A resource of a family.
    Read,
    /// The second page of the resources.
    Page,
}

impl FromStr for What {
    type Err = Box<dyn Error>;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Ok(match name {
            "echo" => Self::Echo,
            "escapes" => Self::Escapes,
            "add" => Self::Add,
            "sleep" => Self::Sleep,
            "progress" => Self::Progress,
            "big" => Self::Big,
            "list" => Self::List,
            "read" => Self::Read,
            "page" => Self::Page,
            _ => return Err(format!("there is no call {name}").into()),
        })
    }
}

/// What a result must hold.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Text(String),
    Tools(usize),
    Contents(String),
    Resources(usize),
}

/// A request as text, cut where its id goes (a progress token is the id too).
pub(crate) struct Request {
    parts: Vec<Vec<u8>>,
}

/// What every modern request says of itself.
const MODERN_META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"load","version":"1.0.0"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}"#
);

/// Stands for the id while a request is written; no other number in a request looks like it.
const HOLE: u64 = 7_070_707_070_707_070_707;

impl Request {
    /// Text and not a tree, for the order in which clients write: the id, the method, then the params, name first.
    fn new(method: &str, params: &str) -> Self {
        let text =
            format!(r#"{{"jsonrpc":"2.0","id":{HOLE},"method":"{method}","params":{params}}}"#);
        let hole = HOLE.to_string();
        let parts = text
            .split(&hole)
            .map(|part| part.as_bytes().to_vec())
            .collect();
        Self { parts }
    }

    pub(crate) fn write(&self, id: u64, out: &mut Vec<u8>) {
        let id = id.to_string();
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(id.as_bytes());
            }
            out.extend_from_slice(part);
        }
        out.push(b'\n');
    }
}

impl Load {
    pub(crate) fn request(&self) -> Request {
        let arguments = match self.what {
            What::Echo | What::Escapes => format!(r#"{{"text":"{}"}}"#, self.encoded_text()),
            What::Add => r#"{"a":2.5,"b":3.25}"#.into(),
            What::Sleep => format!(r#"{{"ms":{}}}"#, self.size),
            What::Progress => format!(r#"{{"n":{}}}"#, self.size),
            What::Big => format!(r#"{{"bytes":{}}}"#, self.size),
            What::List => return Request::new("tools/list", &object(&[self.meta()])),
            What::Page => return Request::new("resources/list", &object(&[self.meta()])),
            What::Read => {
                let last = self.size.saturating_sub(1);
                let uri = format!(r#""uri":"bench://family/{last:05}/7""#);
                return Request::new("resources/read", &object(&[uri, self.meta()]));
            }
        };
        let name = format!(r#""name":"{}""#, self.tool());
        let arguments = format!(r#""arguments":{arguments}"#);
        Request::new("tools/call", &object(&[name, arguments, self.meta()]))
    }

    /// The request for the page after this one.
    pub(crate) fn next_page(&self, first: &serde_json::Value) -> Request {
        let cursor = format!(r#""cursor":{}"#, first["result"]["nextCursor"]);
        Request::new("resources/list", &object(&[cursor, self.meta()]))
    }

    /// What the answers must hold.
    pub(crate) fn expected(&self) -> serde_json::Result<Expected> {
        Ok(match self.what {
            What::Echo | What::Escapes => {
                let literal = format!("\"{}\"", self.encoded_text());
                Expected::Text(serde_json::from_str(&literal)?)
            }
            // Written alike whether a server prints a number or serialises it.
            What::Add => Expected::Text("5.75".into()),
            What::Sleep => Expected::Text("slept".into()),
            What::Progress => Expected::Text("done".into()),
            What::Big => Expected::Text("x".repeat(self.size)),
            What::List => Expected::Tools(self.size),
            What::Read => Expected::Contents("7".into()),
            What::Page => Expected::Resources(self.size),
        })
    }

    /// The notifications that each call must send before its answer.
    pub(crate) fn events(&self) -> u64 {
        if self.what == What::Progress {
            self.size as u64
        } else {
            0
        }
    }

    /// The first request of a conversation.
    pub(crate) fn greeting(&self) -> Request {
        if self.modern {
            return Request::new(
                "server/discover",
                &object(&[format!(r#""_meta":{{{MODERN_META}}}"#)]),
            );
        }
        Request::new(
            "initialize",
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"load","version":"1.0.0"}}"#,
        )
    }

    /// What follows the answer to the greeting.
    pub(crate) fn after_greeting(&self) -> &'static [u8] {
        if self.modern {
            b""
        } else {
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        }
    }

    fn tool(&self) -> &'static str {
        match self.what {
            What::Echo | What::Escapes | What::List | What::Read | What::Page => "echo",
            What::Add => "add",
            What::Sleep => "sleep",
            What::Progress => "progress",
            What::Big => "big",
        }
    }

    /// The text as it stands between the quotes of its JSON string: `size` letters, or whole escapes of `size` bytes or
    /// a little more.
    fn encoded_text(&self) -> String {
        if self.what == What::Escapes {
            const UNIT: &str = r#"line \"q\"\n\u00e9😀\\ "#;
            return UNIT.repeat(self.size.div_ceil(UNIT.len()));
        }
        "abcdefghijklmnopqrst"
            .chars()
            .cycle()
            .take(self.size)
            .collect()
    }

    /// The `_meta` member of the params, or nothing.
    fn meta(&self) -> String {
        let mut members = Vec::new();
        if self.what == What::Progress {
            members.push(format!(r#""progressToken":{HOLE}"#));
        }
        if self.modern {
            members.push(MODERN_META.into());
        }
        match members.is_empty() {
            true => String::new(),
            false => format!(r#""_meta":{}"#, object(&members)),
        }
    }
}

/// An object of the members that are not empty.
fn object(members: &[String]) -> String {
    let members: Vec<&str> = members
        .iter()
        .map(String::as_str)
        .filter(|member| !member.is_empty())
        .collect();
    format!("{{{}}}", members.join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn load(what: What, size: usize, modern: bool) -> Load {
        Load {
            what,
            size,
            depth: 1,
            modern,
        }
    }

    fn written(load: &Load, id: u64) -> Value {
        let mut out = Vec::new();
        load.request().write(id, &mut out);
        assert_eq!(out.pop(), Some(b'\n'));
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn a_request_carries_its_id_and_its_progress_token() {
        let request = written(&load(What::Progress, 3, false), 41);
        assert_eq!(request["id"], 41);
        assert_eq!(request["params"]["_meta"], json!({"progressToken": 41}));
        assert_eq!(request["params"]["arguments"], json!({"n": 3}));
    }

    #[test]
    fn a_modern_request_names_its_revision() {
        let request = written(&load(What::List, 5, true), 1);
        assert_eq!(
            request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28"
        );
    }

    #[test]
    fn the_last_family_is_read_and_the_page_after_the_first_asked_for() {
        let read = written(&load(What::Read, 1000, false), 1);
        assert_eq!(read["params"], json!({"uri": "bench://family/00999/7"}));
        let page = load(What::Page, 100, false);
        assert_eq!(written(&page, 1)["params"], json!({}));
        let first = json!({"result": {"nextCursor": "a\"b"}});
        let mut out = Vec::new();
        page.next_page(&first).write(2, &mut out);
        let next: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(next["params"], json!({"cursor": "a\"b"}));
    }

    #[test]
    fn texts_have_the_size_asked_for() {
        assert_eq!(load(What::Echo, 33, false).encoded_text().len(), 33);
        let escapes = load(What::Escapes, 1000, false);
        assert!((1000..1030).contains(&escapes.encoded_text().len()));
        let Expected::Text(text) = escapes.expected().unwrap() else {
            panic!("an echo gives its text");
        };
        assert!(text.starts_with("line \"q\"\n\u{e9}"));
        assert_eq!(written(&escapes, 1)["params"]["arguments"]["text"], text);
    }
}
