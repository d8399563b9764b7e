//! What a server has at one time: made anew when it changes, read without a lock by every call.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::callee::Callee;
use super::prompt::PromptEntry;
use super::resource::ResourceEntry;
use super::tool::ToolEntry;
use crate::hash::FoldHasher;
use crate::jsonrpc::{ErrorCode, ErrorObject, write_string};
use crate::protocol::ProtocolVersion;
use crate::protocol::http_headers::HeaderParam;
use crate::uri_template::UriCaptures;
use crate::uri_template::chars::{compared, normalise};
use crate::uri_template::set::TemplateSet;

/// Something that is listed and called.
pub(super) trait Entry {
    fn callee(&self) -> &Arc<Callee>;

    /// Its place in the order of registration, never used again.
    fn sequence(&self) -> u64;

    fn write(&self, out: &mut Vec<u8>, version: ProtocolVersion);
}

/// What may be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl List {
    const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// What its cursors begin with, so that those of another list are told from them.
    const fn letter(self) -> char {
        match self {
            Self::Tools => 't',
            Self::Prompts => 'p',
            Self::Resources => 'r',
            Self::Templates => 'u',
        }
    }
}

/// All that a server has at one time.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(super) tools: Arc<Table<ToolEntry>>,
    pub(super) prompts: Arc<Table<PromptEntry>>,
    pub(super) resources: Arc<Resources>,
}

impl Tables {
    /// The arguments of a tool that clients repeat in headers of HTTP.
    pub(crate) fn header_params(&self, tool: &[u8]) -> &[HeaderParam] {
        let tool = self.tools.find(tool);
        tool.map_or(&[], |tool| tool.callee().header_params())
    }
}

impl Tables {
    /// Whether anything completes its arguments.
    pub(super) fn have_completers(&self) -> bool {
        let prompts = self.prompts.entries.iter().map(|entry| &entry.completers);
        let templates = (self.resources.templates.entries.iter()).map(|entry| &entry.completers);
        prompts
            .chain(templates)
            .any(|completers| !completers.is_empty())
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            tools: Arc::new(Table::new(List::Tools, Vec::new(), usize::MAX)),
            prompts: Arc::new(Table::new(List::Prompts, Vec::new(), usize::MAX)),
            resources: Arc::new(Resources::new(Vec::new(), usize::MAX)),
        }
    }
}

/// A name that is found by its bytes: those of a call need not be checked to be text once more.
#[derive(Debug, PartialEq, Eq)]
struct ByBytes(Arc<str>);

impl Borrow<[u8]> for ByBytes {
    fn borrow(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Hash for ByBytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_bytes().hash(state);
    }
}

/// Entries of one kind at one time.
#[derive(Debug)]
pub(crate) struct Table<E> {
    list: List,
    /// In order of registration.
    entries: Vec<Arc<E>>,
    by_name: HashMap<ByBytes, usize, BuildHasherDefault<FoldHasher>>,
    page_size: usize,
    /// The first page, by revision: nearly every list is asked for from the start, and most have one page.
    first_pages: [OnceLock<Bytes>; ProtocolVersion::ALL.len()],
}

impl<E: Entry> Table<E> {
    pub(super) fn new(list: List, entries: Vec<Arc<E>>, page_size: usize) -> Self {
        let by_name = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (ByBytes(Arc::clone(&entry.callee().name)), at))
            .collect();
        Self {
            list,
            entries,
            by_name,
            page_size,
            first_pages: Default::default(),
        }
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<&Arc<E>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// The members of one page of the list. `shows` leaves entries out; then nothing is kept for the next time.
    pub(super) fn page(
        &self,
        version: ProtocolVersion,
        cursor: Option<&str>,
        caching: &[u8],
        shows: Option<&dyn Fn(&str) -> bool>,
    ) -> Result<Bytes, ErrorObject> {
        let start = match cursor {
            None => 0,
            Some(cursor) => {
                let after = self.read_cursor(cursor)?;
                (self.entries).partition_point(|entry| entry.sequence() <= after)
            }
        };
        let write = || self.write_page(version, start, caching, shows);
        let cell = (cursor.is_none() && shows.is_none())
            .then(|| {
                ProtocolVersion::ALL
                    .iter()
                    .position(|known| *known == version)
            })
            .flatten()
            .and_then(|at| self.first_pages.get(at));
        Ok(cell.map_or_else(write, |cell| cell.get_or_init(write).clone()))
    }

