//! What schemars makes of a type, turned into what every client and model understands.

use serde_json::{Map, Value};

use super::fold::{collapse_single, fold_strings};
use super::format::Format;

/// Who sends the values that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// A model, to us: null of an optional property is as good as none, so it is not shown.
    Input,
    /// We, to a client: what the type writes is what the schema says.
    Output,
}

/// The keywords that are checked, in the order in which they are shown, and those that only describe.
pub(super) const SHOWN: [&str; 40] = [
    "$schema",
    "$ref",
    "type",
    "title",
    "description",
    "const",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "patternProperties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
    "$comment",
    "$defs",
];

/// Makes a schema portable, with one thing left for [`without_type_formats`]: the formats by which schemars names
/// number types stay, since the checks need them.
pub(super) fn normalise(schema: &mut Value, direction: Direction) {
    Transform {
        direction,
        full: false,
    }
    .node(schema);
}

/// Only takes away what is not checked, and says in bounds what schemars says in formats.
pub(super) fn enforceable(schema: &mut Value, direction: Direction) {
    Transform {
        direction,
        full: true,
    }
    .node(schema);
}

struct Transform {
    direction: Direction,
    /// Unions, nulls and constants stay as schemars makes them.
    full: bool,
}

impl Transform {
    fn node(&self, schema: &mut Value) {
        if !self.full {
            match schema {
                Value::Bool(true) => *schema = Value::Object(Map::new()),
                Value::Bool(false) => *schema = serde_json::json!({ "not": {} }),
                _ => {}
            }
        }
        let Value::Object(map) = schema else {
            return;
        };
        if !self.full {
            constant_to_enum(map);
            if map.get("default") == Some(&Value::Null) {
                map.remove("default");
            }
            collapse_single(map);
        }
        if map.get("uniqueItems") == Some(&Value::Bool(false)) {
            map.remove("uniqueItems");
        }
        inclusive_maximum(map);
        numeric_bounds(map);
        string_format(map);
        self.subschemas(map);
        if !self.full {
            fold_strings(map);
        }
        order(map);
    }

    fn subschemas(&self, map: &mut Map<String, Value>) {
        let required: Vec<String> = required_names(map);
        let strips = !self.full && self.direction == Direction::Input;
        for (keyword, value) in map.iter_mut() {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        if strips && !required.contains(name) {
                            strip_null(property);
                        }
                        self.node(property);
                    }
                }
                ("patternProperties" | "$defs", Value::Object(schemas)) => {
                    schemas.values_mut().for_each(|schema| self.node(schema));
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                    schemas.iter_mut().for_each(|schema| self.node(schema));
                }
                ("additionalProperties", Value::Bool(_)) => {}
                ("items" | "not" | "additionalProperties", schema) => self.node(schema),
                _ => {}
            }
        }
    }
}

/// The names in `required`.
pub(super) fn required_names(map: &Map<String, Value>) -> Vec<String> {
    let names = map.get("required").and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

/// Whether `type` is, or has among others, this one.
pub(super) fn has_type(map: &Map<String, Value>, name: &str) -> bool {
    match map.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|n| n == name),
        _ => false,
    }
}

/// Takes null out of what an optional property may be.
pub(super) fn strip_null(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
        if let Some(Value::Array(values)) = map.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get_mut(union) {
            let others = branches.iter().filter(|branch| !is_null(branch)).count();
            if others > 0 {
                branches.retain(|branch| !is_null(branch));
            }
        }
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null")
        || schema.get("const") == Some(&Value::Null)
}

fn constant_to_enum(map: &mut Map<String, Value>) {
    if let Some(value) = map.remove("const") {
        map.insert("enum".to_owned(), Value::Array(vec![value]));
    }
}

/// Below 10 is up to 9 among integers, which every reader knows how to say.
fn inclusive_maximum(map: &mut Map<String, Value>) {
    if !has_type(map, "integer") || has_type(map, "number") || map.contains_key("maximum") {
        return;
    }
    let highest = map.get("exclusiveMaximum").and_then(|below| {
        let unsigned = || Some(below.as_u64()?.checked_sub(1)?.into());
        let signed = || Some(below.as_i64()?.checked_sub(1)?.into());
        unsigned().or_else(signed)
    });
    if let Some(highest) = highest {
        map.shift_remove("exclusiveMaximum");
        map.insert("maximum".to_owned(), highest);
    }
}

/// Integers up to 32 bits get both of their bounds: JSON Schema knows no widths.
fn numeric_bounds(map: &mut Map<String, Value>) {
    let bounds: (Option<i64>, Option<i64>) = match map.get("format").and_then(Value::as_str) {
        Some("int8") => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        Some("int16") => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        Some("int32") => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        Some("uint8") => (Some(0), Some(u8::MAX.into())),
        Some("uint16") => (Some(0), Some(u16::MAX.into())),
        Some("uint32") => (Some(0), Some(u32::MAX.into())),
        Some("uint64" | "uint128" | "uint") => (Some(0), None),
        _ => return,
    };
    if !has_type(map, "integer") {
        return;
    }
    for (inclusive, exclusive, bound) in [
        ("minimum", "exclusiveMinimum", bounds.0),
        ("maximum", "exclusiveMaximum", bounds.1),
    ] {
        if let Some(bound) = bound
            && !map.contains_key(exclusive)
        {
            map.entry(inclusive).or_insert_with(|| bound.into());
        }
    }
}

/// The formats that schemars gives to number types.
fn is_type_format(name: &str) -> bool {
    matches!(name, "float" | "double") || super::bounds::natural_bounds(name).is_some()
}

fn string_format(map: &mut Map<String, Value>) {
    let keep = match map.get("format") {
        Some(Value::String(name)) if is_type_format(name) => {
            has_type(map, "integer") || has_type(map, "number")
        }
        Some(Value::String(name)) => Format::from_name(name).is_some(),
        _ => false,
    };
    if !keep {
        map.remove("format");
    }
}

/// Takes away the formats of number types, everywhere: JSON Schema does not know them.
pub(super) fn without_type_formats(schema: &mut Value) {
    visit(schema, &mut |map| {
        if map
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(is_type_format)
        {
            map.shift_remove("format");
        }
    });
}

/// Calls `each` for a schema and all schemas in it, inner ones first.
pub(super) fn visit(schema: &mut Value, each: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(map) = schema else {
        return;
    };
    for (keyword, value) in map.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| visit(schema, each));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| visit(schema, each));
            }
            ("items" | "not" | "additionalProperties", schema) => visit(schema, each),
            _ => {}
        }
    }
    each(map);
}

/// Puts the keywords of one schema in the order of [`SHOWN`]; what is neither checked nor a description goes.
pub(super) fn order(map: &mut Map<String, Value>) {
    // Schemas have few keywords: to look at each once is cheaper than to ask the map for every one there might be.
    let mut shown: Vec<(usize, String, Value)> = Vec::with_capacity(map.len());
    for (keyword, value) in std::mem::take(map) {
        let place = SHOWN.iter().position(|known| *known == keyword);
        if place.is_some() || keyword.starts_with("x-") {
            let place = place.unwrap_or(SHOWN.len());
            let at = shown.partition_point(|(before, ..)| *before <= place);
            shown.insert(at, (place, keyword, value));
        }
    }
    map.extend(
        shown
            .into_iter()
            .map(|(_, keyword, value)| (keyword, value)),
    );
}
