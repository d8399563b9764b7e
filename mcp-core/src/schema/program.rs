//! Rules: what a compiled schema says, ready to be checked.

use regex_lite::Regex;

use super::bounds::Bound;
use super::cursor::Kind;
use super::format::Format;
use super::tree::Tree;

/// Which rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleId(pub(super) usize);

/// All rules of one schema.
#[derive(Debug)]
pub(super) struct Program {
    rules: Vec<Rule>,
    pub(super) root: RuleId,
}

impl Program {
    pub(super) fn new(rules: Vec<Rule>, root: RuleId) -> Self {
        let mut program = Self { rules, root };
        program.mark_walked();
        program
    }

    pub(super) fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0]
    }

    /// Whether anything is checked that the types do not enforce by themselves.
    pub(super) fn needs_walk(&self) -> bool {
        self.rule(self.root).walk > WalkFor::Nothing
    }

    /// A rule is walked when one below it is. Rules may be recursive, so this goes on until nothing changes.
    fn mark_walked(&mut self) {
        loop {
            let found: Vec<(usize, WalkFor)> = (0..self.rules.len())
                .filter_map(|index| {
                    let rule = &self.rules[index];
                    let below = self.walk_below(rule);
                    (below > rule.walk).then_some((index, below))
                })
                .collect();
            if found.is_empty() {
                return;
            }
            for (index, walk) in found {
                self.rules[index].walk = walk;
            }
        }
    }

    fn walk_below(&self, rule: &Rule) -> WalkFor {
        let inside = rule.inside().map(|child| self.rule(child).walk);
        if let Some(forward) = rule.forward {
            return inside
                .chain([self.rule(forward.to).walk])
                .max()
                .unwrap_or_default();
        }
        // Which branch of a union a value belongs to, its type finds out.
        let branches = rule
            .unions
            .all()
            .map(|branch| match self.rule(branch).walk {
                WalkFor::Kinds => WalkFor::Nothing,
                walk => walk,
            });
        inside.chain(branches).max().unwrap_or_default()
    }
}

/// The kinds of value that a `type` allows; empty when there is no `type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Types(u8);

/// In the order in which a report names them.
const TYPE_NAMES: [(&str, u8); 7] = [
    ("integer", Types::INTEGER),
    ("number", Types::NUMBER),
    ("string", Types::STRING),
    ("boolean", Types::BOOLEAN),
    ("array", Types::ARRAY),
    ("object", Types::OBJECT),
    ("null", Types::NULL),
];

impl Types {
    pub(super) const INTEGER: u8 = 1;
    pub(super) const NUMBER: u8 = 2;
    pub(super) const STRING: u8 = 4;
    pub(super) const BOOLEAN: u8 = 8;
    pub(super) const ARRAY: u8 = 16;
    pub(super) const OBJECT: u8 = 32;
    pub(super) const NULL: u8 = 64;

    pub(super) fn is_any(self) -> bool {
        self.0 == 0
    }

    /// Whether one of `types` is named.
    pub(super) fn names(self, types: u8) -> bool {
        self.0 & types != 0
    }

    /// Whether a value of this kind may be allowed; a number may still have to be whole.
    pub(super) fn allow(self, kind: Kind) -> bool {
        self.is_any()
            || self.names(match kind {
                Kind::Null => Self::NULL,
                Kind::Boolean => Self::BOOLEAN,
                Kind::Number => Self::INTEGER | Self::NUMBER,
                Kind::String => Self::STRING,
                Kind::Array => Self::ARRAY,
                Kind::Object => Self::OBJECT,
            })
    }

    /// Whether numbers must be whole.
    pub(super) fn only_integers(self) -> bool {
        self.names(Self::INTEGER) && !self.names(Self::NUMBER)
    }

    pub(super) fn named(self) -> impl Iterator<Item = &'static str> {
        TYPE_NAMES
            .into_iter()
            .filter(move |&(_, bit)| self.names(bit))
            .map(|(name, _)| name)
    }

    /// Adds a type by its name; `false` for names that are none.
    pub(super) fn insert(&mut self, name: &str) -> bool {
        let bit = TYPE_NAMES.iter().find(|(known, _)| *known == name);
        self.0 |= bit.map_or(0, |&(_, bit)| bit);
        bit.is_some()
    }
}

/// What a walk over the text looks for in a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WalkFor {
    /// Its type enforces all that is said of it.
    #[default]
    Nothing,
    /// Types also take an array for a struct, and values that an `enum` does not list; the schema does not.
    Kinds,
    /// Something is said of it that no type enforces.
    Keywords,
}

