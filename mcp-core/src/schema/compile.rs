//! A schema made ready for checking: names looked up, patterns compiled, references resolved.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::SchemaError;
use super::bounds::{Bound, natural_bounds};
use super::cursor::{Kind, MAX_DEPTH};
use super::format::Format;
use super::tree::Tree;

/// Far more than any tool has; it keeps a schema that somebody else wrote from filling the memory.
const MAX_RULES: usize = 10_000;

/// Which rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleId(usize);

/// All rules of one schema.
#[derive(Debug)]
pub(super) struct Program {
    rules: Vec<Rule>,
    pub(super) root: RuleId,
}

impl Program {
    /// Compiles a schema whose keywords are all among those checked.
    pub(super) fn new(schema: &Value) -> Result<Self, SchemaError> {
        let mut compiler = Compiler {
            schema,
            rules: Vec::new(),
            references: HashMap::new(),
        };
        let root = compiler.rule(schema, "", 0)?;
        let mut program = Self {
            rules: compiler.rules,
            root,
        };
        program.mark_walked();
        Ok(program)
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

    fn insert(&mut self, name: &str) -> bool {
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
    /// Types also take an array for a struct, and an object for a variant without fields; the schema does not.
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
    /// Here and below.
    pub(super) walk: WalkFor,
}

#[derive(Debug, Default)]
pub(super) struct NumberRule {
    pub(super) lower: Option<Bound>,
    pub(super) upper: Option<Bound>,
    pub(super) step: Option<String>,
    /// Must fit a floating-point number.
    pub(super) finite: bool,
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
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl ObjectRule {
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

    fn has_kind_of_its_own(&self) -> bool {
        let is_struct = self.types == Types(Types::OBJECT) && !self.object.properties.is_empty();
        let is_enum = self.types == Types(Types::STRING) && self.values.is_some();
        is_struct || is_enum
    }

    /// Whether a walk over the text cannot decide and a tree is needed.
    pub(super) fn needs_tree(&self) -> bool {
        !self.unions.is_empty() || self.array.unique || !self.object.patterns.is_empty()
    }
}

struct Compiler<'s> {
    schema: &'s Value,
    rules: Vec<Rule>,
    references: HashMap<&'s str, RuleId>,
}

impl<'s> Compiler<'s> {
    fn rule(&mut self, schema: &'s Value, at: &str, depth: usize) -> Result<RuleId, SchemaError> {
        let id = self.reserve(depth)?;
        self.fill(id, schema, at, depth)?;
        Ok(id)
    }

    fn reserve(&mut self, depth: usize) -> Result<RuleId, SchemaError> {
        if depth > MAX_DEPTH {
            return Err(SchemaError::TooLarge { limit: MAX_DEPTH });
        }
        if self.rules.len() == MAX_RULES {
            return Err(SchemaError::TooLarge { limit: MAX_RULES });
        }
        self.rules.push(Rule::default());
        Ok(RuleId(self.rules.len() - 1))
    }

    fn fill(
        &mut self,
        id: RuleId,
        schema: &'s Value,
        at: &str,
        depth: usize,
    ) -> Result<(), SchemaError> {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => {
                let anything = self.reserve(depth + 1)?;
                self.rules[id.0].unions.not = Some(anything);
                return Ok(());
            }
            _ => return Err(meaningless(at, "schema")),
        };
        let node = Node { map, at, depth };
        let mut rule = Rule {
            types: node.types()?,
            values: node.values()?,
            ..Rule::default()
        };
        let mut walked = false;
        rule.number = node.number(rule.types, &mut walked)?;
        rule.string = node.string(&mut walked)?;
        rule.array = self.array(&node, &mut walked)?;
        rule.object = self.object(&node, &mut walked)?;
        rule.unions = self.unions(&node, &mut walked)?;
        rule.walk = match (walked, rule.has_kind_of_its_own()) {
            (true, _) => WalkFor::Keywords,
            // That the arguments themselves are an object is known by then.
            (false, true) if depth > 0 => WalkFor::Kinds,
            (false, _) => WalkFor::Nothing,
        };
        self.rules[id.0] = rule;
        Ok(())
    }

    fn child(&mut self, node: &Node<'s, '_>, keyword: &str) -> Result<Option<RuleId>, SchemaError> {
        let Some(schema) = node.map.get(keyword) else {
            return Ok(None);
        };
        let at = format!("{}/{keyword}", node.at);
        self.rule(schema, &at, node.depth + 1).map(Some)
    }

    fn list(&mut self, node: &Node<'s, '_>, keyword: &str) -> Result<Vec<RuleId>, SchemaError> {
        let Some(value) = node.map.get(keyword) else {
            return Ok(Vec::new());
        };
        let schemas = value
            .as_array()
            .filter(|schemas| !schemas.is_empty())
            .ok_or_else(|| meaningless(node.at, keyword))?;
        let mut rules = Vec::with_capacity(schemas.len());
        for (index, schema) in schemas.iter().enumerate() {
            let at = format!("{}/{keyword}/{index}", node.at);
            rules.push(self.rule(schema, &at, node.depth + 1)?);
        }
        Ok(rules)
    }

    fn named(
        &mut self,
        node: &Node<'s, '_>,
        keyword: &str,
    ) -> Result<Vec<(&'s str, RuleId)>, SchemaError> {
        let Some(value) = node.map.get(keyword) else {
            return Ok(Vec::new());
        };
        let schemas = value
            .as_object()
            .ok_or_else(|| meaningless(node.at, keyword))?;
        let mut rules = Vec::with_capacity(schemas.len());
        for (name, schema) in schemas {
            let at = format!("{}/{keyword}/{name}", node.at);
            rules.push((name.as_str(), self.rule(schema, &at, node.depth + 1)?));
        }
        Ok(rules)
    }

    fn array(&mut self, node: &Node<'s, '_>, walked: &mut bool) -> Result<ArrayRule, SchemaError> {
        let rule = ArrayRule {
            first: self.list(node, "prefixItems")?,
            rest: self.child(node, "items")?,
            min: node.count("minItems")?,
            max: node.count("maxItems")?,
            unique: node.map.get("uniqueItems") == Some(&Value::Bool(true)),
        };
        // Tuples enforce their own length.
        let length = u64::try_from(rule.first.len()).ok().filter(|&n| n > 0);
        let is_tuple = length.is_some() && rule.min == length && rule.max == length;
        *walked |= rule.unique || (!is_tuple && (rule.min.is_some() || rule.max.is_some()));
        Ok(rule)
    }

    fn object(
        &mut self,
        node: &Node<'s, '_>,
        walked: &mut bool,
    ) -> Result<ObjectRule, SchemaError> {
        let mut required = node.required()?;
        let properties = self
            .named(node, "properties")?
            .into_iter()
            .map(|(name, rule)| Property {
                name: name.to_owned(),
                rule,
                required: required.contains(&name),
            })
            .collect::<Vec<_>>();
        required.retain(|name| properties.iter().all(|property| property.name != *name));
        let mut patterns = Vec::new();
        for (pattern, rule) in self.named(node, "patternProperties")? {
            // The keys of maps with integer keys: the type enforces them.
            *walked |= !matches!(pattern, r"^\d+$" | r"^-?\d+$");
            patterns.push((node.regex(pattern)?, rule));
        }
        let others = match node.map.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Others::Allowed,
            Some(Value::Bool(false)) => Others::Refused,
            Some(_) => self
                .child(node, "additionalProperties")?
                .map_or(Others::Allowed, Others::Follow),
        };
        let (min, max) = (node.count("minProperties")?, node.count("maxProperties")?);
        *walked |= min.is_some() || max.is_some();
        Ok(ObjectRule {
            properties,
            required: required.into_iter().map(str::to_owned).collect(),
            patterns,
            others,
            min,
            max,
        })
    }

