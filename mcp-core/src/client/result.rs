//! Reads results. Those of tools may be long, so their text is copied once.

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::jsonrpc::{Scanner, SyntaxError, unescape};
use crate::protocol::{
    CallToolResult, ContentBlock, InputRequiredResult, RawJson, ResultType, TextContent,
};

/// What a server has answered a request with that it may answer in rounds.
pub(super) enum Outcome<T> {
    Complete(T),
    InputRequired(Box<InputRequiredResult>),
}

/// A result that is read from its JSON text.
pub(super) trait Read: Sized {
    /// Reads it. Only some revisions have results of several kinds.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    fn read(text: &str, has_kinds: bool) -> Result<Outcome<Self>, String>;
}

/// Reads the text as serde does.
pub(super) struct Plain<T>(pub(super) T);

impl<T: DeserializeOwned> Read for Plain<T> {
    fn read(text: &str, has_kinds: bool) -> Result<Outcome<Self>, String> {
        if has_kinds && !is_complete(kind(text)?.as_ref())? {
            return required(text);
        }
        let read = serde_json::from_str(text).map(Self);
        read.map(Outcome::Complete).map_err(fault)
    }
}

/// Reads a result.
pub(super) fn read<T: Read>(result: &Bytes, has_kinds: bool) -> Result<Outcome<T>, String> {
    // The frame that it is a part of was scanned, so this is what it is.
    let text = std::str::from_utf8(result).map_err(|_| "it is not UTF-8".to_owned())?;
    T::read(text, has_kinds)
}

/// False for a result that asks for input; an error for one of a kind that nobody knows.
fn is_complete(kind: Option<&ResultType>) -> Result<bool, String> {
    match kind {
        None | Some(ResultType::Complete) => Ok(true),
        Some(ResultType::InputRequired) => Ok(false),
        Some(ResultType::Other(kind)) => {
            let shown: String = kind.chars().take(40).collect();
            Err(format!("it is a result of the unknown kind {shown:?}"))
        }
    }
}

fn required<T>(text: &str) -> Result<Outcome<T>, String> {
    let required = serde_json::from_str(text).map_err(fault)?;
    Ok(Outcome::InputRequired(Box::new(required)))
}

/// The kind that a result says it is of.
fn kind(text: &str) -> Result<Option<ResultType>, String> {
    let mut kind = None;
    let scanned = Scanner::new(text).object(|key, value| {
        if key == "resultType" {
            kind = Some(value);
        }
        Ok(())
    });
    if scanned.is_err() {
        return Err("it is no object".to_owned());
    }
    match kind {
        None | Some("null") => Ok(None),
        Some(kind) => {
            (serde_json::from_str(kind).map(Some)).map_err(|_| "its kind is no string".to_owned())
        }
    }
}

impl Read for CallToolResult {
    fn read(text: &str, has_kinds: bool) -> Result<Outcome<Self>, String> {
        let mut result = Self::new([]);
        let mut wrong = None;
        let mut scanner = Scanner::new(text);
        let scanned = members(&mut scanner, &mut result, &mut wrong);
        if scanned.is_err() {
            return Err("it is no object".to_owned());
        }
        // What asks for input has no content, and need not look like a result of a tool in anything else.
        if has_kinds && !is_complete(result.result_type.as_ref())? {
            return required(text);
        }
        match wrong {
            None => Ok(Outcome::Complete(result)),
            Some(fault) => Err(fault),
        }
    }
}

/// Reads the members of a tool's result, in one walk over the text.
fn members(
    scanner: &mut Scanner<'_>,
    result: &mut CallToolResult,
    wrong: &mut Option<String>,
) -> Result<(), SyntaxError> {
    let mut walk = scanner.begin_object()?;
    while let Some(key) = scanner.key(&mut walk)? {
        if key == "content" && scanner.peek() == Some(b'[') {
            scanner.array_of(|scanner| {
                match block(scanner)? {
                    Ok(block) => result.content.push(block),
                    Err(fault) => {
                        wrong.get_or_insert(fault);
                    }
                }
                Ok(())
            })?;
            continue;
        }
        let value = scanner.value()?;
        let read = match &*key {
            // Some languages write an empty list so.
            "content" if value == "null" => Ok(()),
            "content" => Err("`content` is no list".to_owned()),
            "structuredContent" => value.parse().map_err(fault).map(|value: RawJson| {
                result.structured_content = Some(value);
            }),
            "isError" => {
                result.is_error = serde_json::from_str(value).unwrap_or_default();
                Ok(())
            }
            "resultType" => serde_json::from_str(value).map_err(fault).map(|kind| {
                result.result_type = kind;
            }),
            "_meta" => {
                result.meta = serde_json::from_str(value).unwrap_or_default();
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(fault) = read {
            wrong.get_or_insert(fault);
        }
    }
    Ok(())
}

/// Reads one block of content. Text is what most are.
fn block(scanner: &mut Scanner<'_>) -> Result<Result<ContentBlock, String>, SyntaxError> {
    let mut ahead = scanner.clone();
    if ahead.skip_text(r#"{"type":"text","text":"#)
        && let Ok(text) = ahead.value()
        && ahead.skip_text("}")
        && let Ok(text) = unescape(text)
    {
        *scanner = ahead;
        return Ok(Ok(ContentBlock::Text(TextContent::new(text.into_owned()))));
    }
    let text = scanner.value()?;
    Ok(serde_json::from_str(text).map_err(fault))
}

fn fault(fault: serde_json::Error) -> String {
    fault.to_string()
}

/// The elements of a list. Those that can't be read are left out: one bad tool does not spoil a list.
pub(super) fn elements<T: DeserializeOwned>(
    list: &str,
    accepts: impl Fn(&T) -> bool,
) -> Result<Vec<T>, String> {
    if list == "null" {
        return Ok(Vec::new());
    }
    let mut elements = Vec::new();
    let mut skipped = 0;
    let scanned = Scanner::new(list).array(|element| {
        match serde_json::from_str(element) {
            Ok(element) if accepts(&element) => elements.push(element),
            _ => skipped += 1,
        }
        Ok(())
    });
    if scanned.is_err() {
        return Err("the list is none".to_owned());
    }
    if skipped > 0 {
        crate::diagnostics::skipped("elements of a list that can't be read", skipped);
    }
    Ok(elements)
}

/// What was read of a page of a list, beside its elements.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageFacts {
    #[serde(default)]
    pub(super) next_cursor: Option<crate::protocol::Cursor>,
    #[serde(default, deserialize_with = "lenient_u64")]
    pub(super) ttl_ms: Option<u64>,
}

fn lenient_u64<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let raw = RawJson::deserialize(deserializer)?;
    Ok(raw.parse().ok())
}
