//! The schema of what a tool returns.

use std::sync::OnceLock;

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::SchemaError;
use super::dialect::Dialect;
use super::foreign_output::ForeignOutput;
use super::root::{forms, has_objects_only, prepared, text};
use super::transform::Direction;

/// How the structured result of one tool is described, in two forms: revisions up to 2025-11-25 know objects only.
#[derive(Debug)]
pub(crate) struct OutputSchema {
    any: String,
    /// `None` when the schema is one of objects anyway.
    wrapped: Option<String>,
    /// Made when a value first has to be held against it.
    checked: OnceLock<ForeignOutput>,
}

impl OutputSchema {
    /// Takes what schemars made of a result, by a generator from [`output_generator`](super::output_generator).
    ///
    /// # Errors
    ///
    /// When the type has no values.
    pub(crate) fn new(root: Schema, dialect: Dialect) -> Result<Self, SchemaError> {
        let mut root = prepared(root)?;
        if has_objects_only(&root) {
            root.insert("type".to_owned(), "object".into());
        }
        let is_object = root.get("type").is_some_and(|name| name == "object");
        let shown = forms(root, dialect, Direction::Output)?.into_shown();
        let any = text(&shown);
        let wrapped = (!is_object).then(|| text(&wrap(shown)));
        Ok(Self {
            any,
            wrapped,
            checked: OnceLock::new(),
        })
    }

    /// The schema of a type.
    #[cfg(test)]
    pub(crate) fn of<T: schemars::JsonSchema + ?Sized>(
        profile: super::SchemaProfile,
    ) -> Result<Self, SchemaError> {
        let dialect = Dialect::of(profile);
        let root = super::root_of::<T>(super::output_generator(dialect));
        Self::new(root, dialect)
    }

    /// As the type is: from 2026-07-28 on.
    pub(crate) fn json_any(&self) -> &str {
        &self.any
    }

    /// As an object: up to 2025-11-25. What is none stands under `result`.
    pub(crate) fn json_object(&self) -> &str {
        self.wrapped.as_deref().unwrap_or(&self.any)
    }

    /// What is wrong with a value of the type, a line each.
    ///
    /// The schema is that of the type, so all values follow it but those with a number that JSON does not have: serde
    /// writes null for it. Only values with a null are looked at.
    pub(crate) fn violations(&self, content: &str) -> Option<String> {
        memchr::memmem::find(content.as_bytes(), b"null")?;
        let checked = (self.checked).get_or_init(|| ForeignOutput::new(&self.any));
        checked.violations(content)
    }

    /// Whether values must be put under `result` where only objects are known.
    pub(crate) fn wraps(&self) -> bool {
        self.wrapped.is_some()
    }
}

/// Definitions and dialect stay at the root, where references find them.
fn wrap(schema: Value) -> Value {
    let Value::Object(mut inner) = schema else {
        return schema;
    };
    let dialect = inner.shift_remove("$schema");
    let definitions = inner.shift_remove("$defs");
    let mut outer = Map::new();
    outer.extend(dialect.map(|dialect| ("$schema".to_owned(), dialect)));
    outer.insert("type".to_owned(), "object".into());
    outer.insert("properties".to_owned(), json!({ "result": inner }));
    outer.insert("required".to_owned(), json!(["result"]));
    outer.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
    Value::Object(outer)
}