    fn unions(&mut self, node: &Node<'s, '_>, walked: &mut bool) -> Result<Unions, SchemaError> {
        // `NonZeroI32` and its like say `not` zero, and enforce it.
        *walked |= node.map.get("not").is_some_and(|schema| {
            *schema != serde_json::json!({ "enum": [0] })
                && *schema != serde_json::json!({ "const": 0 })
        });
        Ok(Unions {
            any_of: self.list(node, "anyOf")?,
            one_of: self.list(node, "oneOf")?,
            all_of: self.list(node, "allOf")?,
            not: self.child(node, "not")?,
            reference: self.reference(node)?,
        })
    }

    fn reference(&mut self, node: &Node<'s, '_>) -> Result<Option<RuleId>, SchemaError> {
        let Some(value) = node.map.get("$ref") else {
            return Ok(None);
        };
        let reference = value.as_str().ok_or_else(|| meaningless(node.at, "$ref"))?;
        if let Some(&known) = self.references.get(reference) {
            return Ok(Some(known));
        }
        let target = resolve(self.schema, reference)?;
        let id = self.reserve(node.depth + 1)?;
        self.references.insert(reference, id);
        self.fill(id, target, reference, node.depth + 1)?;
        Ok(Some(id))
    }
}

/// Finds what a `$ref` inside of the schema means.
fn resolve<'s>(schema: &'s Value, reference: &str) -> Result<&'s Value, SchemaError> {
    let Some(fragment) = reference.strip_prefix('#') else {
        return Err(SchemaError::ExternalReference {
            reference: reference.to_owned(),
        });
    };
    percent_decoded(fragment)
        .and_then(|pointer| schema.pointer(&pointer))
        .ok_or_else(|| SchemaError::UnknownReference {
            reference: reference.to_owned(),
        })
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// One schema object while it is read.
struct Node<'s, 'a> {
    map: &'s Map<String, Value>,
    at: &'a str,
    depth: usize,
}

