//! Replies written as the revision of their call wants them. What a revision does not have is not sent on it.

use serde_json::Value;

use super::facts::ServerFacts;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId, Scanner, write_json, write_string};
use crate::protocol::{CallToolResult, ContentBlock, Meta, ProtocolVersion, RawJson, as_value};
use crate::server::{Outcome, Reply};

/// What a model reads when a handler panicked: nothing of the panic's text, which may name anything.
const PANICKED: &str = "The tool failed unexpectedly.";

/// Writes results and errors for one call.
pub(super) struct Answer<'s> {
    pub(super) id: &'s RequestId,
    pub(super) version: ProtocolVersion,
    pub(super) facts: &'s ServerFacts,
}

impl Answer<'_> {
    pub(super) fn reply(&self, out: &mut Vec<u8>, reply: Reply) {
        let start = out.len();
        self.begin(out);
        let members = out.len();
        match write_members(out, reply, self.version) {
            Ok(meta) => self.end(out, members, &meta),
            Err(error) => {
                out.truncate(start);
                jsonrpc::write_error(out, Some(self.id), &error);
            }
        }
    }

    /// A result whose members `write` writes; those that the revision adds to every result are added.
    pub(super) fn result(&self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.begin(out);
        let members = out.len();
        write(out);
        self.end(out, members, &[]);
    }

    fn begin(&self, out: &mut Vec<u8>) {
        jsonrpc::begin_result(out, self.id);
        out.push(b'{');
    }

    /// `members` is where the members of the result began; `meta` holds members of `_meta`, without braces.
    fn end(&self, out: &mut Vec<u8>, members: usize, meta: &[u8]) {
        let modern = self.version.has_result_type();
        if (modern || !meta.is_empty()) && out.len() > members {
            out.push(b',');
        }
        if modern {
            out.extend_from_slice(br#""resultType":"complete","_meta":{"#);
            out.extend_from_slice(meta);
            if !meta.is_empty() {
                out.push(b',');
            }
            out.extend_from_slice(&self.facts.server_info);
            out.push(b'}');
        } else if !meta.is_empty() {
            out.extend_from_slice(br#""_meta":{"#);
            out.extend_from_slice(meta);
            out.push(b'}');
        }
        out.push(b'}');
        jsonrpc::end(out);
    }
}

/// The result object of a reply, without what the session adds to every result.
pub(crate) fn encode(reply: Reply, version: ProtocolVersion) -> Result<RawJson, ErrorObject> {
    let mut out = vec![b'{'];
    let meta = write_members(&mut out, reply, version)?;
    if !meta.is_empty() {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(br#""_meta":{"#);
        out.extend_from_slice(&meta);
        out.push(b'}');
    }
    out.push(b'}');
    String::from_utf8(out)
        .ok()
        .and_then(|text| RawJson::try_from(text).ok())
        .ok_or_else(|| ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the reply is not JSON"))
}

/// Writes the members of a result, all but `_meta`, whose members are returned.
fn write_members(
    out: &mut Vec<u8>,
    reply: Reply,
    version: ProtocolVersion,
) -> Result<Vec<u8>, ErrorObject> {
    match reply.0 {
        Outcome::Text(text) => write_text_result(out, &text, false),
        Outcome::Result(result) => {
            let wraps =
                (result.structured_content.as_ref()).is_some_and(|value| !value.is_object());
            write_tool_result(out, &result, version, wraps);
            return Ok(meta_members(&result.meta));
        }
        Outcome::Wrapped(result) => {
            write_tool_result(out, &result, version, true);
            return Ok(meta_members(&result.meta));
        }
        Outcome::Panicked => write_text_result(out, PANICKED, true),
        Outcome::Error(error) => return Err(*error),
        Outcome::Members(members) => out.extend_from_slice(&members),
        Outcome::Encoded(result) => return write_encoded(out, &result),
        Outcome::InvalidArguments(errors) => {
            let text = errors.to_string();
            if !version.argument_errors_are_results() {
                let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, text);
                return Err(error.with_data(errors.to_value()));
            }
            write_text_result(out, &text, true);
        }
    }
    Ok(Vec::new())
}

/// Not who the server is: that is ours to say, and a result that is passed on has the name of another.
fn meta_members(meta: &Meta) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, value) in (meta.iter()).filter(|(name, _)| *name != Meta::SERVER_INFO) {
        if !out.is_empty() {
            out.push(b',');
        }
        write_string(&mut out, name);
        out.push(b':');
        out.extend_from_slice(value.get().as_bytes());
    }
    out
}

