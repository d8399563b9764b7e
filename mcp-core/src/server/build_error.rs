use std::error::Error;
use std::fmt;

use crate::schema::SchemaError;

/// Why a server can't be built, or something can't be added to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// Names of tools and prompts are 1 to 64 of `A-Z a-z 0-9 _ - .`.
    Name(String),
    /// Two tools have the same name.
    Twice(String),
    /// Two prompts have the same name.
    PromptTwice(String),
    /// Two resources have the same URI, or two families the same template.
    TwiceAt(String),
    /// A resource is where none can be.
    Uri {
        /// Its URI, or its template.
        uri: String,
        /// What is wrong with it.
        why: String,
    },
    /// Prompts or resources were added while serving to a server that does not say that it has any.
    NotDeclared(&'static str),
    /// A schema can't be shown or checked.
    Schema {
        /// Whose, as in ``tool `add` ``.
        of: String,
        /// What is wrong with it.
        source: SchemaError,
    },
    /// A tool, a prompt or a resource borrows what the server does not lend.
    NotLent {
        /// Which one, as in ``resource `notes://{id}` ``.
        to: String,
        /// The type it borrows.
        wanted: &'static str,
    },
    /// Two values of one type are lent, and who borrows it could get only one of them.
    LentTwice(&'static str),
    /// What a tool says about its data contradicts itself.
    Flow {
        /// The tool.
        tool: String,
        /// The contradiction.
        why: &'static str,
    },
    /// A server that is mounted, under this prefix, has a rule of its own about what is shown to whom.
    MountedShowIf(String),
    /// A key that seals request state has fewer than 32 bytes.
    ShortKey,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "`{name}` can't be a name: those of tools and prompts are 1 to 64 letters, digits, `_`, `-` and `.`"
            ),
            Self::Twice(name) => write!(f, "there are two tools of the name `{name}`"),
            Self::PromptTwice(name) => write!(f, "there are two prompts of the name `{name}`"),
            Self::TwiceAt(uri) => write!(f, "there are two resources at `{uri}`"),
            Self::Uri { uri, why } => write!(f, "`{uri}` can't be where a resource is: {why}"),
            Self::NotDeclared(kind) => write!(
                f,
                "the server was built without {kind}: call `Server::expect_{kind}` before `build`"
            ),
            Self::Schema { of, .. } => write!(f, "the schema of {of}"),
            Self::NotLent { to, wanted } => write!(
                f,
                "{to} borrows a `{wanted}`, which its server does not lend: give one to `Server::lend`; what is mounted borrows from its own server only"
            ),
            Self::LentTwice(kind) => write!(
                f,
                "the server lends two values of the type `{kind}`: what is lent is found by its type, so give each a type of its own"
            ),
            Self::MountedShowIf(prefix) => write!(
                f,
                "the server that is mounted as `{prefix}` has a rule by `show_if`, which would not count any more: give the rule to the server around it, by the names that things have there"
            ),
            Self::ShortKey => f.write_str("a key that seals request state needs at least 32 bytes"),
            Self::Flow { tool, why } => write!(f, "tool `{tool}`: {why}"),
        }
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Schema { source, .. } => Some(source),
            _ => None,
        }
    }
}
