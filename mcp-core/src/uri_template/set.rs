//! Many templates, and the one that fits a URI best.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::matching::normalise_bounded;
use super::program::{Program, Step};
use super::{Match, UriCaptures, UriTemplate};
use crate::hash::FoldHasher;

/// Templates, each with what belongs to it.
///
/// Of several that match, the one with the most literal characters is found; among equals the one with the fewest
/// variables that take slashes, then with the fewest variables, then the one that was inserted first.
///
/// Looking up tries only templates whose literals can be in the URI, as far as their places are known beforehand: that
/// at the beginning, and those that begin with `/` after a `{x}`. The rest is matched, most specific first.
#[derive(Debug)]
pub(crate) struct TemplateSet<T> {
    entries: Vec<Entry<T>>,
    by_text: HashMap<Box<str>, usize>,
    index: Node,
}

#[derive(Debug)]
struct Entry<T> {
    template: UriTemplate,
    value: T,
}

/// The templates that begin with the literals on the way here, a `{x}` between each two.
#[derive(Debug, Default)]
struct Node {
    here: Vec<usize>,
    /// By the next literal.
    next: HashMap<Box<str>, Self, BuildHasherDefault<FoldHasher>>,
    /// How long these literals are, the longest first. Templates of one kind have one length, so they are few.
    lengths: Vec<usize>,
}

impl<T> Default for TemplateSet<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            by_text: HashMap::new(),
            index: Node::default(),
        }
    }
}

impl<T> TemplateSet<T> {
    /// Adds a template, unless there is one that is written alike: then the value comes back.
    pub(crate) fn insert(&mut self, template: UriTemplate, value: T) -> Result<(), T> {
        if self.by_text.contains_key(template.as_str()) {
            return Err(value);
        }
        let number = self.entries.len();
        self.by_text.insert(template.as_str().into(), number);
        let mut literals = path(&template.0.program);
        // The case of scheme and host, which stand in the first, may not count.
        let first = literals.next().unwrap_or_default().to_ascii_lowercase();
        let mut node = self.index.child(&first);
        for literal in literals {
            node = node.child(literal);
        }
        node.here.push(number);
        self.entries.push(Entry { template, value });
        Ok(())
    }

    /// What belongs to the most specific template that matches, the URI in the one spelling, and the values in it.
    pub(crate) fn find(&self, uri: &str) -> Option<(&T, String, UriCaptures)> {
        let uri = normalise_bounded(uri)?;
        let mut candidates = self.candidates(&uri);
        candidates.sort_by_cached_key(|(number, entry)| (entry.template.generality(), *number));
        candidates.into_iter().find_map(|(_, entry)| {
            let Match { uri, captures } = entry.template.match_normal(&uri)?;
            Some((&entry.value, uri.into_owned(), captures))
        })
    }

    /// How many templates looking up this URI may try.
    #[cfg(test)]
    pub(super) fn tries(&self, uri: &str) -> usize {
        self.candidates(uri).len()
    }

    /// The templates that may match, in no order.
    fn candidates(&self, uri: &str) -> Vec<(usize, &Entry<T>)> {
        let mut found = Vec::new();
        // Each node is reached in one way, so none comes twice.
        let mut pending = vec![(&self.index, uri)];
        let lower = uri.to_ascii_lowercase();
        let mut begins = Some(&*lower);
        while let Some((node, rest)) = pending.pop() {
            for (literal, child) in node.prefixes_of(begins.take().unwrap_or(rest)) {
                let after = &rest[literal.len()..];
                let entries = child.here.iter();
                found.extend(
                    entries.filter_map(|number| Some((*number, self.entries.get(*number)?))),
                );
                // A `{x}` stands here, which holds no slash.
                if let Some(slash) = after.find('/') {
                    pending.push((child, &after[slash..]));
                }
            }
        }
        found
    }
}

impl Node {
    /// The node behind this literal, which is made if need be.
    fn child(&mut self, literal: &str) -> &mut Self {
        if let Err(at) = (self.lengths).binary_search_by(|length| literal.len().cmp(length)) {
            self.lengths.insert(at, literal.len());
        }
        self.next.entry(literal.into()).or_default()
    }

    /// The nodes behind literals that `text` begins with: one look for each length that there is, however many literals.
    fn prefixes_of<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, &'a Self)> {
        self.lengths.iter().filter_map(|length| {
            let literal = text.get(..*length)?;
            Some((literal, self.next.get(literal)?))
        })
    }
}

/// The literals of a template whose places are known once those before are: the first, empty if it begins with a
/// variable, and those that begin with `/` after a `{x}`.
fn path(program: &Program) -> impl Iterator<Item = &str> {
    let after_first = usize::from(matches!(program.steps.first(), Some(Step::Literal(_))));
    let more = program.steps[after_first..]
        .chunks_exact(2)
        .map_while(|pair| match pair {
            [Step::Required(slot), Step::Literal(text)]
                if !slot.is_wide() && text.starts_with('/') =>
            {
                Some(&**text)
            }
            _ => None,
        });
    std::iter::once(program.prefix()).chain(more)
}
