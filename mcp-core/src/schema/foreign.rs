//! Schemas that somebody else wrote: looked at, never changed.

use serde_json::Value;

use super::SchemaError;

/// Checks that a schema can be that of a tool and that all it needs is in it.
pub(super) fn inspect(json: &str) -> Result<(), SchemaError> {
    let schema: Value = serde_json::from_str(json).map_err(|_| SchemaError::NotAnObject)?;
    if !schema.is_object() {
        return Err(SchemaError::NotAnObject);
    }
    if schema.get("type").is_none_or(|name| name != "object") {
        let found = match schema.get("type").and_then(Value::as_str) {
            Some(name) => format!("{name}s"),
            None => "values of any kind".to_owned(),
        };
        return Err(SchemaError::RootNotObject { found });
    }
    let mut ids = Vec::new();
    each_text(&schema, "$id", &mut |id| {
        ids.push(without_fragment(id).to_owned())
    });
    let mut outside = None;
    each_text(&schema, "$ref", &mut |reference| {
        let document = without_fragment(reference);
        let inside = document.is_empty() || ids.iter().any(|id| id.ends_with(document));
        if !inside {
            outside.get_or_insert_with(|| reference.to_owned());
        }
    });
    match outside {
        Some(reference) => Err(SchemaError::ExternalReference { reference }),
        None => Ok(()),
    }
}

fn without_fragment(reference: &str) -> &str {
    reference.split('#').next().unwrap_or_default()
}

/// Calls `found` with each string under a keyword, at any depth that JSON can be read to. What only looks like a
/// keyword, in `properties` or in data, is passed over.
fn each_text(schema: &Value, keyword: &str, found: &mut dyn FnMut(&str)) {
    match schema {
        Value::Array(items) => items
            .iter()
            .for_each(|item| each_text(item, keyword, found)),
        Value::Object(map) => {
            for (name, value) in map {
                match (name.as_str(), value) {
                    (name, Value::String(text)) if name == keyword => found(text),
                    ("const" | "enum" | "default" | "examples", _) => {}
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions"
                        | "dependentSchemas",
                        Value::Object(schemas),
                    ) => {
                        schemas
                            .values()
                            .for_each(|schema| each_text(schema, keyword, found));
                    }
                    _ => each_text(value, keyword, found),
                }
            }
        }
        _ => {}
    }
}
