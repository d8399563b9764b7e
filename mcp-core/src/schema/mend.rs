//! Arguments put right where the schema leaves no doubt about what was meant.
//!
//! Models write `"5"` for `5`, `"true"` for `true`, `1.0` for `1`, an array or object as a string, and null for what
//! they leave out. Where the schema also allows the value as it came, it stays.

use super::check::{Checker, MAX_NESTED, Nulls};
use super::cursor::Cursor;
use super::number::Decimal;
use super::program::{Program, Rule, RuleId, Types};
use super::tree::Tree;

/// Branches of unions that may be tried on one call: each costs a copy of the value.
const MAX_ATTEMPTS: u32 = 1000;

/// Mends a tree of arguments. Whether anything was changed.
pub(super) fn mend(program: &Program, arguments: &mut Tree) -> bool {
    let mut mender = Mender {
        program,
        checker: Checker::new(program, Nulls::Absent),
        depth: 0,
        attempts: 0,
        convert: true,
    };
    mender.members(program.root, arguments) | mender.unions(program.root, arguments)
}

/// Only takes away null where a property is optional: for profiles that make models write it.
pub(super) fn drop_nulls(program: &Program, arguments: &mut Tree) -> bool {
    let mut mender = Mender {
        program,
        checker: Checker::new(program, Nulls::Absent),
        depth: 0,
        attempts: 0,
        convert: false,
    };
    mender.members(program.root, arguments) | mender.unions(program.root, arguments)
}

struct Mender<'p> {
    program: &'p Program,
    checker: Checker<'p>,
    depth: usize,
    attempts: u32,
    /// Values may become values of another kind.
    convert: bool,
}

impl<'p> Mender<'p> {
    fn value(&mut self, id: RuleId, value: &mut Tree) -> bool {
        if self.depth > MAX_NESTED || self.checker.is_exhausted() {
            return false;
        }
        self.depth += 1;
        let rule = self.program.rule(id);
        let mut changed = self.convert && convert(rule, value);
        changed |= match value {
            Tree::Array(_) => self.items(rule, value),
            Tree::Object(_) => self.members(id, value),
            _ => false,
        };
        changed |= self.unions(id, value);
        self.depth -= 1;
        changed
    }

    fn items(&mut self, rule: &Rule, value: &mut Tree) -> bool {
        let Tree::Array(items) = value else {
            return false;
        };
        let mut changed = false;
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(rule) = rule.array.first.get(index).copied().or(rule.array.rest) {
                changed |= self.value(rule, item);
            }
        }
        changed
    }

    fn members(&mut self, id: RuleId, value: &mut Tree) -> bool {
        let Tree::Object(members) = value else {
            return false;
        };
        let object = &self.program.rule(id).object;
        let before = members.len();
        members.retain(|(name, member)| {
            let optional = object.property(name).filter(|property| !property.required);
            match (member, optional) {
                (Tree::Null, Some(property)) => self.checker.accepts(property.rule, &Tree::Null),
                _ => true,
            }
        });
        let mut changed = members.len() != before;
        for (name, member) in members {
            let property = object.property(name).map(|property| property.rule);
            let Some(rule) = property.or_else(|| object.other(name)) else {
                continue;
            };
            changed |= self.value(rule, member);
        }
        changed
    }

    fn unions(&mut self, id: RuleId, value: &mut Tree) -> bool {
        let unions = &self.program.rule(id).unions;
        let mut changed = false;
        if let Some(target) = unions.reference {
            changed |= self.value(target, value);
        }
        for &part in &unions.all_of {
            changed |= self.value(part, value);
        }
        changed |= self.branches(&unions.any_of, value);
        changed | self.branches(&unions.one_of, value)
    }

    /// A value that no branch accepts is mended when only one branch accepts it then, or all that do agree.
    fn branches(&mut self, branches: &'p [RuleId], value: &mut Tree) -> bool {
        let accepting: Vec<RuleId> = branches
            .iter()
            .copied()
            .filter(|&branch| self.checker.accepts(branch, value))
            .collect();
        match accepting.as_slice() {
            [] => self.mend_by_branch(branches, value),
            // What is valid may still be written as the type does not read it: `1.0` for an integer.
            [only] => self.value(*only, value),
            _ => false,
        }
    }

    fn mend_by_branch(&mut self, branches: &'p [RuleId], value: &mut Tree) -> bool {
        let mut found: Option<Tree> = None;
        for &branch in branches {
            self.attempts += 1;
            if self.attempts > MAX_ATTEMPTS {
                return false;
            }
            let mut attempt = value.clone();
            if !self.value(branch, &mut attempt) || !self.checker.accepts(branch, &attempt) {
                continue;
            }
            if found.as_ref().is_some_and(|other| *other != attempt) {
                return false;
            }
            found = Some(attempt);
        }
        if found.is_none() {
            // The branch that was meant has more wrong than can be mended: mend what can be, and report the rest.
            let meant = self.checker.meant(branches, value);
            return meant.is_some_and(|branch| self.value(branch, value));
        }
        let changed = found.is_some();
        if let Some(mended) = found {
            *value = mended;
        }
        changed
    }
}

/// Turns a value into one of the kind that the rule names, if it plainly stands for one.
fn convert(rule: &Rule, value: &mut Tree) -> bool {
    let types = rule.types;
    let mended = match value {
        Tree::String(text) if !types.is_any() && !types.names(Types::STRING) => {
            from_text(types, text)
        }
        Tree::Number(raw) if types.only_integers() => whole(raw),
        _ => None,
    };
    let changed = mended.is_some();
    if let Some(mended) = mended {
        *value = mended;
    }
    changed
}

fn from_text(types: Types, text: &str) -> Option<Tree> {
    match text.as_bytes().first()? {
        b'-' | b'0'..=b'9' if types.names(Types::INTEGER | Types::NUMBER) => {
            let mut cursor = Cursor::new(text);
            let raw = cursor.number().ok()?;
            if raw.len() != text.len() {
                return None;
            }
            if types.only_integers() && !is_plain_integer(raw) {
                return whole(raw);
            }
            Some(Tree::Number(raw.to_owned()))
        }
        b't' if text == "true" && types.names(Types::BOOLEAN) => Some(Tree::Boolean(true)),
        b'f' if text == "false" && types.names(Types::BOOLEAN) => Some(Tree::Boolean(false)),
        b'[' if types.names(Types::ARRAY) => {
            Tree::parse_clean(text).filter(|tree| matches!(tree, Tree::Array(_)))
        }
        b'{' if types.names(Types::OBJECT) => {
            Tree::parse_clean(text).filter(|tree| matches!(tree, Tree::Object(_)))
        }
        _ => None,
    }
}

/// A whole number that is not written like one.
fn whole(raw: &str) -> Option<Tree> {
    if is_plain_integer(raw) {
        return None;
    }
    Decimal::parse(raw).to_integer_text().map(Tree::Number)
}

/// What integer types read: serde_json takes `-0` for a fraction.
fn is_plain_integer(raw: &str) -> bool {
    raw != "-0" && !raw.contains(['.', 'e', 'E'])
}
