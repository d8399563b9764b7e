//! Replies written as the revision of their call wants them. What a revision does not have is not sent on it.

use serde_json::Value;

use super::facts::ServerFacts;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId, Scanner, write_json, write_string};
use crate::protocol::{
    CallToolResult, ContentBlock, GetPromptResult, Meta, ProtocolVersion, RawJson,
    ResourceContents, as_value,
};
use crate::server::{InputRequired, Outcome, Reply};

/// What a model reads when a handler panicked: nothing of the panic's text, which may name anything.
const PANICKED: &str = "The tool failed unexpectedly.";

/// Writes results and errors for one call.
pub(super) struct Answer<'s> {
    pub(super) id: &'s RequestId,
    pub(super) version: ProtocolVersion,
    pub(super) facts: &'s ServerFacts,
}

impl Answer<'_> {
    /// Says which error it came to, if any.
    pub(super) fn reply(&self, out: &mut Vec<u8>, reply: Reply) -> Option<ErrorCode> {
        let start = out.len();
        self.begin(out);
        let members = out.len();
        match write_members(out, reply, self.version) {
            Ok(extra) => {
                self.end(out, members, &extra);
                None
            }
            Err(mut error) => {
                out.truncate(start);
                error.code = self.version.error_code(error.code);
                jsonrpc::write_error(out, Some(self.id), &error);
                Some(error.code)
            }
        }
    }

    /// A result whose members `write` writes; those that the revision adds to every result are added.
    pub(super) fn result(&self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.begin(out);
        let members = out.len();
        write(out);
        self.end(out, members, &Extra::default());
    }

    fn begin(&self, out: &mut Vec<u8>) {
        jsonrpc::begin_result(out, self.id);
        out.push(b'{');
    }

    /// `members` is where the members of the result began.
    fn end(&self, out: &mut Vec<u8>, members: usize, extra: &Extra) {
        let modern = self.version.has_result_type();
        if extra.is_cacheable && self.version.has_caching() {
            out.extend_from_slice(&self.facts.caching);
        }
        let meta = &extra.meta;
        if (modern || !meta.is_empty()) && out.len() > members {
            out.push(b',');
        }
        if modern {
            out.extend_from_slice(if extra.needs_input {
                br#""resultType":"input_required","_meta":{"#
            } else {
                br#""resultType":"complete","_meta":{"#
            });
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

/// What is written after the members of a result.
#[derive(Default)]
struct Extra {
    /// Members of `_meta`, without braces.
    meta: Vec<u8>,
    /// Whether the revision says how long it may be kept.
    is_cacheable: bool,
    /// Whether it is no complete result.
    needs_input: bool,
}

/// The result object of a reply, without what the session adds to every result.
pub(crate) fn encode(reply: Reply, version: ProtocolVersion) -> Result<RawJson, ErrorObject> {
    let mut out = vec![b'{'];
    let extra = write_members(&mut out, reply, version)?;
    if extra.needs_input {
        // Layers see what kind of result it is, and `write_encoded` sees it again.
        out.extend_from_slice(br#","resultType":"input_required""#);
    }
    if !extra.meta.is_empty() {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(br#""_meta":{"#);
        out.extend_from_slice(&extra.meta);
        out.push(b'}');
    }
    out.push(b'}');
    String::from_utf8(out)
        .ok()
        .and_then(|text| RawJson::try_from(text).ok())
        .ok_or_else(|| ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the reply is not JSON"))
}

/// Writes the members of a result, all but what is returned.
fn write_members(
    out: &mut Vec<u8>,
    reply: Reply,
    version: ProtocolVersion,
) -> Result<Extra, ErrorObject> {
    match reply.0 {
        Outcome::Text(text) => write_text_result(out, &text, false),
        Outcome::Result(result) => {
            let wraps =
                (result.structured_content.as_ref()).is_some_and(|value| !value.is_object());
            write_tool_result(out, &result, version, wraps);
            return Ok(Extra::of_meta(&result.meta));
        }
        Outcome::Wrapped(result) => {
            write_tool_result(out, &result, version, true);
            return Ok(Extra::of_meta(&result.meta));
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
        Outcome::Prompt(prompt) => {
            write_prompt(out, &prompt, version);
            return Ok(Extra::of_meta(&prompt.meta));
        }
        Outcome::Contents(contents) => {
            write_contents(out, &contents, version);
            return Ok(Extra {
                is_cacheable: true,
                ..Extra::default()
            });
        }
        // Only a reply that no resource gave says so.
        Outcome::NotFound => {
            let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "there is no resource to find");
            return Err(error);
        }
        Outcome::InputRequired(needed) => {
            write_questions(out, &needed);
            return Ok(Extra {
                needs_input: true,
                ..Extra::default()
            });
        }
    }
    Ok(Extra::default())
}

fn write_prompt(out: &mut Vec<u8>, prompt: &GetPromptResult, version: ProtocolVersion) {
    if let Some(description) = &prompt.description {
        out.extend_from_slice(br#""description":"#);
        write_string(out, description);
        out.push(b',');
    }
    out.extend_from_slice(br#""messages":["#);
    for (index, message) in prompt.messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(br#"{"role":"#);
        write_json(out, &message.role);
        out.extend_from_slice(br#","content":"#);
        write_block(out, &message.content, version);
        out.push(b'}');
    }
    out.push(b']');
}

fn write_contents(out: &mut Vec<u8>, contents: &[ResourceContents], version: ProtocolVersion) {
    out.extend_from_slice(br#""contents":["#);
    for (index, part) in contents.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if version.has_meta_on_objects() {
            write_json(out, part);
        } else {
            let mut value = as_value(part);
            if let Value::Object(members) = &mut value {
                members.shift_remove("_meta");
            }
            write_json(out, &value);
        }
    }
    out.push(b']');
}

fn write_questions(out: &mut Vec<u8>, needed: &InputRequired) {
    out.extend_from_slice(br#""inputRequests":{"#);
    for (index, (key, request)) in needed.requests.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_string(out, key);
        out.push(b':');
        out.extend_from_slice(request.get().as_bytes());
    }
    out.push(b'}');
    if let Some(state) = &needed.state {
        out.extend_from_slice(br#","requestState":"#);
        write_string(out, state);
    }
}

impl Extra {
    fn of_meta(meta: &Meta) -> Self {
        Self {
            meta: meta_members(meta),
            ..Self::default()
        }
    }
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

fn write_encoded(out: &mut Vec<u8>, result: &RawJson) -> Result<Extra, ErrorObject> {
    let mut meta = Meta::new();
    let mut needs_input = false;
    let mut is_cacheable = false;
    let mut first = true;
    let scanned = Scanner::new(result.get()).object(|key, value| {
        if key == "_meta" {
            meta = serde_json::from_str(value).unwrap_or_default();
            return Ok(());
        }
        is_cacheable |= key == "contents";
        // The session says it where the revision has it; twice would be no JSON that everybody reads.
        if key == "resultType" {
            needs_input = value == r#""input_required""#;
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
        .map(|()| Extra {
            meta: meta_members(&meta),
            is_cacheable,
            needs_input,
        })
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