impl<'s> Node<'s, '_> {
    fn types(&self) -> Result<Types, SchemaError> {
        let mut types = Types::default();
        let fine = match self.map.get("type") {
            None => true,
            Some(Value::String(name)) => types.insert(name),
            Some(Value::Array(names)) => names
                .iter()
                .all(|name| name.as_str().is_some_and(|name| types.insert(name))),
            Some(_) => false,
        };
        if fine {
            Ok(types)
        } else {
            Err(meaningless(self.at, "type"))
        }
    }

    fn values(&self) -> Result<Option<Vec<Tree>>, SchemaError> {
        let constant = self.map.get("const").map(Tree::from);
        let listed = match self.map.get("enum") {
            None => None,
            Some(Value::Array(values)) => Some(values.iter().map(Tree::from).collect::<Vec<_>>()),
            Some(_) => return Err(meaningless(self.at, "enum")),
        };
        Ok(match (constant, listed) {
            (Some(constant), Some(listed)) => Some(
                listed
                    .into_iter()
                    .filter(|value| *value == constant)
                    .collect(),
            ),
            (Some(constant), None) => Some(vec![constant]),
            (None, listed) => listed,
        })
    }

    fn number(&self, types: Types, walked: &mut bool) -> Result<NumberRule, SchemaError> {
        let format = self.map.get("format").and_then(Value::as_str).unwrap_or("");
        let lower = Bound::tightest_lower(self.bound("minimum")?, self.bound("exclusiveMinimum")?);
        let upper = Bound::tightest_upper(self.bound("maximum")?, self.bound("exclusiveMaximum")?);
        let step = self.bound("multipleOf")?;
        let natural = natural_bounds(format).filter(|_| types.only_integers());
        let (natural_lower, natural_upper) = natural.unzip();
        *walked |= step.is_some()
            || lower
                .as_ref()
                .is_some_and(|b| natural_lower.as_ref() != Some(b))
            || upper
                .as_ref()
                .is_some_and(|b| natural_upper.as_ref() != Some(b));
        Ok(NumberRule {
            lower: lower.or(natural_lower),
            upper: upper.or(natural_upper),
            step,
            finite: matches!(format, "float" | "double"),
        })
    }

    fn string(&self, walked: &mut bool) -> Result<StringRule, SchemaError> {
        let rule = StringRule {
            min: self.count("minLength")?,
            max: self.count("maxLength")?,
            pattern: match self.map.get("pattern") {
                None => None,
                Some(Value::String(pattern)) => Some(self.regex(pattern)?),
                Some(_) => return Err(meaningless(self.at, "pattern")),
            },
            format: self
                .map
                .get("format")
                .and_then(Value::as_str)
                .and_then(Format::from_name),
        };
        *walked |= rule.min.is_some()
            || rule.max.is_some()
            || rule.pattern.is_some()
            || rule.format.is_some();
        Ok(rule)
    }

    fn required(&self) -> Result<Vec<&'s str>, SchemaError> {
        let Some(value) = self.map.get("required") else {
            return Ok(Vec::new());
        };
        value
            .as_array()
            .and_then(|names| names.iter().map(Value::as_str).collect())
            .ok_or_else(|| meaningless(self.at, "required"))
    }

    fn bound(&self, keyword: &str) -> Result<Option<String>, SchemaError> {
        match self.map.get(keyword) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(meaningless(self.at, keyword)),
        }
    }

    fn count(&self, keyword: &str) -> Result<Option<u64>, SchemaError> {
        match self.map.get(keyword) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .map(Some)
                .ok_or_else(|| meaningless(self.at, keyword)),
        }
    }

    fn regex(&self, pattern: &str) -> Result<Regex, SchemaError> {
        super::pattern::compile(pattern).map_err(|reason| SchemaError::Pattern {
            pointer: self.at.to_owned(),
            pattern: pattern.to_owned(),
            reason,
        })
    }
}

fn meaningless(at: &str, keyword: &str) -> SchemaError {
    SchemaError::Keyword {
        pointer: at.to_owned(),
        keyword: keyword.to_owned(),
    }
}