/// What one schema says, of every keyword that is checked.
#[derive(Debug, Default)]
pub(super) struct Rule {
    pub(super) types: Types,
    pub(super) values: Option<Vec<Tree>>,
    pub(super) number: NumberRule,
    pub(super) string: StringRule,
    pub(super) array: ArrayRule,
    pub(super) object: ObjectRule,
    pub(super) unions: Unions,
    /// Set when nothing else is said.
    pub(super) forward: Option<Forward>,
    /// Here and below.
    pub(super) walk: WalkFor,
}

#[derive(Debug, Default)]
pub(super) struct NumberRule {
    pub(super) lower: Option<Bound>,
    pub(super) upper: Option<Bound>,
    pub(super) step: Option<String>,
    /// The floating-point number that it must fit.
    pub(super) float: Option<Float>,
}

/// The width of a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float {
    /// serde makes an infinity of what is too large for this one.
    Single,
    Double,
}

impl Float {
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Single => 32,
            Self::Double => 64,
        }
    }

    pub(super) fn holds(self, raw: &str) -> bool {
        match self {
            Self::Single => raw.parse::<f32>().is_ok_and(f32::is_finite),
            Self::Double => raw.parse::<f64>().is_ok_and(f64::is_finite),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct StringRule {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
    pub(super) pattern: Option<Regex>,
    pub(super) format: Option<Format>,
}

#[derive(Debug, Default)]
pub(super) struct ArrayRule {
    pub(super) first: Vec<RuleId>,
    pub(super) rest: Option<RuleId>,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
    pub(super) unique: bool,
}

#[derive(Debug, Default)]
pub(super) struct ObjectRule {
    pub(super) properties: Vec<Property>,
    /// Required names that have no schema.
    pub(super) required: Vec<String>,
    pub(super) patterns: Vec<(Regex, RuleId)>,
    pub(super) others: Others,
    /// The type passes over other members, and the schema refuses them.
    pub(super) closed: bool,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl ObjectRule {
    /// The rule of a member that is no property.
    pub(super) fn other(&self, name: &str) -> Option<RuleId> {
        let mut patterns = self.patterns.iter();
        let matching = patterns.find(|(pattern, _)| pattern.is_match(name));
        match (matching, self.others) {
            (Some(&(_, rule)), _) | (None, Others::Follow(rule)) => Some(rule),
            (None, Others::Allowed | Others::Refused) => None,
        }
    }

    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) rule: RuleId,
    pub(super) required: bool,
}

/// Members that are not properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Others {
    #[default]
    Allowed,
    Refused,
    Follow(RuleId),
}

/// A rule that leaves all to another: a reference, or what `Option` makes of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forward {
    pub(super) to: RuleId,
    pub(super) or_null: bool,
}

#[derive(Debug, Default)]
pub(super) struct Unions {
    pub(super) any_of: Vec<RuleId>,
    pub(super) one_of: Vec<RuleId>,
    pub(super) all_of: Vec<RuleId>,
    pub(super) not: Option<RuleId>,
    pub(super) reference: Option<RuleId>,
}

impl Unions {
    pub(super) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    fn all(&self) -> impl Iterator<Item = RuleId> {
        let branches = self.any_of.iter().chain(&self.one_of).chain(&self.all_of);
        branches.copied().chain(self.not).chain(self.reference)
    }
}

impl Rule {
    /// The rules for what is inside of a value.
    fn inside(&self) -> impl Iterator<Item = RuleId> {
        let object = &self.object;
        let others = match object.others {
            Others::Follow(rule) => Some(rule),
            Others::Allowed | Others::Refused => None,
        };
        let items = self.array.first.iter().copied().chain(self.array.rest);
        let members = object.properties.iter().map(|property| property.rule);
        let patterns = object.patterns.iter().map(|&(_, rule)| rule);
        items.chain(members).chain(patterns).chain(others)
    }

    /// Whether its type takes other kinds of value than the schema.
    pub(super) fn has_kind_of_its_own(&self) -> bool {
        let is_struct = self.types == Types(Types::OBJECT) && !self.object.properties.is_empty();
        is_struct || self.values.is_some()
    }

    /// Whether a walk over the text cannot decide and a tree is needed.
    pub(super) fn needs_tree(&self) -> bool {
        let union = self.forward.is_none() && !self.unions.is_empty();
        union || self.array.unique || !self.object.patterns.is_empty()
    }
}
