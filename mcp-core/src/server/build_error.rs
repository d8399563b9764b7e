use crate::schema::SchemaError;

/// Why a server can't be built, or a tool can't be added to it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Names of tools are 1 to 64 of `A-Z a-z 0-9 _ - .`.
    #[error(
        "`{0}` can't be the name of a tool: names are 1 to 64 letters, digits, `_`, `-` and `.`"
    )]
    Name(String),
    /// Two tools have the same name.
    #[error("there are two tools of the name `{0}`")]
    Twice(String),
    /// A schema can't be shown or checked.
    #[error("the schema of tool `{tool}`")]
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong with its schema.
        #[source]
        source: SchemaError,
    },
    /// A tool borrows what the server does not lend.
    #[error(
        "tool `{tool}` borrows a `{wanted}`, which the server does not lend: give one to `Server::lend`"
    )]
    NotLent {
        /// The tool.
        tool: String,
        /// The type it borrows.
        wanted: &'static str,
    },
    /// Two values of one type are lent, and tools could get only one of them.
    #[error(
        "the server lends two values of the type `{0}`: tools borrow by type, so give each a type of its own"
    )]
    LentTwice(&'static str),
    /// What a tool says about its data contradicts itself.
    #[error("tool `{tool}`: {why}")]
    Flow {
        /// The tool.
        tool: String,
        /// The contradiction.
        why: &'static str,
    },
}