    fn write_page(
        &self,
        version: ProtocolVersion,
        start: usize,
        caching: &[u8],
        shows: Option<&dyn Fn(&str) -> bool>,
    ) -> Bytes {
        let mut out = Vec::new();
        out.push(b'"');
        out.extend_from_slice(self.list.member().as_bytes());
        out.extend_from_slice(br#"":["#);
        let rest = self.entries.get(start..).unwrap_or_default();
        let mut shown =
            (rest.iter()).filter(|entry| shows.is_none_or(|shows| shows(&entry.callee().name)));
        let mut last = None;
        for entry in shown.by_ref().take(self.page_size) {
            if last.is_some() {
                out.push(b',');
            }
            entry.write(&mut out, version);
            last = Some(entry.sequence());
        }
        out.push(b']');
        if let Some(last) = last
            && shown.next().is_some()
        {
            out.extend_from_slice(br#","nextCursor":"#);
            write_string(&mut out, &self.write_cursor(last));
        }
        if version.has_caching() {
            out.extend_from_slice(caching);
        }
        out.into()
    }

    /// A cursor names the last entry of its page, so that it stays good while entries come and go.
    fn write_cursor(&self, sequence: u64) -> String {
        format!("{}{sequence:016x}", self.list.letter())
    }

    fn read_cursor(&self, cursor: &str) -> Result<u64, ErrorObject> {
        cursor
            .strip_prefix(self.list.letter())
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            // Only what was written is read back: other spellings of a number are no cursors.
            .filter(|sequence| self.write_cursor(*sequence) == cursor)
            .ok_or_else(|| ErrorObject::new(ErrorCode::INVALID_PARAMS, "no such cursor"))
    }
}

/// The resources at one time: those with a URI of their own, and families of them.
#[derive(Debug)]
pub(crate) struct Resources {
    pub(super) fixed: Table<ResourceEntry>,
    pub(super) templates: Table<ResourceEntry>,
    /// By the one spelling of their URI.
    by_uri: HashMap<String, Arc<ResourceEntry>>,
    /// By what that is [compared] by: the first of those that differ in the case of scheme and host only.
    by_folded: HashMap<String, Arc<ResourceEntry>>,
    matcher: TemplateSet<Arc<ResourceEntry>>,
}

/// What a URI leads to.
pub(super) struct Found {
    pub(super) resource: Arc<ResourceEntry>,
    /// `None` for a resource that has a URI of its own.
    pub(super) member: Option<Member>,
}

/// One of a family.
pub(super) struct Member {
    /// Its URI in the one spelling.
    pub(super) uri: String,
    /// The values of the variables.
    pub(super) captures: UriCaptures,
}

impl Resources {
    pub(super) fn new(entries: Vec<Arc<ResourceEntry>>, page_size: usize) -> Self {
        let (templates, fixed): (Vec<_>, Vec<_>) =
            (entries.into_iter()).partition(|entry| entry.template().is_some());
        let by_uri = (fixed.iter())
            .filter_map(|entry| {
                let normal = normalise(&entry.callee().name)?.into_owned();
                Some((normal, Arc::clone(entry)))
            })
            .collect();
        let mut by_folded = HashMap::new();
        for entry in &fixed {
            let folded = compared(&entry.callee().name).into_owned();
            by_folded.entry(folded).or_insert_with(|| Arc::clone(entry));
        }
        let mut matcher = TemplateSet::default();
        for entry in &templates {
            if let Some(template) = entry.template() {
                // The registry has no two of one name.
                let _: Result<(), _> = matcher.insert(template.clone(), Arc::clone(entry));
            }
        }
        Self {
            fixed: Table::new(List::Resources, fixed, page_size),
            templates: Table::new(List::Templates, templates, page_size),
            by_uri,
            by_folded,
            matcher,
        }
    }

    /// A resource of its own goes before those of a family, and among families the one that says more of the URI.
    pub(super) fn find(&self, uri: &str) -> Option<Found> {
        let normal = normalise(uri)?;
        // Scheme and host in the spelling of the request first: servers may tell URIs apart that mean the same.
        let own = self.by_uri.get(&*normal);
        if let Some(resource) = own.or_else(|| self.by_folded.get(&*compared(&normal))) {
            return Some(Found {
                resource: Arc::clone(resource),
                member: None,
            });
        }
        let (resource, uri, captures) = self.matcher.find(&normal)?;
        Some(Found {
            resource: Arc::clone(resource),
            member: Some(Member { uri, captures }),
        })
    }
}
