//! Whether every expansion of a template is matched with the values that it was expanded from.

use super::chars::{Chars, RESERVED};
use super::program::{Optional, Program, Slot, Step};

/// The place of the first expression whose end, or presence, an expansion does not show.
///
/// A value *shows its end* if what can follow it begins with a character that expansions of it do not hold. One that
/// does not may still be told from the end of the URI: nothing optional comes after it, and the values after it each
/// stand behind a reserved character that they do not hold.
pub(super) fn find(program: &Program) -> Option<usize> {
    let steps = &program.steps;
    steps.iter().enumerate().find_map(|(index, step)| {
        let (slot, hidden) = match step {
            Step::Literal(_) | Step::Query => return None,
            Step::Required(slot) => (slot, false),
            Step::Optional(optional) => (&optional.slot, may_seem_present(program, optional)),
        };
        let follow = follow(program, index + 1);
        let shows_end = follow.both(held(slot)).is_empty();
        let named = matches!(step, Step::Optional(Optional { named: true, .. }));
        let seems_named = named && follow.has(b'=');
        let clear = !hidden
            && !seems_named
            && (shows_end || is_told_from_the_end(&steps[index + 1..], slot));
        (!clear).then_some(slot.offset)
    })
}

/// What expansions of a value hold.
fn held(slot: &Slot) -> Chars {
    slot.expanded.and(Chars::of("%"))
}

/// What the text from a step on can begin with.
fn follow(program: &Program, mut index: usize) -> Chars {
    let mut chars = Chars::NONE;
    while let Some(step) = program.steps.get(index) {
        match step {
            Step::Literal(text) => return chars.and(first(text)),
            Step::Required(slot) => return chars.and(held(slot)),
            Step::Optional(optional) => {
                chars = chars.and(first(&optional.lead));
                index = optional.skip;
            }
            Step::Query => {
                let first = program.query.as_ref().map(|query| query.first);
                chars = first.map_or(chars, |first| chars.and(Chars::from_byte(first)));
                index += 1;
            }
        }
    }
    chars
}

fn first(text: &str) -> Chars {
    text.bytes().next().map_or(Chars::NONE, Chars::from_byte)
}

/// Whether what follows an optional part that is left out can be taken for it.
fn may_seem_present(program: &Program, optional: &Optional) -> bool {
    let lead = &*optional.lead;
    let alike = |other: &str| other.starts_with(lead) || lead.starts_with(other);
    let mut index = optional.skip;
    while let Some(step) = program.steps.get(index) {
        match step {
            Step::Literal(text) => return alike(text),
            Step::Required(slot) => return !first(lead).both(held(slot)).is_empty(),
            Step::Optional(other) if alike(&other.lead) => return true,
            Step::Optional(other) => index = other.skip,
            // No lead begins like a query.
            Step::Query => index += 1,
        }
    }
    false
}

fn is_told_from_the_end(rest: &[Step], value: &Slot) -> bool {
    let mut before = None;
    for step in rest {
        match step {
            // A query is found before anything else; a fragment as well, if the value cannot hold a `#`.
            Step::Query => return true,
            Step::Optional(optional) => return &*optional.lead == "#" && !held(value).has(b'#'),
            Step::Literal(text) => before = text.bytes().last(),
            Step::Required(slot) => {
                let told = before
                    .take()
                    .is_some_and(|last| RESERVED.has(last) && !held(slot).has(last));
                if !told {
                    return false;
                }
            }
        }
    }
    true
}
