use serde::{Deserialize, Serialize};

use super::wire::wire;

/// Where the next page of a list begins: opaque, and the empty string is a cursor like any other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(String);

impl Cursor {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Cursor {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Cursor {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

wire! {
    /// What a list takes.
    #[derive(Default)]
    pub struct PaginatedParams {}
    strict {
        /// The page, as an earlier one named it; absent for the first.
        pub cursor: Cursor, with_cursor;
    }
    _meta as meta
}
