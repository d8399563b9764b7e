//! A schema made ready for checking: names looked up, patterns compiled, references resolved.

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::SchemaError;
use super::bounds::{Bound, natural_bounds};
use super::cursor::MAX_DEPTH;
use super::format::Format;
use super::program::{
    ArrayRule, Float, Forward, NumberRule, ObjectRule, Others, Program, Property, Rule, RuleId,
    StringRule, Types, Unions, WalkFor,
};
use super::tree::Tree;

/// Far more than any tool has; it keeps a schema that somebody else wrote from filling the memory.
const MAX_RULES: usize = 10_000;

/// Compiles a schema whose keywords are all among those checked.
///
/// # Errors
///
/// When a keyword has a value that means nothing, a pattern cannot be matched, or a reference leads nowhere.
pub(super) fn compile(schema: &Value) -> Result<Program, SchemaError> {
    let mut compiler = Compiler {
        schema,
        rules: Vec::new(),
        references: Vec::new(),
    };
    let root = compiler.rule(schema, "", 0)?;
    Ok(Program::new(compiler.rules, root))
}

struct Compiler<'s> {
    schema: &'s Value,
    rules: Vec<Rule>,
    references: Vec<(&'s str, RuleId)>,
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
        rule.forward = node.forward(&rule.unions);
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
        let Some(schema) = node.get(keyword) else {
            return Ok(None);
        };
        let at = format!("{}/{keyword}", node.at);
        self.rule(schema, &at, node.depth + 1).map(Some)
    }

    fn list(&mut self, node: &Node<'s, '_>, keyword: &str) -> Result<Vec<RuleId>, SchemaError> {
        let Some(value) = node.get(keyword) else {
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
        let Some(value) = node.get(keyword) else {
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
            unique: node.get("uniqueItems") == Some(&Value::Bool(true)),
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
        let others = match node.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Others::Allowed,
            Some(Value::Bool(false)) => Others::Refused,
            Some(_) => self
                .child(node, "additionalProperties")?
                .map_or(Others::Allowed, Others::Follow),
        };
        let (min, max) = (node.count("minProperties")?, node.count("maxProperties")?);
        let closed = node.get(super::profile::CLOSED).is_some();
        *walked |= min.is_some() || max.is_some() || closed;
        Ok(ObjectRule {
            properties,
            required: required.into_iter().map(str::to_owned).collect(),
            patterns,
            others,
            closed,
            min,
            max,
        })
    }

    fn unions(&mut self, node: &Node<'s, '_>, walked: &mut bool) -> Result<Unions, SchemaError> {
        // `NonZeroI32` and its like say `not` zero, and enforce it.
        *walked |= node.get("not").is_some_and(|schema| {
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
        let Some(value) = node.get("$ref") else {
            return Ok(None);
        };
        let reference = value.as_str().ok_or_else(|| meaningless(node.at, "$ref"))?;
        let mut known = self.references.iter();
        if let Some(&(_, known)) = known.find(|(name, _)| *name == reference) {
            return Ok(Some(known));
        }
        let target = resolve(self.schema, reference)?;
        let id = self.reserve(node.depth + 1)?;
        self.references.push((reference, id));
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

/// Keywords that allow and refuse nothing.
const DESCRIPTIONS: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "$comment",
    "$defs",
    "$schema",
];

/// One schema object while it is read.
struct Node<'s, 'a> {
    map: &'s Map<String, Value>,
    at: &'a str,
    depth: usize,
}

impl<'s> Node<'s, '_> {
    /// The value of a keyword. Schemas have few, so that looking through them is cheaper than hashing the name.
    fn get(&self, keyword: &str) -> Option<&'s Value> {
        let mut keywords = self.map.iter();
        keywords
            .find(|(name, _)| *name == keyword)
            .map(|(_, value)| value)
    }

    /// Where a schema leads that has nothing but a reference, or two branches of which one is null.
    fn forward(&self, unions: &Unions) -> Option<Forward> {
        let says = |keyword: &&String| !DESCRIPTIONS.contains(&keyword.as_str());
        let mut keywords = self.map.keys().filter(says);
        let only = keywords.next().filter(|_| keywords.next().is_none())?;
        if only == "$ref" {
            let to = unions.reference?;
            return Some(Forward { to, or_null: false });
        }
        let null = serde_json::json!({ "type": "null" });
        let branches = self.get("anyOf").filter(|_| only == "anyOf")?.as_array()?;
        match (branches.as_slice(), unions.any_of.as_slice()) {
            ([_, last], &[to, _]) if *last == null => Some(Forward { to, or_null: true }),
            _ => None,
        }
    }

    fn types(&self) -> Result<Types, SchemaError> {
        let mut types = Types::default();
        let fine = match self.get("type") {
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
        let constant = self.get("const").map(Tree::from);
        let listed = match self.get("enum") {
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
        let format = self.get("format").and_then(Value::as_str).unwrap_or("");
        let lower = Bound::tightest_lower(self.bound("minimum")?, self.bound("exclusiveMinimum")?);
        let upper = Bound::tightest_upper(self.bound("maximum")?, self.bound("exclusiveMaximum")?);
        let step = self.bound("multipleOf")?;
        let natural = natural_bounds(format).filter(|_| types.only_integers());
        let (natural_lower, natural_upper) = natural.unzip();
        let float = match format {
            "float" => Some(Float::Single),
            "double" => Some(Float::Double),
            _ => None,
        };
        *walked |= step.is_some()
            || float == Some(Float::Single)
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
            float,
        })
    }

    fn string(&self, walked: &mut bool) -> Result<StringRule, SchemaError> {
        let rule = StringRule {
            min: self.count("minLength")?,
            max: self.count("maxLength")?,
            pattern: match self.get("pattern") {
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
        let Some(value) = self.get("required") else {
            return Ok(Vec::new());
        };
        value
            .as_array()
            .and_then(|names| names.iter().map(Value::as_str).collect())
            .ok_or_else(|| meaningless(self.at, "required"))
    }

    fn bound(&self, keyword: &str) -> Result<Option<String>, SchemaError> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(meaningless(self.at, keyword)),
        }
    }

    fn count(&self, keyword: &str) -> Result<Option<u64>, SchemaError> {
        match self.get(keyword) {
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
