//! Matching, in time that grows with the length of the URI times the number of steps.
//!
//! First it is found, from the end, at which places of the URI each step can begin so that all the rest fits; then one
//! walk from the beginning takes the way that is preferred. So nothing is tried twice.

use std::borrow::Cow;

use super::chars::{QUERY, decode, has_escape, normalise, unit, unit_before};
use super::program::{Optional, Program, Query, Slot, Step};

/// The longest URI, normalised, that is compared with templates.
const MAX_URI: usize = 8 << 10;

/// The normal form of a URI, unless it is too long whatever its escapes stand for.
pub(super) fn normalise_bounded(uri: &str) -> Option<Cow<'_, str>> {
    if uri.len() > 3 * MAX_URI {
        return None;
    }
    normalise(uri)
}

/// The values of `variables` variables in a normalised URI.
pub(super) fn captures(
    program: &Program,
    variables: usize,
    uri: &str,
) -> Option<Vec<Option<String>>> {
    // Most URIs that do not match are told by their ends.
    if uri.len() > MAX_URI || !uri.starts_with(program.prefix()) || !uri.ends_with(program.suffix())
    {
        return None;
    }
    let mut found = Found(vec![Seen::NotYet; variables]);
    let tail = match &program.query {
        Some(query) => query.find(uri, &mut found)?,
        None => Tail {
            start: uri.len(),
            end: uri.len(),
        },
    };
    Table::new(&program.steps, uri, &tail).walk(&tail, &mut found)?;
    Some(found.0.into_iter().map(Seen::text).collect())
}

/// Where the query of a URI stands; at the end of what may hold one, if there is none.
struct Tail {
    start: usize,
    end: usize,
}

impl Query {
    /// The query of `uri`, whose parameters go into `found`. `None` if they are not those of the template.
    fn find(&self, uri: &str, found: &mut Found) -> Option<Tail> {
        let end = match uri.find('#') {
            Some(hash) if self.fragment => hash,
            _ => uri.len(),
        };
        let start = uri[..end]
            .match_indices(char::from(self.first))
            .nth(self.earlier)
            .map_or(end, |(at, _)| at);
        let mut pairs = Vec::new();
        if start < end {
            for pair in uri[start + 1..end].split('&') {
                pairs.push(pair.split_once('=')?);
            }
        }
        // A pair that is taken is gone: what is left in the end is unknown, or said twice.
        for (name, variable) in &self.parameters {
            let place = pairs.iter().position(|(given, _)| given == &&**name);
            let value = place.map(|place| pairs.swap_remove(place).1);
            if value.is_some_and(|value| !value.bytes().all(|byte| byte == b'%' || QUERY.has(byte)))
            {
                return None;
            }
            found.put(*variable, value.map(decode))?;
        }
        pairs.is_empty().then_some(Tail { start, end })
    }
}

/// What is known of each variable.
struct Found(Vec<Seen>);

#[derive(Clone, PartialEq)]
enum Seen {
    NotYet,
    LeftOut,
    Value(String),
}

impl Seen {
    fn text(self) -> Option<String> {
        match self {
            Self::Value(text) => Some(text),
            Self::NotYet | Self::LeftOut => None,
        }
    }
}

impl Found {
    /// Notes what stands at one of the places of a variable: nothing, or a value as far as it could be decoded. `None`
    /// if it could not, or another place says otherwise.
    fn put(&mut self, variable: usize, value: Option<Option<String>>) -> Option<()> {
        let seen = value.map_or(Some(Seen::LeftOut), |decoded| decoded.map(Seen::Value))?;
        let known = &mut self.0[variable];
        if *known == Seen::NotYet {
            *known = seen;
            return Some(());
        }
        (*known == seen).then_some(())
    }

    fn put_slot(&mut self, slot: &Slot, text: &str) -> Option<()> {
        let decoded = decode(text)
            // `{+x}` keeps the escapes of a value: there is no way to write one whose text looks like an escape.
            .filter(|value| !(slot.is_wide() && has_escape(value)));
        self.put(slot.variable, Some(decoded))
    }
}

/// For each step and each place of the URI: whether all from this step on fits all from this place on.
struct Table<'a> {
    steps: &'a [Step],
    text: &'a [u8],
    uri: &'a str,
    cells: Vec<u8>,
}

/// The rest fits.
const FITS: u8 = 1;
/// The rest fits with this optional part present.
const TAKEN: u8 = 2;

impl<'a> Table<'a> {
    fn new(steps: &'a [Step], uri: &'a str, tail: &Tail) -> Self {
        let mut table = Self {
            steps,
            uri,
            text: uri.as_bytes(),
            cells: vec![0; (steps.len() + 1) * (uri.len() + 1)],
        };
        table.mark(steps.len(), uri.len(), FITS);
        for (index, step) in steps.iter().enumerate().rev() {
            match step {
                Step::Literal(literal) => table.fill_literal(index, literal.as_bytes()),
                Step::Query => {
                    if table.is(index + 1, tail.end, FITS) {
                        table.mark(index, tail.start, FITS);
                    }
                }
                Step::Required(slot) => table.fill_required(index, slot),
                Step::Optional(optional) => table.fill_optional(index, optional),
            }
        }
        table
    }

