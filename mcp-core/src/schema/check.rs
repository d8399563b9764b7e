//! A tree checked against a program: every violation, each with its place.

use std::collections::HashSet;

use super::cursor::{Kind, MAX_DEPTH};
use super::describe::{describe, describe_number, describe_string, describe_union};
use super::number::Decimal;
use super::program::{NumberRule, ObjectRule, Others, Program, Rule, RuleId, StringRule};
use super::report::{Pointer, Problem, Violation};
use super::tree::Tree;

/// Steps that one check may take: unions inside of unions multiply, and arguments come from outside.
const MAX_STEPS: u32 = 1 << 20;
/// References count as levels here, and a recursive type has one for each of its own.
pub(super) const MAX_NESTED: usize = 2 * MAX_DEPTH;
/// More are only counted by a report, which shows fewer still.
const MAX_COLLECTED: usize = 1024;

/// How null is seen where a property may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nulls {
    /// As if the property were not there: the rule for arguments.
    Absent,
    /// As any other value: the rule of JSON Schema.
    Values,
}

/// One check of one tree.
#[derive(Debug)]
pub(super) struct Checker<'p> {
    program: &'p Program,
    nulls: Nulls,
    steps: u32,
    depth: usize,
    failures: usize,
    /// Bounds of the check were passed somewhere, so that not all failures are those of the value.
    gave_up: bool,
    /// While a branch of a union is tried, its failures are counted and not described.
    quiet: bool,
    violations: Vec<Violation>,
}

impl<'p> Checker<'p> {
    pub(super) fn new(program: &'p Program, nulls: Nulls) -> Self {
        Self {
            program,
            nulls,
            steps: 0,
            depth: 0,
            failures: 0,
            gave_up: false,
            quiet: false,
            violations: Vec::new(),
        }
    }

    /// All violations of a whole tree.
    pub(super) fn violations(mut self, tree: &Tree) -> Vec<Violation> {
        self.check(self.program.root, tree, Pointer::root());
        self.collected()
    }

    /// The same, or `None` when the bounds of the check were passed: it does not show what is wrong then.
    pub(super) fn certain_violations(mut self, tree: &Tree) -> Option<Vec<Violation>> {
        self.check(self.program.root, tree, Pointer::root());
        (!self.gave_up).then(|| self.collected())
    }

    fn collected(mut self) -> Vec<Violation> {
        // An object and a branch of its union may say the same.
        let mut seen = HashSet::new();
        self.violations
            .retain(|violation| seen.insert(violation.to_string()));
        self.violations
    }

    /// Whether a value follows a rule.
    pub(super) fn accepts(&mut self, rule: RuleId, value: &Tree) -> bool {
        let (quiet, failures) = (self.quiet, self.failures);
        self.quiet = true;
        self.check(rule, value, Pointer::root());
        self.quiet = quiet;
        let accepted = self.failures == failures;
        self.failures = failures;
        accepted
    }

