//! What a check may cost, found out before anybody pays.
//!
//! A server may mean us harm by the schema, by the content, and by both: a few references that double what they stand for
//! make minutes of work, a long chain of them the end of the stack, and with it of the process. So the way that a check
//! would go is gone without checking anything, and what takes too long or goes too deep is refused.

use serde_json::{Map, Value};

use super::limits::{References, size};

/// The parts of a schema with references written out, where `unevaluated…` makes the compiler write them out.
const MAX_EXPANDED: usize = 5_000;
/// Steps of a check. Ten thousand records of twenty members are half a million.
const MAX_WORK: usize = 2_000_000;
/// Steps of telling what is wrong, which takes far more room than finding out that something is.
const MAX_TOLD: usize = 200_000;
/// Bytes of what is told that count as one of them.
const TOLD: usize = 16;
/// Steps inside each other, a small part of what a thread's stack has room for.
const MAX_DEPTH: usize = 300;

/// How large the programs of regular expressions may be, and so how long they run: even without backtracking it is the
/// length of the program times that of the text.
#[derive(Clone, Copy)]
pub(super) struct Patterns {
    /// The most bytes that a program takes.
    pub(super) program: usize,
    /// Steps for each byte of a text.
    cost: usize,
}

impl Patterns {
    /// Enough for most: dates, UUIDs, names.
    pub(super) const SMALL: Self = Self {
        program: 16 << 10,
        cost: 4,
    };
    /// Enough for classes of Unicode and for repetitions by the hundred, over little text.
    pub(super) const LARGE: Self = Self {
        program: 128 << 10,
        cost: 32,
    };
}

/// Whether a schema is long with its references written out.
pub(super) fn is_long_written_out(schema: &Value, references: &References<'_>) -> bool {
    let mut walk = Walk {
        references,
        left: MAX_EXPANDED,
        pattern_cost: 0,
        tells: false,
    };
    walk.expand(schema, 1, &mut Vec::new()).is_err()
}

/// Refuses what can't be checked in bounded time.
pub(super) fn work(
    schema: &Value,
    references: &References<'_>,
    content: &Value,
    patterns: Patterns,
) -> Result<(), String> {
    let mut walk = Walk {
        references,
        left: MAX_WORK,
        pattern_cost: patterns.cost,
        tells: false,
    };
    (walk.check(schema, content, Step::FIRST)).map_err(str::to_owned)
}

/// Whether it can be told in bounded room what is wrong: each violation is told with its place and what was expected there.
pub(super) fn can_be_told(schema: &Value, references: &References<'_>, content: &Value) -> bool {
    let mut walk = Walk {
        references,
        left: MAX_TOLD,
        pattern_cost: 0,
        tells: true,
    };
    walk.check(schema, content, Step::FIRST).is_ok()
}

/// A way through a schema.
struct Walk<'w, 's> {
    references: &'w References<'s>,
    /// Steps that may still be made.
    left: usize,
    /// Steps for each byte that a regular expression is run over.
    pattern_cost: usize,
    /// Whether what is wrong is told.
    tells: bool,
}

/// One step of a check.
#[derive(Clone, Copy)]
struct Step {
    /// How often what is done here may be done again: to find out whether a choice fits, to tell why it does not, and to
    /// find what is left for `unevaluated…`.
    unit: usize,
    depth: usize,
    /// How long the names on the way here are, in the schema and in the content.
    path: usize,
}

impl Step {
    const FIRST: Self = Self {
        unit: 1,
        depth: 0,
        path: 0,
    };

    /// The step into a member of the content, or into a part of the schema, of this name.
    const fn into(self, name: usize) -> Self {
        Self {
            path: self.path.saturating_add(name + 1),
            ..self
        }
    }
}

const TOO_MUCH: &str = "that would take too long";
const TOO_DEEP: &str = "the schema and the content are too deep in each other";