    fn is(&self, step: usize, at: usize, flag: u8) -> bool {
        self.cells[step * (self.text.len() + 1) + at] & flag != 0
    }

    fn mark(&mut self, step: usize, at: usize, flags: u8) {
        self.cells[step * (self.text.len() + 1) + at] |= flags;
    }

    fn fill_literal(&mut self, index: usize, literal: &[u8]) {
        for end in literal.len()..=self.text.len() {
            if self.is(index + 1, end, FITS) && self.text[..end].ends_with(literal) {
                self.mark(index, end - literal.len(), FITS);
            }
        }
    }

    fn fill_required(&mut self, index: usize, slot: &Slot) {
        let rest = self.after_value(index + 1, slot);
        for at in 0..self.text.len() {
            if unit(self.text, at, slot.class).is_some_and(|length| rest[at + length]) {
                self.mark(index, at, FITS);
            }
        }
    }

    fn fill_optional(&mut self, index: usize, optional: &Optional) {
        let Optional {
            lead,
            named,
            slot,
            skip,
        } = optional;
        let rest = self.after_value(index + 1, slot);
        for at in 0..=self.text.len() {
            let taken = self.text[at..].starts_with(lead.as_bytes()) && {
                let after = at + lead.len();
                if *named {
                    let value = self.text.get(after) == Some(&b'=')
                        && unit(self.text, after + 1, slot.class)
                            .is_some_and(|length| rest[after + 1 + length]);
                    value || self.is(index + 1, after, FITS)
                } else {
                    rest[after]
                }
            };
            if taken {
                self.mark(index, at, FITS | TAKEN);
            } else if self.is(*skip, at, FITS) {
                self.mark(index, at, FITS);
            }
        }
    }

    /// For each place: whether a value, perhaps empty, can stand there with all from step `next` on after it.
    fn after_value(&self, next: usize, slot: &Slot) -> Vec<bool> {
        let mut rest = vec![false; self.text.len() + 1];
        for at in (0..rest.len()).rev() {
            rest[at] = self.is(next, at, FITS)
                // In the middle of an escape, where nothing begins, a unit may seem to end past the end.
                || unit(self.text, at, slot.class)
                    .is_some_and(|length| rest.get(at + length) == Some(&true));
        }
        rest
    }

    /// Takes the preferred of the ways that fit.
    fn walk(&self, tail: &Tail, found: &mut Found) -> Option<()> {
        let (mut index, mut at) = (0, 0);
        if !self.is(index, at, FITS) {
            return None;
        }
        while let Some(step) = self.steps.get(index) {
            index += 1;
            match step {
                Step::Literal(literal) => at += literal.len(),
                Step::Query => at = tail.end,
                Step::Required(slot) => {
                    let end = self.value_end(index, slot, at, at + 1)?;
                    found.put_slot(slot, &self.uri[at..end])?;
                    at = end;
                }
                Step::Optional(optional) if self.is(index - 1, at, TAKEN) => {
                    let start = at + optional.lead.len();
                    let value = if optional.named {
                        // Without a `=` the value is empty.
                        let value = (self.text.get(start) == Some(&b'='))
                            .then(|| self.value_end(index, &optional.slot, start + 1, start + 2));
                        value.flatten().map_or(start..start, |end| start + 1..end)
                    } else {
                        start..self.value_end(index, &optional.slot, start, start)?
                    };
                    at = value.end;
                    found.put_slot(&optional.slot, &self.uri[value])?;
                }
                Step::Optional(optional) => {
                    for left_out in &self.steps[index - 1..optional.skip] {
                        if let Step::Optional(Optional { slot, .. }) = left_out {
                            found.put(slot.variable, None)?;
                        }
                    }
                    index = optional.skip;
                }
            }
        }
        Some(())
    }

    /// Where a value that begins at `start` ends, at `shortest` or later: as late as the rest fits with the next
    /// optional part present; if it cannot be, with the one after it; else as late as the rest fits at all.
    fn value_end(
        &self,
        mut next: usize,
        slot: &Slot,
        start: usize,
        shortest: usize,
    ) -> Option<usize> {
        let mut last = start;
        while let Some(length) = unit(self.text, last, slot.class) {
            last += length;
        }
        let latest = |step: usize, flag: u8| {
            std::iter::successors(Some(last), |end| {
                (*end > shortest).then(|| unit_before(self.text, *end))
            })
            .find(|end| *end >= shortest && self.is(step, *end, flag))
        };
        while let Some(Step::Optional(optional)) = self.steps.get(next) {
            if let Some(end) = latest(next, TAKEN) {
                return Some(end);
            }
            next = optional.skip;
        }
        latest(next, FITS)
    }
}
