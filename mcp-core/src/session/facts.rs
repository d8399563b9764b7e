use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::protocol::{
    CacheScope, Declared, Implementation, Meta, PromptsCapability, ProtocolVersion,
    ResourcesCapability, ServerCapabilities, ToolsCapability, as_value,
};
use crate::server::ChangedLists;

/// What a server has a list of, though it may be empty, and whether it completes arguments.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a capability of its own"
)]
pub(crate) struct Offers {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) completions: bool,
}

impl Offers {
    pub(crate) const fn merge(&mut self, other: Self) {
        self.tools |= other.tools;
        self.prompts |= other.prompts;
        self.resources |= other.resources;
        self.completions |= other.completions;
    }
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) offers: Offers,
    pub(crate) has_logging: bool,
    /// How long lists may be kept, in milliseconds.
    pub(crate) ttl_ms: u64,
    pub(crate) cache_scope: CacheScope,
}

/// The same, written for every revision once.
#[derive(Debug)]
pub(crate) struct ServerFacts {
    pub(crate) offers: Offers,
    pub(crate) has_logging: bool,
    /// The results of `initialize`, by legacy revision.
    initialize: Vec<(ProtocolVersion, Vec<u8>)>,
    /// The members of the result of `server/discover` that are its own.
    pub(super) discover: Vec<u8>,
    /// `,"ttlMs":…,"cacheScope":…`
    pub(super) caching: Vec<u8>,
    /// The member of `_meta` that every modern result has: who the server is.
    pub(super) server_info: Vec<u8>,
}

impl ServerFacts {
    pub(crate) fn new(facts: &Facts) -> Self {
        let legacy = ProtocolVersion::ALL
            .into_iter()
            .filter(|version| !version.is_modern());
        let caching = format!(
            r#","ttlMs":{},"cacheScope":{}"#,
            facts.ttl_ms,
            text(&facts.cache_scope)
        );
        let modern: Vec<_> = modern_versions().collect();
        let mut discover = json!({
            "supportedVersions": as_value(&modern),
            "capabilities": as_value(&capabilities(facts, ProtocolVersion::LATEST)),
        });
        if let (Some(instructions), Some(members)) = (&facts.instructions, discover.as_object_mut())
        {
            members.insert("instructions".to_owned(), instructions.as_str().into());
        }
        Self {
            offers: facts.offers,
            has_logging: facts.has_logging,
            initialize: legacy
                .map(|version| (version, initialize_result(facts, version)))
                .collect(),
            discover: members(&discover),
            caching: caching.into_bytes(),
            server_info: format!(
                r#"{}:{}"#,
                text(Meta::SERVER_INFO),
                text(&info(&facts.info, ProtocolVersion::LATEST))
            )
            .into_bytes(),
        }
    }

    /// Of changed lists, those that the server has.
    pub(super) const fn told(&self, lists: ChangedLists) -> ChangedLists {
        ChangedLists {
            tools: lists.tools && self.offers.tools,
            prompts: lists.prompts && self.offers.prompts,
            resources: lists.resources && self.offers.resources,
        }
    }

    pub(crate) fn caching(&self) -> &[u8] {
        &self.caching
    }

    pub(super) fn initialize_result(&self, version: ProtocolVersion) -> &[u8] {
        let found = self.initialize.iter().find(|(known, _)| *known == version);
        found.map_or(b"{}", |(_, result)| result)
    }
}

/// The revisions that requests may name in `_meta`.
pub(super) fn modern_versions() -> impl Iterator<Item = ProtocolVersion> {
    ProtocolVersion::ALL
        .into_iter()
        .filter(|version| version.is_modern())
}

fn initialize_result(facts: &Facts, version: ProtocolVersion) -> Vec<u8> {
    let mut result = json!({
        "protocolVersion": as_value(&version),
        "capabilities": as_value(&capabilities(facts, version)),
        "serverInfo": info(&facts.info, version),
    });
    if let (Some(instructions), Some(members)) = (&facts.instructions, result.as_object_mut()) {
        members.insert("instructions".to_owned(), instructions.as_str().into());
    }
    text(&result).into_bytes()
}

fn capabilities(facts: &Facts, version: ProtocolVersion) -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::new();
    if facts.offers.tools {
        capabilities.tools = Some(ToolsCapability::new().with_list_changed(true));
    }
    if facts.offers.prompts {
        capabilities.prompts = Some(PromptsCapability::new().with_list_changed(true));
    }
    if facts.offers.resources {
        let resources = ResourcesCapability::new().with_list_changed(true);
        capabilities.resources = Some(resources.with_subscribe(true));
    }
    if facts.offers.completions && version.has_completions_capability() {
        capabilities.completions = Some(Declared::default());
    }
    if facts.has_logging {
        capabilities.logging = Some(Declared::default());
    }
    capabilities
}

/// Who the server is, without what the revision does not have.
fn info(info: &Implementation, version: ProtocolVersion) -> Value {
    let mut members = match as_value(info) {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    members.retain(|name, _| match name.as_str() {
        "title" => version.has_title(),
        "description" | "websiteUrl" | "icons" => version.has_icons(),
        _ => true,
    });
    Value::Object(members)
}

/// The members of an object, without its braces.
fn members(object: &Value) -> Vec<u8> {
    let text = text(object);
    text.trim_start_matches('{')
        .strip_suffix('}')
        .unwrap_or_default()
        .as_bytes()
        .to_vec()
}

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