impl Walk<'_, '_> {
    fn spend(&mut self, steps: usize) -> Result<(), &'static str> {
        self.left = self.left.checked_sub(steps).ok_or(TOO_MUCH)?;
        Ok(())
    }

    /// Writes out what references stand for, but for those that lead back.
    fn expand(
        &mut self,
        value: &Value,
        unit: usize,
        inside: &mut Vec<*const Value>,
    ) -> Result<(), &'static str> {
        self.spend(unit)?;
        let members = match value {
            Value::Array(items) => {
                let mut items = items.iter();
                return items.try_for_each(|item| self.expand(item, unit, inside));
            }
            Value::Object(members) => members,
            _ => return Ok(()),
        };
        let is_written_out = ["unevaluatedProperties", "unevaluatedItems"]
            .iter()
            .any(|name| members.contains_key(*name));
        let unit = if is_written_out {
            unit.saturating_mul(2)
        } else {
            unit
        };
        for (name, value) in members {
            let reference = value.as_str().filter(|_| name == "$ref");
            match reference.and_then(|reference| self.references.get(reference)) {
                Some(target) if inside.contains(&std::ptr::from_ref(*target)) => {}
                Some(target) => {
                    let target = *target;
                    inside.push(target);
                    self.expand(target, unit, inside)?;
                    inside.pop();
                }
                None if matches!(&**name, "$defs" | "definitions") => {}
                None => self.expand(value, unit, inside)?,
            }
        }
        Ok(())
    }

    /// Goes where a check of this content would go, whatever the content is found to be.
    fn check(&mut self, schema: &Value, content: &Value, step: Step) -> Result<(), &'static str> {
        self.spend(step.unit)?;
        self.tell(step.path, step)?;
        if step.depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        let Value::Object(keywords) = schema else {
            return Ok(());
        };
        let mut step = Step {
            depth: step.depth + 1,
            ..step
        };
        if keywords.contains_key("unevaluatedProperties")
            || keywords.contains_key("unevaluatedItems")
        {
            step.unit = step.unit.saturating_mul(2);
        }
        for (keyword, value) in keywords {
            self.keyword(keyword, value, content, step.into(keyword.len()))?;
        }
        Ok(())
    }

    /// A violation may repeat so much.
    fn tell(&mut self, bytes: usize, step: Step) -> Result<(), &'static str> {
        if self.tells {
            self.spend(step.unit.saturating_mul(bytes / TOLD))?;
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &Value,
        content: &Value,
        step: Step,
    ) -> Result<(), &'static str> {
        match (keyword, value, content) {
            ("$ref", Value::String(reference), _) => {
                let target = self.references.get(&**reference).copied();
                let step = step.into(reference.len());
                self.check(target.unwrap_or(&Value::Null), content, step)
            }
            ("not" | "if" | "then" | "else", schema, _) => self.check(schema, content, step),
            ("allOf", Value::Array(schemas), _) => self.all(schemas, content, step),
            ("anyOf" | "oneOf", Value::Array(schemas), _) => {
                let unit = step.unit.saturating_add(1);
                self.all(schemas, content, Step { unit, ..step })
            }
            ("enum" | "const" | "required", expected, _) => {
                self.spend(step.unit.saturating_mul(size(expected)))?;
                self.tell(length(expected), step)
            }
            ("pattern", Value::String(pattern), Value::String(text)) => {
                self.tell(pattern.len(), step)?;
                self.run_over(text, step)
            }
            ("contentMediaType" | "contentEncoding", _, Value::String(text)) => {
                self.run_over(text, step)
            }
            (_, _, Value::Object(members)) => self.members(keyword, value, members, content, step),
            (_, _, Value::Array(items)) => self.items(keyword, value, items, step),
            _ => Ok(()),
        }
    }

    fn all(&mut self, schemas: &[Value], content: &Value, step: Step) -> Result<(), &'static str> {
        let mut schemas = schemas.iter();
        schemas.try_for_each(|schema| self.check(schema, content, step))
    }

    fn run_over(&mut self, text: &str, step: Step) -> Result<(), &'static str> {
        let cost = self.pattern_cost.saturating_mul(1 + text.len());
        self.spend(step.unit.saturating_mul(cost))
    }

    fn members(
        &mut self,
        keyword: &str,
        value: &Value,
        members: &Map<String, Value>,
        content: &Value,
        step: Step,
    ) -> Result<(), &'static str> {
        match (keyword, value) {
            ("properties", Value::Object(schemas)) => {
                self.spend(step.unit.saturating_mul(schemas.len()))?;
                for (name, schema) in schemas {
                    if let Some(member) = members.get(name) {
                        self.check(schema, member, step.into(2 * name.len()))?;
                    }
                }
            }
            ("patternProperties", Value::Object(schemas)) => {
                for (pattern, schema) in schemas {
                    for (name, member) in members {
                        self.run_over(name, step)?;
                        let step = step.into(pattern.len() + name.len());
                        self.check(schema, member, step)?;
                    }
                }
            }
            ("additionalProperties" | "unevaluatedProperties", schema) => {
                for (name, member) in members {
                    self.tell(name.len(), step)?;
                    self.check(schema, member, step.into(name.len()))?;
                }
            }
            ("propertyNames", schema) => {
                for name in members.keys() {
                    self.check(schema, &Value::String(name.clone()), step)?;
                }
            }
            ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    self.check(schema, content, step.into(name.len()))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn items(
        &mut self,
        keyword: &str,
        value: &Value,
        items: &[Value],
        step: Step,
    ) -> Result<(), &'static str> {
        match (keyword, value) {
            ("prefixItems" | "items", Value::Array(schemas)) => {
                for (schema, item) in schemas.iter().zip(items) {
                    self.check(schema, item, step)?;
                }
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", schema) => {
                for item in items {
                    self.check(schema, item, step)?;
                }
            }
            ("uniqueItems", Value::Bool(true)) => {
                let items: usize = items.iter().map(size).sum();
                self.spend(step.unit.saturating_mul(items))?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// So many bytes of text, about.
fn length(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(members) => (members.iter())
            .map(|(name, value)| name.len() + length(value))
            .sum(),
        Value::String(text) => text.len(),
        _ => 8,
    }
}