    /// Whether the bounds of the check were passed: nothing is accepted from then on.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps > MAX_STEPS
    }

    fn fail(&mut self, pointer: Pointer<'_>, problem: impl FnOnce() -> Problem) {
        self.failures += 1;
        if !self.quiet && self.violations.len() < MAX_COLLECTED {
            self.violations.push(Violation::new(pointer, problem()));
        }
    }

    fn check(&mut self, id: RuleId, value: &Tree, pointer: Pointer<'_>) {
        self.steps = self.steps.saturating_add(1);
        if self.is_exhausted() || self.depth > MAX_NESTED {
            self.gave_up = true;
            // Said once: everything after the bound fails alike.
            let first = self.failures == 0 || self.steps == MAX_STEPS + 1;
            self.failures += usize::from(!first);
            if first {
                self.fail(pointer, || {
                    Problem::Refused("too deep or too intricate to check".to_owned())
                });
            }
            return;
        }
        self.depth += 1;
        self.check_rule(self.program.rule(id), value, pointer);
        self.depth -= 1;
    }

    fn check_rule(&mut self, rule: &'p Rule, value: &Tree, pointer: Pointer<'_>) {
        let before = self.failures;
        if !rule_allows_kind(rule, value) || !rule_allows_value(rule, value) {
            let program = self.program;
            self.fail(pointer, || {
                Problem::unexpected(describe(program, rule), value)
            });
            return;
        }
        match value {
            Tree::Number(raw) => {
                if !number_follows(&rule.number, raw) {
                    self.fail(pointer, || {
                        Problem::unexpected(describe_number(rule), value)
                    });
                }
            }
            Tree::String(text) => {
                if !string_follows(&rule.string, text) {
                    self.fail(pointer, || {
                        Problem::unexpected(describe_string(rule), value)
                    });
                }
            }
            Tree::Array(items) => self.check_items(rule, items, value, pointer),
            Tree::Object(members) => self.check_members(&rule.object, members, value, pointer),
            Tree::Null | Tree::Boolean(_) => {}
        }
        let failed = self.failures > before;
        self.check_unions(rule, value, pointer, failed);
    }

    fn check_items(&mut self, rule: &'p Rule, items: &[Tree], value: &Tree, pointer: Pointer<'_>) {
        let array = &rule.array;
        if !within(items.len(), array.min, array.max) {
            let expected = counted("array", "item", array.min, array.max);
            self.fail(pointer, || Problem::unexpected(expected, value));
        }
        if array.unique && !all_differ(items) {
            self.fail(pointer, || {
                Problem::unexpected("array whose items all differ", value)
            });
        }
        for (index, item) in items.iter().enumerate() {
            let rule = array.first.get(index).copied().or(array.rest);
            if let Some(rule) = rule {
                self.check(rule, item, pointer.item(index));
            }
        }
    }

    fn check_members(
        &mut self,
        object: &'p ObjectRule,
        members: &[(String, Tree)],
        value: &Tree,
        pointer: Pointer<'_>,
    ) {
        if !within(members.len(), object.min, object.max) {
            let expected = counted("object", "member", object.min, object.max);
            self.fail(pointer, || Problem::unexpected(expected, value));
        }
        for property in &object.properties {
            let at = pointer.member(&property.name);
            match value.member(&property.name) {
                Some(Tree::Null) if !property.required && self.nulls == Nulls::Absent => {}
                Some(member) => self.check(property.rule, member, at),
                None if property.required => {
                    let program = self.program;
                    let expected = || describe(program, program.rule(property.rule));
                    self.fail(at, || Problem::Missing {
                        expected: expected(),
                    });
                }
                None => {}
            }
        }
        for name in &object.required {
            if value.member(name).is_none() {
                self.fail(pointer.member(name), || Problem::Missing {
                    expected: "any value".to_owned(),
                });
            }
        }
        self.check_others(object, members, pointer);
    }

    fn check_others(
        &mut self,
        object: &'p ObjectRule,
        members: &[(String, Tree)],
        pointer: Pointer<'_>,
    ) {
        for (name, member) in members {
            let at = pointer.member(name);
            let mut known = object.property(name).is_some();
            for (pattern, rule) in &object.patterns {
                if pattern.is_match(name) {
                    known = true;
                    self.check(*rule, member, at);
                }
            }
            match object.others {
                Others::Follow(rule) if !known => self.check(rule, member, at),
                Others::Refused if !known => self.fail(at, || {
                    let names = object.properties.iter().map(|p| p.name.as_str());
                    Problem::unknown(name, names)
                }),
                _ => {}
            }
        }
    }

    /// Of a value that has `failed` otherwise, no union says again that it is wrong as a whole.
    fn check_unions(&mut self, rule: &'p Rule, value: &Tree, pointer: Pointer<'_>, failed: bool) {
        let unions = &rule.unions;
        if let Some(target) = unions.reference {
            self.check(target, value, pointer);
        }
        for &part in &unions.all_of {
            self.check(part, value, pointer);
        }
        if let Some(not) = unions.not
            && self.accepts(not, value)
        {
            let program = self.program;
            self.fail(pointer, || {
                let refused = describe(program, program.rule(not));
                Problem::unexpected(format!("anything but {refused}"), value)
            });
        }
        if !unions.any_of.is_empty() && self.accepting(&unions.any_of, 1, value) == 0 {
            self.refuse_branches(&unions.any_of, value, pointer, failed);
        }
        if unions.one_of.is_empty() {
            return;
        }
        match self.accepting(&unions.one_of, 2, value) {
            0 => self.refuse_branches(&unions.one_of, value, pointer, failed),
            1 => {}
            _ => {
                let program = self.program;
                self.fail(pointer, || {
                    let expected = describe_union(program, &unions.one_of);
                    Problem::unexpected(format!("only one of {expected}"), value)
                });
            }
        }
    }

    /// How many branches accept a value, up to `enough`.
    fn accepting(&mut self, branches: &[RuleId], enough: usize, value: &Tree) -> usize {
        let accepting = branches
            .iter()
            .filter(|&&branch| self.accepts(branch, value));
        accepting.take(enough).count()
    }

    /// When it is plain which branch was meant, its own violations help most.
    fn refuse_branches(
        &mut self,
        branches: &'p [RuleId],
        value: &Tree,
        pointer: Pointer<'_>,
        failed: bool,
    ) {
        match self.meant(branches, value) {
            Some(branch) if !self.quiet => self.check(branch, value, pointer),
            None if failed => {}
            _ => {
                let program = self.program;
                self.fail(pointer, || {
                    Problem::unexpected(describe_union(program, branches), value)
                });
            }
        }
    }

    /// The only branch whose kind and tag the value has, or else the only one of these that shares a name with it.
    pub(super) fn meant(&self, branches: &[RuleId], value: &Tree) -> Option<RuleId> {
        let likely: Vec<RuleId> = branches
            .iter()
            .copied()
            .filter(|&branch| {
                let rule = self.program.rule(self.resolved(branch));
                rule_allows_kind(rule, value)
                    && rule_allows_value(rule, value)
                    && self.tags_fit(rule, value)
            })
            .collect();
        if let [only] = likely.as_slice() {
            return Some(*only);
        }
        let mut sharing = likely.into_iter().filter(|&branch| {
            let rule = self.program.rule(self.resolved(branch));
            let mut properties = rule.object.properties.iter();
            properties.any(|property| value.member(&property.name).is_some())
        });
        let first = sharing.next()?;
        sharing.next().is_none().then_some(first)
    }

    /// Follows plain references to the rule that says something.
    fn resolved(&self, mut id: RuleId) -> RuleId {
        for _ in 0..MAX_DEPTH {
            match self.program.rule(id).unions.reference {
                Some(target) => id = target,
                None => break,
            }
        }
        id
    }

    /// Whether the members that may have only one value in this branch have it.
    fn tags_fit(&self, rule: &Rule, value: &Tree) -> bool {
        rule.object.properties.iter().all(|property| {
            let allowed = &self.program.rule(property.rule).values;
            match (allowed, value.member(&property.name)) {
                (Some(values), Some(member)) if values.len() == 1 => values[0] == *member,
                (_, None) => {
                    !property.required || value.kind() != Kind::Object || allowed.is_none()
                }
                _ => true,
            }
        })
    }
}

