//! The root of a schema: what a type gives, and what a tool needs.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::dialect::{Dialect, Forms};
use super::fold::merge_root;
use super::transform::{Direction, enforceable, normalise, visit};
use super::{ArgumentPolicy, SchemaError, SchemaProfile};

/// A generator for the schemas of arguments.
pub(crate) fn generator(dialect: Dialect) -> SchemaGenerator {
    generator_for(dialect, Contract::Deserialize)
}

/// A generator for the schemas of results.
pub(crate) fn output_generator(dialect: Dialect) -> SchemaGenerator {
    generator_for(dialect, Contract::Serialize)
}

fn generator_for(dialect: Dialect, contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = dialect.profile != SchemaProfile::Full2020;
        settings.contract = contract;
    });
    settings.into_generator()
}

/// The schema of a type with its definitions, without the title that schemars makes of the type's name.
pub(crate) fn root_of<T: JsonSchema + ?Sized>(generator: SchemaGenerator) -> Schema {
    let name = T::schema_name();
    let mut schema = generator.into_root_schema_for::<T>();
    if schema.get("title").and_then(Value::as_str) == Some(&*name) {
        schema.remove("title");
    }
    schema
}

/// The arguments of a tool, in two forms, and what is said of arguments that the tool does not have.
pub(super) struct InputRoot {
    pub(super) forms: Forms,
    /// The schema refuses unknown arguments and the type does not.
    pub(super) refuses_unknown: bool,
    /// The type is `()`, or a struct without a body: it reads null and nothing else.
    pub(super) unit: bool,
}

impl InputRoot {
    pub(super) fn new(
        root: Schema,
        dialect: Dialect,
        policy: ArgumentPolicy,
    ) -> Result<Self, SchemaError> {
        let mut root = prepared(root)?;
        let unit = root.get("type").is_some_and(|name| name == "null");
        if unit {
            root = Map::from_iter([("type".to_owned(), "object".into())]);
        }
        let mut merged = Vec::new();
        if dialect.profile == SchemaProfile::Full2020 {
            inline_root_reference(&mut root);
            if has_objects_only(&root) {
                root.insert("type".to_owned(), "object".into());
            }
        } else {
            merged = merge_root(&mut root)?;
        }
        if root.get("type").is_none_or(|name| name != "object") {
            return Err(SchemaError::RootNotObject {
                found: named(&root),
            });
        }
        root.entry("properties").or_insert_with(|| json!({}));
        // A union at the root says itself what it allows: closing the object around it would refuse everything.
        let closes =
            !policy.open && !root.contains_key("additionalProperties") && !has_union(&root);
        if closes {
            root.insert("additionalProperties".to_owned(), false.into());
        }
        let mut forms = forms(root, dialect, Direction::Input)?;
        if !merged.is_empty() {
            // What is shown has no unions at the root.
            forms.shown();
            forms.checked["allOf"] = Value::Array(merged);
            normalise(&mut forms.checked, Direction::Input);
        }
        Ok(Self {
            forms,
            refuses_unknown: closes,
            unit,
        })
    }
}

/// The form that is shown and the form that is checked.
pub(super) fn forms(
    root: Map<String, Value>,
    dialect: Dialect,
    direction: Direction,
) -> Result<Forms, SchemaError> {
    let mut checked = Value::Object(root);
    if dialect.profile == SchemaProfile::Full2020 {
        enforceable(&mut checked, direction);
    } else {
        normalise(&mut checked, direction);
    }
    dialect.forms(checked, direction)
}

/// A schema as it is shown. Its keys are strings, so that writing it can't fail.
pub(super) fn text(schema: &Value) -> String {
    serde_json::to_string(schema).unwrap_or_default()
}

/// The root as an object that refers to itself by name only.
pub(super) fn prepared(root: Schema) -> Result<Map<String, Value>, SchemaError> {
    let mut root = match root.to_value() {
        Value::Object(map) => map,
        Value::Bool(true) => Map::new(),
        _ => {
            return Err(SchemaError::RootNotObject {
                found: "nothing at all".to_owned(),
            });
        }
    };
    root.remove("$schema");
    name_self_references(&mut root);
    Ok(root)
}

/// Hosts put schemas into larger documents, where `#` is something else.
fn name_self_references(root: &mut Map<String, Value>) {
    const NAME: &str = "Root";
    let mut found = false;
    let mut schema = Value::Object(std::mem::take(root));
    visit(&mut schema, &mut |map| {
        if map.get("$ref").is_some_and(|reference| reference == "#") {
            map.insert("$ref".to_owned(), format!("#/$defs/{NAME}").into());
            found = true;
        }
    });
    if let Value::Object(map) = schema {
        *root = map;
    }
    if found {
        let mut copy = root.clone();
        copy.remove("$defs");
        let definitions = root.entry("$defs").or_insert_with(|| json!({}));
        if let Value::Object(definitions) = definitions {
            definitions.insert(NAME.to_owned(), Value::Object(copy));
        }
    }
}

/// A root that is only a reference to a definition becomes that definition.
fn inline_root_reference(root: &mut Map<String, Value>) {
    let target = root
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"))
        .and_then(|name| root.get("$defs")?.get(name)?.as_object().cloned());
    if let Some(target) = target {
        root.remove("$ref");
        for (keyword, value) in target {
            root.entry(keyword).or_insert(value);
        }
    }
}

fn has_union(root: &Map<String, Value>) -> bool {
    ["oneOf", "anyOf", "allOf"]
        .iter()
        .any(|union| root.contains_key(*union))
}

/// Whether a schema without a `type` allows objects only.
pub(super) fn has_objects_only(root: &Map<String, Value>) -> bool {
    let is_object = |schema: &Value| {
        schema.get("type").is_some_and(|name| name == "object")
            || schema
                .as_object()
                .is_some_and(|map| !map.contains_key("type") && has_objects_only(map))
    };
    !root.contains_key("type")
        && ["oneOf", "anyOf"].iter().any(|union| {
            root.get(*union)
                .and_then(Value::as_array)
                .is_some_and(|branches| !branches.is_empty() && branches.iter().all(is_object))
        })
}

/// What a root is, for an error.
fn named(root: &Map<String, Value>) -> String {
    match root.get("type") {
        Some(Value::String(name)) => format!("{name}s"),
        Some(Value::Array(names)) if names.iter().any(|name| name == "null") => {
            "an optional value".to_owned()
        }
        _ => "values of any kind".to_owned(),
    }
}
