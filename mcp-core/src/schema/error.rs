//! Why a schema cannot be used.

use super::SchemaProfile;

/// Why a type or a text cannot be the schema of a tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// Arguments come as an object, and the type is something else.
    #[error(
        "the arguments of a tool must be an object, and the type gives {found}; take a struct with named fields, or `()` for none"
    )]
    RootNotObject {
        /// What the schema describes instead.
        found: String,
    },
    /// The type is a union that does not become one object.
    #[error(
        "the arguments of a tool cannot be {union} at the top: many models refuse it; use `#[serde(tag = \"kind\")]`, or put the enum in a field"
    )]
    RootUnion {
        /// Which kind of union.
        union: &'static str,
    },
    /// A pattern that cannot be checked.
    #[error("the pattern `{pattern}` at {pointer} cannot be checked: {reason}")]
    Pattern {
        /// Where in the schema.
        pointer: String,
        /// The pattern.
        pattern: String,
        /// What the matcher says.
        reason: String,
    },
    /// A keyword whose value makes no sense.
    #[error("`{keyword}` at {pointer} has a value that means nothing")]
    Keyword {
        /// Where in the schema.
        pointer: String,
        /// Which keyword.
        keyword: String,
    },
    /// A reference out of the schema: nothing is ever fetched.
    #[error("the schema refers to `{reference}`, which is outside of it and is not fetched")]
    ExternalReference {
        /// The `$ref`.
        reference: String,
    },
    /// A reference to a definition that is not there.
    #[error("the schema refers to `{reference}`, which it does not define")]
    UnknownReference {
        /// The `$ref`.
        reference: String,
    },
    /// Nested deeper or larger than any sensible schema.
    #[error("the schema has more than {limit} levels or subschemas")]
    TooLarge {
        /// The bound that was passed.
        limit: usize,
    },
    /// What the type says cannot be said in the profile.
    #[error("{what} at {pointer} cannot be said in the profile {profile:?}; {hint}")]
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
    /// The text is not a JSON object.
    #[error("the schema is not a JSON object")]
    NotAnObject,
}
