//! Requests as they are written.

use super::pending::Patience;
use crate::jsonrpc::{self, write_json, write_string};
use crate::protocol::Meta;

/// A request to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'a> {
    pub(crate) method: &'a str,
    /// Whether the method is known to stand in JSON as it is.
    pub(crate) is_plain: bool,
    /// The JSON text of an object without `_meta`.
    pub(crate) params: &'a [u8],
    /// Members of `_meta` of the caller's own, without braces.
    pub(crate) meta: &'a [u8],
    /// Headers that repeat arguments, where requests have headers.
    pub(crate) headers: &'a [(String, String)],
    /// `None` for what may take any time.
    pub(crate) patience: Option<Patience>,
    /// Whether progress is asked for, which extends the deadline.
    pub(crate) asks_progress: bool,
    /// Whether whoever waits wants to see it, too.
    pub(crate) shows_progress: bool,
}

impl<'a> Outline<'a> {
    pub(crate) const fn new(method: &'a str, params: &'a [u8], patience: Option<Patience>) -> Self {
        Self {
            method,
            is_plain: false,
            params,
            meta: &[],
            headers: &[],
            patience,
            asks_progress: false,
            shows_progress: false,
        }
    }

    /// Writes the frame. `facts` are the members of `_meta` that every request has.
    pub(super) fn write(&self, out: &mut Vec<u8>, id: u64, facts: &[u8]) {
        out.reserve(self.params.len() + facts.len() + self.meta.len() + 128);
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        write_json(out, &id);
        out.extend_from_slice(br#","method":"#);
        if self.is_plain {
            out.push(b'"');
            out.extend_from_slice(self.method.as_bytes());
            out.push(b'"');
        } else {
            write_string(out, self.method);
        }
        let has_meta = self.asks_progress || !facts.is_empty() || !self.meta.is_empty();
        // Without its closing brace.
        let members = self.params.strip_suffix(b"}").unwrap_or(b"{");
        if has_meta || members.len() > 1 {
            out.extend_from_slice(br#","params":"#);
            out.extend_from_slice(members);
            if has_meta {
                self.write_meta(out, id, facts, members.len() > 1);
            }
            out.push(b'}');
        }
        jsonrpc::end(out);
    }

    fn write_meta(&self, out: &mut Vec<u8>, id: u64, facts: &[u8], follows: bool) {
        out.extend_from_slice(if follows {
            br#","_meta":{"#
        } else {
            br#""_meta":{"#
        });
        let start = out.len();
        out.extend_from_slice(facts);
        separate(out, start, self.meta);
        out.extend_from_slice(self.meta);
        if self.asks_progress {
            separate(out, start, b"p");
            write_string(out, Meta::PROGRESS_TOKEN);
            out.push(b':');
            write_json(out, &id);
        }
        out.push(b'}');
    }
}

/// A comma between members, where there are some on both sides.
fn separate(out: &mut Vec<u8>, start: usize, next: &[u8]) {
    if out.len() > start && !next.is_empty() {
        out.push(b',');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(outline: Outline<'_>, facts: &str) -> String {
        let mut out = Vec::new();
        outline.write(&mut out, 7, facts.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn params_are_left_out_where_there_are_none() {
        let outline = Outline::new("ping", b"{}", None);
        let bare = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
        assert_eq!(written(outline, ""), format!("{bare}\n"));
        let modern = r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"a":1}}}"#;
        assert_eq!(written(outline, r#""a":1"#), format!("{modern}\n"));
    }

    #[test]
    fn what_everybody_says_of_a_request_is_in_one_meta() {
        let outline = Outline {
            meta: br#""b":2"#,
            asks_progress: true,
            ..Outline::new("m", br#"{"x":{}}"#, None)
        };
        let line = r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":{},"_meta":{"a":1,"b":2,"progressToken":7}}}"#;
        assert_eq!(written(outline, r#""a":1"#), format!("{line}\n"));
        let line = r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":{},"_meta":{"b":2,"progressToken":7}}}"#;
        assert_eq!(written(outline, ""), format!("{line}\n"));
    }
}
