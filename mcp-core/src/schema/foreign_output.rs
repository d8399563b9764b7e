//! The output schema that somebody else wrote for a tool: shown byte for byte, and checked where we understand all of it.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::check::{Checker, Nulls};
use super::compile::compile;
use super::program::Program;
use super::report::{Problem, Violation};
use super::tree::Tree;

/// A model can't mend the tool: a few lines are enough for whoever can.
const MAX_LISTED: usize = 8;

/// A schema from elsewhere for what a tool returns.
#[derive(Debug)]
pub(crate) struct ForeignOutput {
    json: String,
    is_object: bool,
    /// `None` when a part of the schema is beyond us. Half a check would be worse than none.
    program: Option<Program>,
}

impl ForeignOutput {
    pub(crate) fn new(json: &str) -> Self {
        let schema: Value = serde_json::from_str(json).unwrap_or_default();
        Self {
            json: json.to_owned(),
            is_object: schema.get("type").is_some_and(|name| name == "object"),
            program: checked_by_us(json, schema),
        }
    }

    /// The schema, as it came.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// Whether it describes objects.
    pub(crate) fn is_object(&self) -> bool {
        self.is_object
    }

    #[cfg(test)]
    pub(super) fn is_checked(&self) -> bool {
        self.program.is_some()
    }

    /// What is wrong with structured content, a line each; `None` when nothing is known to be.
    pub(crate) fn violations(&self, content: &str) -> Option<String> {
        let program = self.program.as_ref()?;
        // A name given twice or half a surrogate is nothing that a schema speaks of.
        let content = Tree::parse(content, &mut Vec::new()).ok()?;
        let violations = Checker::new(program, Nulls::Values).certain_violations(&content)?;
        (!violations.is_empty()).then(|| listed(&violations))
    }
}

fn listed(violations: &[Violation]) -> String {
    let mut lines = String::new();
    for violation in violations.iter().take(MAX_LISTED) {
        lines.push_str("\n- ");
        if !violation.pointer().is_empty() {
            lines.push_str(violation.pointer());
            lines.push_str(": ");
        }
        match violation.problem() {
            Problem::Unknown { .. } => lines.push_str("not in the schema"),
            problem => {
                // Writing to a `String` cannot fail.
                let _: std::fmt::Result = write!(lines, "{problem}");
            }
        }
    }
    let omitted = violations.len().saturating_sub(MAX_LISTED);
    if omitted > 0 {
        let _: std::fmt::Result = write!(lines, "\n- and {omitted} more");
    }
    lines
}

/// Compiles a schema, if every keyword of it is one that our checker takes as the specification means it.
fn checked_by_us(json: &str, mut schema: Value) -> Option<Program> {
    // Numbers that a `Value` rounds, and members given twice, are not what we would check.
    if Tree::parse_clean(json)? != Tree::from(&schema) {
        return None;
    }
    let dialect = Dialect::of(&schema)?;
    dialect.prepare(&mut schema, true)?;
    compile(&schema).ok()
}

/// Which edition of JSON Schema is spoken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// 2019-09 and later, where `$ref` stands beside other keywords like any of them.
    Recent,
    /// Draft 6 and 7, where nothing beside a `$ref` counts, and `prefixItems` is not known.
    Old,
}

impl Dialect {
    fn of(schema: &Value) -> Option<Self> {
        let Some(name) = schema.get("$schema") else {
            return Some(Self::Recent);
        };
        let name = name.as_str()?.trim_end_matches('#');
        let (_, path) = name.split_once("://json-schema.org/")?;
        match path {
            "draft/2020-12/schema" | "draft/2019-09/schema" => Some(Self::Recent),
            "draft-07/schema" | "draft-06/schema" => Some(Self::Old),
            _ => None,
        }
    }

    /// Takes out `format`, which asserts nothing by itself and would as we compile it. `None` where a keyword is not
    /// known.
    fn prepare(self, schema: &mut Value, is_root: bool) -> Option<()> {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(_) => return Some(()),
            _ => return None,
        };
        map.shift_remove("format");
        if self == Self::Old
            && map.contains_key("$ref")
            && !map.keys().all(|key| stands_beside(key))
        {
            return None;
        }
        let mut keywords = map.iter_mut();
        keywords.try_for_each(|(keyword, value)| self.keyword(keyword, value, is_root))
    }

    fn keyword(self, keyword: &str, value: &mut Value, is_root: bool) -> Option<()> {
        match keyword {
            "$schema" | "$id" => is_root.then_some(()),
            "prefixItems" if self == Self::Old => None,
            "prefixItems" | "anyOf" | "oneOf" | "allOf" => {
                let mut schemas = value.as_array_mut()?.iter_mut();
                schemas.try_for_each(|schema| self.prepare(schema, false))
            }
            "properties" | "patternProperties" | "$defs" | "definitions" => {
                let mut schemas = value.as_object_mut().map(Map::values_mut)?;
                schemas.try_for_each(|schema| self.prepare(schema, false))
            }
            "items" | "additionalProperties" | "not" => self.prepare(value, false),
            keyword if PLAIN.contains(&keyword) || stands_beside(keyword) => Some(()),
            _ => None,
        }
    }
}

/// Whether a keyword may stand beside a `$ref` where nothing else counts.
fn stands_beside(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-")
}

/// Keywords that assert something of the value itself.
const PLAIN: [&str; 17] = [
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
];

/// Keywords that assert nothing; those with schemas in them are looked into elsewhere.
const ANNOTATIONS: [&str; 15] = [
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
];