fn write_encoded(out: &mut Vec<u8>, result: &RawJson) -> Result<Vec<u8>, ErrorObject> {
    let mut meta = Meta::new();
    let mut first = true;
    let scanned = Scanner::new(result.get()).object(|key, value| {
        if key == "_meta" {
            meta = serde_json::from_str(value).unwrap_or_default();
            return Ok(());
        }
        // The session says it where the revision has it; twice would be no JSON that everybody reads.
        if key == "resultType" {
            return Ok(());
        }
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        write_string(out, &key);
        out.push(b':');
        out.extend_from_slice(value.as_bytes());
        Ok(())
    });
    scanned
        .map(|()| meta_members(&meta))
        .map_err(|_| ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the result is no object"))
}

fn write_text_result(out: &mut Vec<u8>, text: &str, is_error: bool) {
    out.extend_from_slice(br#""content":["#);
    write_text(out, text);
    out.push(b']');
    if is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
}

/// `wraps` says whether structured content, which is an object up to 2025-11-25, stands under `result` there.
fn write_tool_result(
    out: &mut Vec<u8>,
    result: &CallToolResult,
    version: ProtocolVersion,
    wraps: bool,
) {
    out.extend_from_slice(br#""content":["#);
    let mut blocks = result.content.iter();
    match (blocks.next(), &result.structured_content) {
        // Clients that don't know structured content read the same as text.
        (None, Some(value)) => write_text(out, value.get()),
        (None, None) => {}
        (Some(first), _) => {
            write_block(out, first, version);
            for block in blocks {
                out.push(b',');
                write_block(out, block, version);
            }
        }
    }
    out.push(b']');
    if let Some(value) = &result.structured_content
        && version.has_structured_content()
    {
        out.extend_from_slice(br#","structuredContent":"#);
        if version.wraps_structured_values() && wraps {
            out.extend_from_slice(br#"{"result":"#);
            out.extend_from_slice(value.get().as_bytes());
            out.push(b'}');
        } else {
            out.extend_from_slice(value.get().as_bytes());
        }
    }
    if result.is_error == Some(true) {
        out.extend_from_slice(br#","isError":true"#);
    }
}

fn write_block(out: &mut Vec<u8>, block: &ContentBlock, version: ProtocolVersion) {
    match block {
        ContentBlock::Text(text) if text.annotations.is_none() && text.meta.is_empty() => {
            write_text(out, &text.text);
        }
        ContentBlock::Audio(audio) if !version.has_audio() => {
            let bytes = audio.data.len() / 4 * 3;
            let kind = &audio.mime_type;
            let text = format!(
                "[audio of type {kind}, {bytes} bytes, left out: it needs a newer revision of the protocol]"
            );
            write_text(out, &text);
        }
        ContentBlock::ResourceLink(link) if !version.has_resource_link() => {
            write_text(out, &format!("{}: {}", link.name, link.uri));
        }
        block if version.has_meta_on_objects() => write_json(out, block),
        block => write_json(out, &without_newer_members(block)),
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"text","text":"#);
    write_string(out, text);
    out.push(b'}');
}

/// A block without `_meta` and `lastModified`, which came in 2025-06-18.
fn without_newer_members(block: &ContentBlock) -> Value {
    let mut value = as_value(block);
    if let Value::Object(members) = &mut value {
        members.shift_remove("_meta");
        for inner in ["annotations", "resource"] {
            if let Some(Value::Object(inner)) = members.get_mut(inner) {
                inner.shift_remove("lastModified");
                inner.shift_remove("_meta");
            }
        }
    }
    value
}
