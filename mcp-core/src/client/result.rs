//! Reads results. Those of tools may be long, so their text is copied once.

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::jsonrpc::{Scanner, unescape};
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
    /// # Errors
    ///
    /// What is wrong with the text.
    fn read(text: &str) -> Result<Self, String>;
}

/// Reads the text as serde does.
pub(super) struct Plain<T>(pub(super) T);

impl<T: DeserializeOwned> Read for Plain<T> {
    fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(Self).map_err(fault)
    }
}

/// Reads a result of a kind that says what it is. Only some revisions have such kinds.
pub(super) fn read<T: Read>(result: &Bytes, has_kinds: bool) -> Result<Outcome<T>, String> {
    // The frame that it is a part of was scanned, so this is what it is.
    let text = std::str::from_utf8(result).map_err(|_| "it is not UTF-8".to_owned())?;
    if has_kinds {
        match kind(text)? {
            None | Some(ResultType::Complete) => {}
            Some(ResultType::InputRequired) => {
                let required = serde_json::from_str(text).map_err(fault)?;
                return Ok(Outcome::InputRequired(Box::new(required)));
            }
            Some(ResultType::Other(kind)) => {
                let shown: String = kind.chars().take(40).collect();
                return Err(format!("it is a result of the unknown kind {shown:?}"));
            }
        }
    }
    T::read(text).map(Outcome::Complete)
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
    fn read(text: &str) -> Result<Self, String> {
        let mut result = Self::new([]);
        let mut wrong = None;
        let scanned = Scanner::new(text).object(|key, value| {
            let read = match &*key {
                "content" => blocks(value).map(|blocks| result.content = blocks),
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
            Ok(())
        });
        match (scanned, wrong) {
            (Ok(()), None) => Ok(result),
            (Ok(()), Some(fault)) => Err(fault),
            (Err(_), _) => Err("it is no object".to_owned()),
        }
    }
}

fn blocks(text: &str) -> Result<Vec<ContentBlock>, String> {
    // Some languages write an empty list so.
    if text == "null" {
        return Ok(Vec::new());
    }
    let mut blocks = Vec::new();
    let mut wrong = None;
    let scanned = Scanner::new(text).array(|element| {
        match block(element) {
            Ok(block) => blocks.push(block),
            Err(fault) => {
                wrong.get_or_insert(fault);
            }
        }
        Ok(())
    });
    match (scanned, wrong) {
        (Ok(()), None) => Ok(blocks),
        (Ok(()), Some(fault)) => Err(fault),
        (Err(_), _) => Err("`content` is no list".to_owned()),
    }
}

fn block(text: &str) -> Result<ContentBlock, String> {
    let mut is_text = false;
    let mut says = None;
    let mut has_more = false;
    let scanned = Scanner::new(text).object(|key, value| {
        match &*key {
            "type" => is_text = value == r#""text""#,
            "text" if says.is_none() => says = Some(value),
            _ => has_more = true,
        }
        Ok(())
    });
    if scanned.is_ok()
        && is_text
        && !has_more
        && let Some(Ok(says)) = says.map(unescape)
    {
        return Ok(ContentBlock::Text(TextContent::new(says.into_owned())));
    }
    serde_json::from_str(text).map_err(fault)
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
