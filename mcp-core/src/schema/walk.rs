//! The keywords that no type enforces, checked over the text itself. Nothing is built and, but for strings with
//! escapes, nothing is allocated.

use std::ops::Range;

use super::check::{Checker, Nulls, number_follows, string_follows, within};
use super::cursor::{Cursor, Kind, MAX_DEPTH, Unreadable};
use super::program::{Program, Rule, RuleId, WalkFor};
use super::tree::Tree;

/// What a walk found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Follows,
    Breaks,
    /// Some strings are not among those that their `enum` lists, and all else follows. They may be aliases.
    Unlisted(Vec<Unlisted>),
}

/// Strings that are not in the `enum` of one rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unlisted {
    rule: RuleId,
    /// Where they are in the text, quotes and all.
    pub(super) places: Vec<Range<usize>>,
}

/// Whether a text that its type has accepted also follows the keywords of its schema.
pub(super) fn walk(program: &Program, text: &str) -> Verdict {
    if !program.needs_walk() {
        return Verdict::Follows;
    }
    let mut walk = Walk {
        program,
        cursor: Cursor::new(text),
        unlisted: Vec::new(),
        thorough: false,
    };
    match walk.value(program.root, 0) {
        Ok(true) if walk.unlisted.is_empty() => Verdict::Follows,
        Ok(true) => Verdict::Unlisted(walk.unlisted),
        Ok(false) | Err(_) => Verdict::Breaks,
    }
}

/// Whether a text also has the kinds and bounds that its type should enforce.
///
/// A struct with a flattened `Option` does not: what its fields refuse, it takes for fields that are not there.
pub(super) fn holds_throughout(program: &Program, text: &str) -> bool {
    let mut walk = Walk {
        program,
        cursor: Cursor::new(text),
        unlisted: Vec::new(),
        thorough: true,
    };
    walk.value(program.root, 0).unwrap_or(false)
}

struct Walk<'p, 't> {
    program: &'p Program,
    cursor: Cursor<'t>,
    unlisted: Vec<Unlisted>,
    /// Looks also at what types enforce by themselves.
    thorough: bool,
}

impl<'p> Walk<'p, '_> {
    fn value(&mut self, id: RuleId, depth: usize) -> Result<bool, Unreadable> {
        if depth > MAX_DEPTH {
            return Err(Unreadable::Depth);
        }
        let rule = self.program.rule(id);
        if rule.walk == WalkFor::Nothing && !self.thorough {
            self.cursor.skip(depth)?;
            return Ok(true);
        }
        let kind = self.cursor.kind()?;
        let Some((id, rule)) = self.followed(id, kind) else {
            return self.cursor.literal().map(|_| true);
        };
        if !rule.types.allow(kind) {
            return Ok(false);
        }
        if rule.walk == WalkFor::Keywords && rule.needs_tree() {
            return self.tree(id, depth);
        }
        match (kind, &rule.values) {
            (Kind::Null | Kind::Boolean, None) => self.cursor.literal().map(|_| true),
            (Kind::Number, None) => self.number(rule),
            (Kind::String, values) => self.text(id, values.as_deref()),
            (Kind::Array, None) => self.items(rule, depth),
            (Kind::Object, None) => self.members(rule, depth),
            (_, Some(_)) => self.tree(id, depth),
        }
    }

    /// The rule that says something, and `None` for null where it is as good.
    fn followed(&self, mut id: RuleId, kind: Kind) -> Option<(RuleId, &'p Rule)> {
        let mut rule = self.program.rule(id);
        // References that lead in a circle end with a rule that says nothing.
        for _ in 0..MAX_DEPTH {
            let Some(forward) = rule.forward else {
                break;
            };
            if forward.or_null && kind == Kind::Null {
                return None;
            }
            id = forward.to;
            rule = self.program.rule(id);
        }
        Some((id, rule))
    }

    fn number(&mut self, rule: &Rule) -> Result<bool, Unreadable> {
        let raw = self.cursor.number()?;
        let is_plain = raw
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
        let kind_fits = !self.thorough || is_plain || !rule.types.only_integers();
        Ok(kind_fits && number_follows(&rule.number, raw))
    }

    fn text(&mut self, id: RuleId, values: Option<&[Tree]>) -> Result<bool, Unreadable> {
        let start = self.cursor.position();
        let text = self.cursor.string()?.decode().0;
        let is_text = |value: &Tree| matches!(value, Tree::String(listed) if *listed == *text);
        if values.is_none_or(|values| values.iter().any(is_text)) {
            return Ok(string_follows(&self.program.rule(id).string, &text));
        }
        let place = start..self.cursor.position();
        match self
            .unlisted
            .iter_mut()
            .find(|unlisted| unlisted.rule == id)
        {
            Some(unlisted) => unlisted.places.push(place),
            None => self.unlisted.push(Unlisted {
                rule: id,
                places: vec![place],
            }),
        }
        Ok(true)
    }

    /// Unions and the like look at a value more than once.
    fn tree(&mut self, id: RuleId, depth: usize) -> Result<bool, Unreadable> {
        let start = self.cursor.position();
        self.cursor.skip(depth)?;
        let tree = Tree::parse(self.cursor.since(start), &mut Vec::new())?;
        Ok(Checker::new(self.program, Nulls::Absent).accepts(id, &tree))
    }

    fn items(&mut self, rule: &'p Rule, depth: usize) -> Result<bool, Unreadable> {
        let array = &rule.array;
        let mut count = 0;
        let mut more = self.cursor.enter(b']');
        while more {
            let item = array.first.get(count).copied().or(array.rest);
            if !self.optional(item, depth)? {
                return Ok(false);
            }
            count += 1;
            more = self.cursor.more(b']')?;
        }
        Ok(within(count, array.min, array.max))
    }

    fn members(&mut self, rule: &'p Rule, depth: usize) -> Result<bool, Unreadable> {
        let object = &rule.object;
        let mut count = 0;
        let mut more = self.cursor.enter(b'}');
        while more {
            let name = self.cursor.key()?.decode().0;
            let member = match object.property(&name) {
                // Null of an optional property is as good as none.
                Some(property) if !property.required && self.cursor.kind()? == Kind::Null => None,
                Some(property) => Some(property.rule),
                None => object.other(&name),
            };
            if member.is_none() && object.closed && object.property(&name).is_none() {
                return Ok(false);
            }
            if !self.optional(member, depth)? {
                return Ok(false);
            }
            count += 1;
            more = self.cursor.more(b'}')?;
        }
        Ok(within(count, object.min, object.max))
    }

    fn optional(&mut self, rule: Option<RuleId>, depth: usize) -> Result<bool, Unreadable> {
        match rule {
            Some(rule) => self.value(rule, depth + 1),
            None => self.cursor.skip(depth + 1).map(|()| true),
        }
    }
}
