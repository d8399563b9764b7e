//! What a schema may hold, so that it can be compiled in bounded time and room.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{refs, walk};
use crate::client::shown::shown;
use crate::protocol::RawJson;

/// The text of a schema. Those of whole APIs are smaller.
const MAX_SCHEMA: usize = 256 << 10;
/// The text of a content. It takes many times its length as a tree.
const MAX_CONTENT: usize = 4 << 20;
/// Regular expressions in a schema. Each may take as much room as all others.
const MAX_PATTERNS: usize = 64;
/// The parts of what all references of a schema stand for, each spelling of one counted by itself, since it is compiled by itself.
const MAX_REFERENCED: usize = 50_000;

/// Refuses what is too long to be read.
pub(super) fn sizes(schema: &RawJson, content: &RawJson) -> Result<(), String> {
    if schema.get().len() > MAX_SCHEMA {
        return Err(format!("the schema is longer than {MAX_SCHEMA} bytes"));
    }
    if content.get().len() > MAX_CONTENT {
        return Err(format!("the content is longer than {MAX_CONTENT} bytes"));
    }
    Ok(())
}

/// Refuses what can't be compiled in bounded time, and finds what the references of a schema stand for.
pub(super) fn parts(schema: &Value) -> Result<References<'_>, String> {
    let mut parts = Parts {
        root: schema,
        is_draft4: (schema.get("$schema").and_then(Value::as_str))
            .is_some_and(|name| name.contains("draft-04")),
        references: References::new(),
        referenced: 0,
        patterns: 0,
        is_written_out: false,
    };
    parts.look_at(schema)?;
    if parts.is_written_out && walk::is_long_written_out(schema, &parts.references) {
        return Err("its `unevaluated` keywords stand over too many others".to_owned());
    }
    Ok(parts.references)
}

/// What stands behind each reference.
pub(super) type References<'s> = HashMap<&'s str, &'s Value>;

/// What there is in a schema, wherever it stands: a reference may make a part of it count that is none by its place.
struct Parts<'s> {
    root: &'s Value,
    is_draft4: bool,
    references: References<'s>,
    referenced: usize,
    patterns: usize,
    is_written_out: bool,
}

impl<'s> Parts<'s> {
    fn look_at(&mut self, value: &'s Value) -> Result<(), String> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.look_at(item)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.member(name, value, std::ptr::eq(members, self.root_members()))?;
                    self.look_at(value)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn root_members(&self) -> *const Map<String, Value> {
        self.root.as_object().map_or(std::ptr::null(), |root| root)
    }

    fn member(&mut self, name: &str, value: &'s Value, is_root: bool) -> Result<(), String> {
        match (name, value) {
            ("$ref", Value::String(reference)) => self.reference(reference)?,
            ("$dynamicRef" | "$recursiveRef", Value::String(_)) => {
                return Err("its references are not all known before it is used".to_owned());
            }
            // References would be relative to it.
            ("$id" | "$schema", Value::String(_)) if !is_root => {
                return Err("it has another schema in it, with a name of its own".to_owned());
            }
            ("id", Value::String(_)) if self.is_draft4 && !is_root => {
                return Err("it has another schema in it, with a name of its own".to_owned());
            }
            ("pattern", Value::String(_)) => self.patterns += 1,
            ("patternProperties", Value::Object(patterns)) => self.patterns += patterns.len(),
            ("unevaluatedProperties" | "unevaluatedItems", _) => self.is_written_out = true,
            _ => {}
        }
        if self.patterns > MAX_PATTERNS {
            return Err(format!(
                "it has more than {MAX_PATTERNS} regular expressions"
            ));
        }
        Ok(())
    }

    fn reference(&mut self, reference: &'s str) -> Result<(), String> {
        if self.references.contains_key(reference) {
            return Ok(());
        }
        let Some(target) = refs::target(self.root, reference) else {
            let shown = shown(reference, 200);
            return Err(format!(
                "it refers to {shown:?}, and only places within it are looked up"
            ));
        };
        self.references.insert(reference, target);
        self.referenced += size(target);
        if self.referenced > MAX_REFERENCED {
            return Err("its references stand for too much".to_owned());
        }
        Ok(())
    }
}

/// So many values.
pub(super) fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}
