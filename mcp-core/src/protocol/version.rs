use std::fmt;

use serde::{Serialize, Serializer};

use crate::ErrorCode;

/// A revision of the protocol, older before newer.
///
/// This is the only place that knows the strings, and what a revision has is asked here:
///
/// ```
/// use mcp_core::protocol::{Era, ProtocolVersion};
///
/// let version = ProtocolVersion::parse("2025-06-18").unwrap();
/// assert_eq!(version.era(), Era::Legacy);
/// assert!(version.has_structured_content() && !version.has_icons());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26: batches, audio, annotations of tools, Streamable HTTP.
    V2025_03_26,
    /// 2025-06-18: structured content, elicitation, titles, resource links.
    V2025_06_18,
    /// 2025-11-25: icons, URL elicitation, tools in sampling, tasks.
    V2025_11_25,
    /// 2026-07-28: no handshake, input by rounds, caching.
    V2026_07_28,
}

/// How two sides agree on a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that serves both must say what it does for each"
)]
pub enum Era {
    /// By the `initialize` handshake, once for a session.
    Legacy,
    /// By `_meta`, on every request.
    Modern,
}

impl ProtocolVersion {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// The newest.
    pub const LATEST: Self = Self::V2026_07_28;
    /// The newest that begins with a handshake.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;

    /// Finds a revision by its name; the name is opaque, so it must match exactly.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era it belongs to.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => {
                Era::Legacy
            }
            Self::V2026_07_28 => Era::Modern,
        }
    }

    /// Whether it is of the modern era.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self.era(), Era::Modern)
    }

    /// Whether several messages may share a frame as an array.
    #[must_use]
    pub fn has_batching(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether content may be audio.
    #[must_use]
    pub fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether tools have annotations.
    #[must_use]
    pub fn has_tool_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether servers declare that they complete arguments.
    #[must_use]
    pub fn has_completions_capability(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether progress may carry a message.
    #[must_use]
    pub fn has_progress_message(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether named objects have a title beside their name.
    #[must_use]
    pub fn has_title(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether tools have output schemas and results have `structuredContent`.
    #[must_use]
    pub fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether structured values that are no objects travel as `{"result": …}`.
    #[must_use]
    pub fn wraps_structured_values(self) -> bool {
        !self.is_modern()
    }

    /// Whether content may be a link to a resource.
    #[must_use]
    pub fn has_resource_link(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether `_meta` may stand on data objects, not on params and results only.
    #[must_use]
    pub fn has_meta_on_objects(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether annotations of content say when it was last modified.
    #[must_use]
    pub fn has_last_modified(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether completion is told the arguments that are already known.
    #[must_use]
    pub fn has_completion_context(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether servers may ask people for input by a form.
    #[must_use]
    pub fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether HTTP requests name the revision in a header.
    #[must_use]
    pub fn has_version_header(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether named objects have icons, and implementations a description and a site.
    #[must_use]
    pub fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether elicitation has modes (form and URL), multiple choice, titled choices, and defaults on every field.
    #[must_use]
    pub fn has_elicitation_modes(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether URL elicitation has ids, `notifications/elicitation/complete` and
    /// [`ErrorCode::URL_ELICITATION_REQUIRED`].
    #[must_use]
    pub fn has_elicitation_ids(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Whether sampling may offer tools and hold several content blocks.
    #[must_use]
    pub fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether tasks are part of the protocol itself (later they are an extension).
    #[must_use]
    pub fn has_core_tasks(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Whether bad arguments of a tool are reported to the model as a result with `isError`, not as a protocol error.
    #[must_use]
    pub fn argument_errors_are_results(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether an error response whose request had no readable id is sent without one; before, it could not be sent.
    #[must_use]
    pub fn errors_may_lack_id(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether results say what they are by `resultType`.
    #[must_use]
    pub fn has_result_type(self) -> bool {
        self.is_modern()
    }

    /// Whether lists, `server/discover` and `resources/read` carry `ttlMs` and `cacheScope`.
    #[must_use]
    pub fn has_caching(self) -> bool {
        self.is_modern()
    }

    /// Whether input is asked for by rounds (`input_required`), not by requests of the server.
    #[must_use]
    pub fn has_input_rounds(self) -> bool {
        self.is_modern()
    }

    /// Whether changes come by `subscriptions/listen`, not unasked.
    #[must_use]
    pub fn has_listen(self) -> bool {
        self.is_modern()
    }

    /// Whether capabilities may name extensions.
    #[must_use]
    pub fn has_extensions(self) -> bool {
        self.is_modern()
    }

    /// Whether arguments may be repeated in headers of HTTP.
    #[must_use]
    pub fn has_header_params(self) -> bool {
        self.is_modern()
    }

    /// The code that an error has in this revision. What other revisions have a code for is told in general terms, and
    /// codes that are reserved for the protocol are not used for anything else.
    #[must_use]
    pub fn error_code(self, code: ErrorCode) -> ErrorCode {
        const RESERVED: std::ops::RangeInclusive<i64> = -32099..=-32020;
        match code {
            ErrorCode::RESOURCE_NOT_FOUND => self.resource_not_found_code(),
            code if code.is_modern() && self.is_modern() => code,
            ErrorCode::URL_ELICITATION_REQUIRED if self.has_elicitation_ids() => code,
            code if RESERVED.contains(&code.get()) => ErrorCode::INTERNAL_ERROR,
            code => code,
        }
    }

    /// The code for a resource that does not exist.
    #[must_use]
    pub const fn resource_not_found_code(self) -> ErrorCode {
        match self.era() {
            Era::Legacy => ErrorCode::RESOURCE_NOT_FOUND,
            Era::Modern => ErrorCode::INVALID_PARAMS,
        }
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<ProtocolVersion> for String {
    fn from(version: ProtocolVersion) -> Self {
        version.as_str().to_owned()
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
