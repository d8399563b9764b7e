//! The tools as they are at one time: made anew when they change, read without a lock by every call.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::invocation::Handler;
use super::layer::DynLayer;
use super::lend::Lent;
use super::tool::ToolDefinition;
use crate::jsonrpc::{ErrorCode, ErrorObject, write_json, write_string};
use crate::protocol::{Meta, ProtocolVersion};
use crate::schema::{ForeignOutput, InputSchema, OutputSchema};

/// A tool, ready to be called and shown.
#[derive(Debug)]
pub(crate) struct ToolEntry {
    /// Its place in the order of registration, never used again.
    pub(super) sequence: u64,
    pub(super) name: Arc<str>,
    pub(super) definition: Arc<ToolDefinition>,
    pub(super) meta: Meta,
    pub(super) description: Option<Cow<'static, str>>,
    pub(super) input: Arc<InputSchema>,
    pub(super) output: Option<Output>,
    pub(super) lent: Arc<Lent>,
    pub(super) layers: Vec<Arc<dyn DynLayer>>,
    pub(super) was_slow: AtomicBool,
}

/// What a tool's structured content is.
#[derive(Clone, Debug)]
pub(super) enum Output {
    Ours(Arc<OutputSchema>),
    Foreign(Arc<ForeignOutput>),
}

impl Output {
    fn json(&self, version: ProtocolVersion) -> &str {
        match self {
            Self::Ours(schema) if version.wraps_structured_values() => schema.json_object(),
            Self::Ours(schema) => schema.json_any(),
            Self::Foreign(schema) => schema.json(),
        }
    }

    /// Revisions before 2026-07-28 know schemas of objects only.
    fn can_be_shown(&self, version: ProtocolVersion) -> bool {
        match self {
            Self::Ours(_) => true,
            Self::Foreign(schema) => !version.wraps_structured_values() || schema.is_object(),
        }
    }
}

impl ToolEntry {
    pub(super) fn handler(&self) -> &dyn Handler {
        &*self.definition.handler
    }

    /// True the first time only.
    pub(crate) fn first_slowness(&self) -> bool {
        !self.was_slow.swap(true, Ordering::Relaxed)
    }

    fn write(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        let mut object = ObjectWriter::begin(out);
        object.text("name", &self.name);
        if version.has_title()
            && let Some(title) = &self.definition.title
        {
            object.text("title", title);
        }
        if let Some(description) = &self.description {
            object.text("description", description);
        }
        object.raw("inputSchema", self.input.json());
        if version.has_structured_content()
            && let Some(output) = &self.output
            && output.can_be_shown(version)
        {
            object.raw("outputSchema", output.json(version));
        }
        let annotations = &self.definition.annotations;
        if version.has_tool_annotations() && *annotations != Default::default() {
            object.json("annotations", annotations);
        }
        if version.has_icons() && !self.definition.icons.is_empty() {
            object.json("icons", &self.definition.icons);
        }
        if version.has_meta_on_objects() && !self.meta.is_empty() {
            object.json("_meta", &self.meta);
        }
        object.end();
    }
}

struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> ObjectWriter<'o> {
    fn begin(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        write_string(self.out, key);
        self.out.push(b':');
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(self.out, text);
    }

    fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.extend_from_slice(json.as_bytes());
    }

    fn json<T: serde::Serialize>(&mut self, key: &str, value: &T) {
        self.key(key);
        write_json(self.out, value);
    }

    fn end(self) {
        self.out.push(b'}');
    }
}

/// The tools at one time.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// In order of registration.
    entries: Vec<Arc<ToolEntry>>,
    by_name: HashMap<Arc<str>, usize>,
    page_size: usize,
    /// The first page, by revision: nearly every list is asked for from the start, and most have one page.
    first_pages: [OnceLock<Bytes>; ProtocolVersion::ALL.len()],
}

impl Table {
    pub(super) fn new(entries: impl Iterator<Item = Arc<ToolEntry>>, page_size: usize) -> Self {
        let entries: Vec<_> = entries.collect();
        let by_name = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (Arc::clone(&entry.name), at))
            .collect();
        Self {
            entries,
            by_name,
            page_size,
            first_pages: Default::default(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Arc<ToolEntry>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// The members of one page of the list.
    pub(super) fn page(
        &self,
        version: ProtocolVersion,
        cursor: Option<&str>,
        caching: &[u8],
    ) -> Result<Bytes, ErrorObject> {
        let Some(cursor) = cursor else {
            let known = ProtocolVersion::ALL
                .iter()
                .position(|known| *known == version);
            let Some(cell) = known.and_then(|at| self.first_pages.get(at)) else {
                return Ok(self.write_page(version, 0, caching));
            };
            let page = cell.get_or_init(|| self.write_page(version, 0, caching));
            return Ok(page.clone());
        };
        let after = read_cursor(cursor)?;
        let start = self
            .entries
            .partition_point(|entry| entry.sequence <= after);
        Ok(self.write_page(version, start, caching))
    }

    fn write_page(&self, version: ProtocolVersion, start: usize, caching: &[u8]) -> Bytes {
        let end = start.saturating_add(self.page_size).min(self.entries.len());
        let page = self.entries.get(start..end).unwrap_or_default();
        let mut out = br#""tools":["#.to_vec();
        for (at, entry) in page.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            entry.write(&mut out, version);
        }
        out.push(b']');
        if let Some(last) = page.last().filter(|_| end < self.entries.len()) {
            out.extend_from_slice(br#","nextCursor":"#);
            write_string(&mut out, &write_cursor(last.sequence));
        }
        if version.has_caching() {
            out.extend_from_slice(caching);
        }
        out.into()
    }
}

/// A cursor names the last tool of its page, so that it stays good while tools come and go.
fn write_cursor(sequence: u64) -> String {
    format!("{sequence:016x}")
}

fn read_cursor(cursor: &str) -> Result<u64, ErrorObject> {
    u64::from_str_radix(cursor, 16)
        .ok()
        // Only what was written is read back: other spellings of a number are no cursors.
        .filter(|sequence| write_cursor(*sequence) == cursor)
        .ok_or_else(|| ErrorObject::new(ErrorCode::INVALID_PARAMS, "no such cursor"))
}
