//! Many templates, and the one that fits a URI best.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use super::matching::normalise_bounded;
use super::program::{Program, Step};
use super::{Match, UriCaptures, UriTemplate};

/// Templates, each with what belongs to it.
///
/// Of several that match, the one with the most literal characters is found; among equals the one with the fewest
/// variables that take slashes, then with the fewest variables, then the one that was inserted first.
///
/// Looking up tries only templates whose literals can be in the URI, as far as their places are known beforehand: that
/// at the beginning, and those that begin with `/` after a `{x}`. The rest is matched, most specific first.
#[derive(Debug)]
pub(crate) struct TemplateSet<T> {
    entries: BTreeMap<u64, Entry<T>>,
    by_text: HashMap<Box<str>, u64>,
    inserted: u64,
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
    here: Vec<u64>,
    /// By the next literal.
    next: BTreeMap<Box<str>, Self>,
}

impl<T> Default for TemplateSet<T> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            by_text: HashMap::new(),
            inserted: 0,
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
        let number = self.inserted;
        self.inserted += 1;
        self.by_text.insert(template.as_str().into(), number);
        let mut literals = path(&template.0.program);
        // The case of scheme and host, which stand in the first, may not count.
        let first = literals.next().unwrap_or_default().to_ascii_lowercase();
        let mut node = self.index.next.entry(first.into()).or_default();
        for literal in literals {
            node = node.next.entry(literal.into()).or_default();
        }
        node.here.push(number);
        self.entries.insert(number, Entry { template, value });
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
    fn candidates(&self, uri: &str) -> Vec<(u64, &Entry<T>)> {
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
                    entries.filter_map(|number| Some((*number, self.entries.get(number)?))),
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
    /// The nodes behind literals that `text` begins with.
    ///
    /// The greatest literal that is not after `text` in the order of bytes is the longest of them, or it shows by how
    /// much it has in common with `text` how long they can be at most.
    fn prefixes_of<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, &'a Self)> {
        let mut key = Some(text);
        std::iter::from_fn(move || {
            loop {
                let longest = key?;
                let range = (Bound::Unbounded, Bound::Included(longest));
                let (literal, node) = self.next.range::<str, _>(range).next_back()?;
                if longest.starts_with(&**literal) {
                    // Shorter ones next; nothing is shorter than the empty one.
                    key = literal.len().checked_sub(1).map(|length| &text[..length]);
                    return Some((&**literal, node));
                }
                let common = longest.bytes().zip(literal.bytes());
                let common = common.take_while(|(left, right)| left == right).count();
                key = Some(&text[..common]);
            }
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
