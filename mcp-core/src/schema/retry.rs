//! A second attempt at arguments: mended, and with questions to their type that only it can answer.
//!
//! An `enum` may come from a Rust enum, whose variants may have aliases, or may have been put on a plain string by hand.
//! So where a string is not listed, the type is shown the same text with a string there that nobody would choose: a
//! type that takes even that does not tell strings apart, and the schema must.
//!
//! And which field an alias stands for, a type says when it is given twice.

use std::ops::Range;
use std::sync::OnceLock;

use serde::Deserialize;

use super::decode::decode;
use super::program::Program;
use super::tree::Tree;
use super::walk::{Verdict, walk};

/// More enums than any call gets wrong in good faith.
const MAX_PROBES: usize = 8;

/// A text to decode after the first was refused, and the questions that go with it.
pub(super) struct SecondAttempt {
    text: String,
    enums: Vec<String>,
    aliases: Vec<String>,
}

impl SecondAttempt {
    /// `None` when there is nothing new to try.
    pub(super) fn new(
        program: &Program,
        mended: Option<String>,
        text: &str,
        arguments: &Tree,
        aliases: &[&str],
    ) -> Option<Self> {
        let candidate = mended.as_deref().unwrap_or(text);
        let unlisted = match walk(program, candidate) {
            Verdict::Unlisted(unlisted) if unlisted.len() <= MAX_PROBES => unlisted,
            Verdict::Unlisted(_) | Verdict::Follows | Verdict::Breaks => Vec::new(),
        };
        if unlisted.is_empty() && aliases.is_empty() && mended.is_none() {
            return None;
        }
        let places = unlisted.iter().map(|unlisted| unlisted.places.as_slice());
        Some(Self {
            enums: places
                .map(|places| with_other_strings(candidate, places))
                .collect(),
            aliases: aliases
                .iter()
                .map(|alias| given_twice(alias, arguments))
                .collect(),
            text: candidate.to_owned(),
        })
    }

    /// Puts all texts where the type can borrow from them; `None` when that place is taken.
    pub(super) fn keep<'a>(&self, mended: &'a OnceLock<String>) -> Option<Kept<'a>> {
        let texts = std::iter::once(&self.text)
            .chain(&self.enums)
            .chain(&self.aliases);
        mended.set(texts.map(String::as_str).collect()).ok()?;
        let mut rest = mended.get()?.as_str();
        let mut next = |text: &String| {
            let (first, after) = rest.split_at_checked(text.len())?;
            rest = after;
            Some(first)
        };
        Some(Kept {
            text: next(&self.text)?,
            enums: self.enums.iter().map(&mut next).collect::<Option<_>>()?,
            aliases: self.aliases.iter().map(&mut next).collect::<Option<_>>()?,
        })
    }
}

/// The texts of a [`SecondAttempt`], where a type can borrow from them.
pub(super) struct Kept<'a> {
    pub(super) text: &'a str,
    enums: Vec<&'a str>,
    aliases: Vec<&'a str>,
}

impl<'a> Kept<'a> {
    /// Whether the type tells the strings of all `unlisted` enums apart.
    pub(super) fn tells_apart<T: Deserialize<'a>>(&self, unlisted: usize) -> bool {
        self.enums.len() == unlisted && self.enums.iter().all(|probe| decode::<T>(probe).is_err())
    }

    /// Calls arguments by the names that the schema knows.
    pub(super) fn use_plain_names<T: Deserialize<'a>>(
        &self,
        aliases: &[&str],
        arguments: &mut Tree,
    ) {
        for (alias, probe) in aliases.iter().zip(&self.aliases) {
            let Some(name) = field_given_twice::<T>(probe) else {
                continue;
            };
            if arguments.member(&name).is_some() {
                continue;
            }
            if let Tree::Object(members) = arguments
                && let Some((key, _)) = members.iter_mut().find(|(key, _)| key == alias)
            {
                *key = name;
            }
        }
    }
}

/// The field that a type complains of as given twice.
fn field_given_twice<'a, T: Deserialize<'a>>(text: &'a str) -> Option<String> {
    let message = decode::<T>(text).err()?.message();
    let name = message
        .strip_prefix("duplicate field `")?
        .split('`')
        .next()?;
    Some(name.to_owned())
}

/// The text with other strings in some places.
fn with_other_strings(text: &str, places: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        out.push_str(text.get(from..place.start).unwrap_or_default());
        out.push_str("\"not one of those listed\"");
        from = place.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// An object with nothing but this argument, twice.
fn given_twice(name: &str, arguments: &Tree) -> String {
    let key = Tree::String(name.to_owned());
    let value = arguments.member(name).unwrap_or(&Tree::Null);
    format!("{{{key}:{value},{key}:null}}")
}