fn rule_allows_kind(rule: &Rule, value: &Tree) -> bool {
    if !rule.types.allow(value.kind()) {
        return false;
    }
    match value {
        Tree::Number(raw) if rule.types.only_integers() => Decimal::parse(raw).is_integer(),
        _ => true,
    }
}

fn rule_allows_value(rule: &Rule, value: &Tree) -> bool {
    rule.values
        .as_ref()
        .is_none_or(|values| values.contains(value))
}

/// Whether a number lies in its bounds.
pub(super) fn number_follows(rule: &NumberRule, raw: &str) -> bool {
    rule.lower
        .as_ref()
        .is_none_or(|bound| bound.allows_above(raw))
        && rule
            .upper
            .as_ref()
            .is_none_or(|bound| bound.allows_below(raw))
        && rule.step.as_ref().is_none_or(|step| {
            let step = Decimal::parse(step);
            step.is_zero() || Decimal::parse(raw).is_multiple_of(&step)
        })
        && rule.float.is_none_or(|float| float.holds(raw))
}

/// Whether a string has the length, pattern and format that it should.
pub(super) fn string_follows(rule: &StringRule, text: &str) -> bool {
    let counted = || within(text.chars().count(), rule.min, rule.max);
    (rule.min.is_none() && rule.max.is_none() || counted())
        && rule
            .pattern
            .as_ref()
            .is_none_or(|pattern| pattern.is_match(text))
        && rule.format.is_none_or(|format| format.matches(text))
}

/// Whether a count lies between two bounds.
pub(super) fn within(count: usize, min: Option<u64>, max: Option<u64>) -> bool {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}

/// `array of 1 to 3 items`.
fn counted(what: &str, part: &str, min: Option<u64>, max: Option<u64>) -> String {
    format!("{what} of {}", super::describe::count(part, min, max))
}

/// Sorted by their text first, so that many items do not cost the square of their number.
fn all_differ(items: &[Tree]) -> bool {
    let mut keys: Vec<String> = items.iter().map(canonical).collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

/// One text for all equal values.
fn canonical(value: &Tree) -> String {
    match value {
        Tree::Number(raw) => Decimal::parse(raw).canonical(),
        Tree::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Tree::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}:{}", Tree::String(key.clone()), canonical(value)))
                .collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        Tree::Null | Tree::Boolean(_) | Tree::String(_) => value.to_string(),
    }
}
