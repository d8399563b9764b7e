//! What a match gives back.

use std::sync::Arc;

/// The values of the variables of a [`UriTemplate`](super::UriTemplate) in a URI that it matches, decoded once.
///
/// A value is what the sender wrote, and nothing more is known of it: it may be `..`, hold a `/` that was written
/// `%2F`, a NUL or a line break. See [paths](super::UriTemplate#values-are-not-paths).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriCaptures {
    names: Arc<[Box<str>]>,
    values: Box<[Option<String>]>,
}

impl UriCaptures {
    /// As many values as names.
    pub(super) fn new(names: Arc<[Box<str>]>, values: Vec<Option<String>>) -> Self {
        Self {
            names,
            values: values.into(),
        }
    }

    /// The value of a variable; `None` if it was left out, or the template has no such variable.
    #[must_use]
    pub fn get(&self, variable: &str) -> Option<&str> {
        self.iter()
            .find_map(|(name, value)| (name == variable).then_some(value))
    }

    /// The value of the variable that is at `index` in [`variables`](super::UriTemplate::variables); `None` if it was
    /// left out, or there are fewer.
    #[must_use]
    pub fn get_index(&self, index: usize) -> Option<&str> {
        self.values.get(index)?.as_deref()
    }

    /// The variables that are there, with their values, in the order of the template.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .zip(&self.values)
            .filter_map(|(name, value)| Some((&**name, value.as_deref()?)))
    }
}
