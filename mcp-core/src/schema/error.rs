//! Why a schema cannot be used.

use std::error::Error;
use std::fmt;

use super::SchemaProfile;
use crate::protocol::http_headers::InvalidHeaderParam;

/// Why a type or a text cannot be the schema of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// Arguments come as an object, and the type is something else.
    RootNotObject {
        /// What the schema describes instead.
        found: String,
    },
    /// The type is a union that does not become one object.
    RootUnion {
        /// Which kind of union.
        union: &'static str,
    },
    /// A pattern that cannot be checked.
    Pattern {
        /// Where in the schema.
        pointer: String,
        /// The pattern.
        pattern: String,
        /// What the matcher says.
        reason: String,
    },
    /// A keyword whose value makes no sense.
    Keyword {
        /// Where in the schema.
        pointer: String,
        /// Which keyword.
        keyword: String,
    },
    /// A reference out of the schema: nothing is ever fetched.
    ExternalReference {
        /// The `$ref`.
        reference: String,
    },
    /// A reference to a definition that is not there.
    UnknownReference {
        /// The `$ref`.
        reference: String,
    },
    /// Nested deeper or larger than any sensible schema.
    TooLarge {
        /// The bound that was passed.
        limit: usize,
    },
    /// What the type says cannot be said in the profile.
    Inexpressible {
        /// The profile.
        profile: SchemaProfile,
        /// Where in the schema.
        pointer: String,
        /// What it is.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// An argument can't be repeated in a header as the schema wants it.
    HeaderParam(InvalidHeaderParam),
    /// The text is not a JSON object.
    NotAnObject,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeaderParam(why) => why.fmt(f),
            Self::RootNotObject { found } => write!(
                f,
                "arguments must be an object, and the type gives {found}; take a struct with named fields, or `()` for none"
            ),
            Self::RootUnion { union } => write!(
                f,
                "arguments cannot be {union} at the top: many models refuse it; use `#[serde(tag = \"kind\")]`, or put the enum in a field"
            ),
            Self::Pattern {
                pointer,
                pattern,
                reason,
            } => write!(
                f,
                "the pattern `{pattern}` at {pointer} cannot be checked: {reason}"
            ),
            Self::Keyword { pointer, keyword } => {
                write!(f, "`{keyword}` at {pointer} has a value that means nothing")
            }
            Self::ExternalReference { reference } => write!(
                f,
                "the schema refers to `{reference}`, which is outside of it and is not fetched"
            ),
            Self::UnknownReference { reference } => write!(
                f,
                "the schema refers to `{reference}`, which it does not define"
            ),
            Self::TooLarge { limit } => {
                write!(f, "the schema has more than {limit} levels or subschemas")
            }
            Self::Inexpressible {
                profile,
                pointer,
                what,
                hint,
            } => write!(
                f,
                "{what} at {pointer} cannot be said in the profile {profile:?}; {hint}"
            ),
            Self::NotAnObject => f.write_str("the schema is not a JSON object"),
        }
    }
}

impl Error for SchemaError {}
