//! Schemas as single providers want them, made from the portable form. What a provider has no keyword for is said
//! in the description, so that the model knows it at least; it is enforced all the same.

use serde_json::{Map, Value, json};

use super::fold::describe;
use super::transform::{order, required_names, visit};
use super::{SchemaError, SchemaProfile};

/// The keywords of OpenAI's strict mode.
const OPENAI: [&str; 18] = [
    "$ref",
    "type",
    "title",
    "description",
    "enum",
    "format",
    "pattern",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "items",
    "minItems",
    "maxItems",
    "anyOf",
    "$defs",
    "properties",
];

/// The fields of the `Schema` object of Gemini's API.
const GEMINI: [&str; 19] = [
    "type",
    "title",
    "description",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "anyOf",
    "default",
];

/// In a schema that is only checked: the object is closed though its type is not.
pub(super) const CLOSED: &str = "closed here";

/// Strict mode shows every object as closed, and so every object is.
pub(super) fn close_checked(schema: &mut Value) {
    visit(schema, &mut |map| {
        if map.contains_key("properties") && !map.contains_key("additionalProperties") {
            map.insert("additionalProperties".to_owned(), false.into());
            map.insert(CLOSED.to_owned(), true.into());
        }
    });
}

/// For [`SchemaProfile::OpenAiStrict`]: every property required, optional ones nullable, every object closed.
pub(super) fn openai_strict(schema: &mut Value) -> Result<(), SchemaError> {
    strict(schema, "")
}

fn strict(schema: &mut Value, at: &str) -> Result<(), SchemaError> {
    let Value::Object(map) = schema else {
        return Ok(());
    };
    below(map, at, &mut strict)?;
    tuple_to_items(map);
    one_of_to_any_of(map);
    if map.contains_key("allOf") {
        return Err(inexpressible(
            SchemaProfile::OpenAiStrict,
            at,
            "`allOf`",
            "flatten the types into one",
        ));
    }
    close(map, at)?;
    keep_only(map, &OPENAI, |format| format != "uri");
    if !["type", "enum", "anyOf", "$ref"]
        .iter()
        .any(|keyword| map.contains_key(*keyword))
    {
        return Err(inexpressible(
            SchemaProfile::OpenAiStrict,
            at,
            "a value of any kind",
            "give it a type",
        ));
    }
    if map.len() > 1
        && let Some(reference) = map.remove("$ref")
    {
        map.insert("anyOf".to_owned(), json!([{ "$ref": reference }]));
    }
    if let Some(Value::Object(properties)) = map.get("properties") {
        let names: Vec<String> = properties.keys().cloned().collect();
        map.insert("required".to_owned(), names.into());
        map.insert("additionalProperties".to_owned(), false.into());
    }
    order(map);
    Ok(())
}

/// Makes optional properties nullable; an object with free names cannot be said.
fn close(map: &mut Map<String, Value>, at: &str) -> Result<(), SchemaError> {
    if map
        .get("type")
        .is_none_or(|name| *name != "object" && *name != json!(["object", "null"]))
    {
        return Ok(());
    }
    let open = map
        .get("additionalProperties")
        .is_some_and(|others| *others != false);
    if open || map.contains_key("patternProperties") {
        let hint = "use a list of pairs instead of a map";
        return Err(inexpressible(
            SchemaProfile::OpenAiStrict,
            at,
            "a map with free names",
            hint,
        ));
    }
    let required = required_names(map);
    let properties = map
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        for (name, property) in properties.iter_mut() {
            if !required.contains(name) {
                allow_null(property);
            }
        }
    }
    Ok(())
}

fn allow_null(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    match map.get_mut("type") {
        Some(Value::Array(names)) if names.contains(&"null".into()) => {}
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name) => *name = json!([name, "null"]),
        None => {}
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        let null = json!({ "type": "null" });
        if !branches.contains(&null) {
            branches.push(null);
        }
    }
    if let Some(reference) = map.remove("$ref") {
        let branches = json!([{ "$ref": reference }, { "type": "null" }]);
        map.insert("anyOf".to_owned(), branches);
    }
}

/// For [`SchemaProfile::Gemini`]: the subset of OpenAPI that its API reads.
pub(super) fn gemini(schema: &mut Value) -> Result<(), SchemaError> {
    gemini_node(schema, "")
}

fn gemini_node(schema: &mut Value, at: &str) -> Result<(), SchemaError> {
    let Value::Object(map) = schema else {
        return Ok(());
    };
    if map.remove("$ref").is_some() {
        // Recursion: the first level is shown, and the type enforces the others.
        map.insert("type".to_owned(), "object".into());
    }
    map.remove("$defs");
    below(map, at, &mut gemini_node)?;
    tuple_to_items(map);
    one_of_to_any_of(map);
    if map.contains_key("allOf") {
        return Err(inexpressible(
            SchemaProfile::Gemini,
            at,
            "`allOf`",
            "flatten the types into one",
        ));
    }
    whole_bounds(map);
    strings_only(map);
    let mut nullable = types_to_any_of(map);
    nullable |= null_branch(map);
    keep_only(map, &GEMINI, |format| format == "date-time");
    order(map);
    if nullable {
        map.insert("nullable".to_owned(), true.into());
    }
    Ok(())
}

/// A bound that a whole number must pass is the next whole number.
fn whole_bounds(map: &mut Map<String, Value>) {
    if map.get("type").is_none_or(|name| *name != "integer") {
        return;
    }
    for (exclusive, inclusive, step) in [
        ("exclusiveMinimum", "minimum", 1),
        ("exclusiveMaximum", "maximum", -1),
    ] {
        let next = map
            .get(exclusive)
            .and_then(Value::as_i64)
            .and_then(|bound| bound.checked_add(step));
        if let Some(next) = next
            && !map.contains_key(inclusive)
        {
            map.remove(exclusive);
            map.insert(inclusive.to_owned(), next.into());
        }
    }
}

/// Gemini's `enum` holds strings.
fn strings_only(map: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = map.get_mut("enum") else {
        return;
    };
    values.retain(|value| !value.is_null());
    if !values.iter().all(Value::is_string) {
        let note = format!("One of {}.", Value::Array(values.clone()));
        map.remove("enum");
        describe(map, &[note]);
    }
}

/// Splits a list of types; whether null was among them.
fn types_to_any_of(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(names)) = map.get("type") else {
        return false;
    };
    let mut names = names.clone();
    let before = names.len();
    names.retain(|name| name != "null");
    let nullable = names.len() != before;
    map.remove("type");
    match names.as_slice() {
        [only] => {
            map.insert("type".to_owned(), only.clone());
        }
        several => {
            let branches: Vec<Value> = several.iter().map(|name| json!({ "type": name })).collect();
            map.entry("anyOf").or_insert(Value::Array(branches));
        }
    }
    nullable
}

/// Takes null out of a union; whether it was there.
fn null_branch(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(branches)) = map.get_mut("anyOf") else {
        return false;
    };
    let before = branches.len();
    branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
    let nullable = branches.len() != before;
    super::fold::collapse_single(map);
    nullable
}

/// Transforms all schemas right below one.
fn below(
    map: &mut Map<String, Value>,
    at: &str,
    node: &mut dyn FnMut(&mut Value, &str) -> Result<(), SchemaError>,
) -> Result<(), SchemaError> {
    for (keyword, value) in map.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    node(schema, &format!("{at}/{keyword}/{name}"))?;
                }
            }
            ("anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                for (index, schema) in schemas.iter_mut().enumerate() {
                    node(schema, &format!("{at}/{keyword}/{index}"))?;
                }
            }
            ("items", schema) => node(schema, &format!("{at}/items"))?,
            _ => {}
        }
    }
    Ok(())
}

/// A tuple becomes a list of its length, whose items are any of its parts.
fn tuple_to_items(map: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = map.remove("prefixItems") else {
        return;
    };
    let mut kinds: Vec<Value> = Vec::new();
    for part in parts {
        if !kinds.contains(&part) {
            kinds.push(part);
        }
    }
    let items = match kinds.as_slice() {
        [only] => only.clone(),
        _ => json!({ "anyOf": kinds }),
    };
    map.insert("items".to_owned(), items);
}

fn one_of_to_any_of(map: &mut Map<String, Value>) {
    if let Some(branches) = map.remove("oneOf") {
        map.entry("anyOf").or_insert(branches);
    }
}

/// Drops the keywords that a provider does not know, and says in the description what they said.
fn keep_only(map: &mut Map<String, Value>, known: &[&str], format: impl Fn(&str) -> bool) {
    let mut notes = Vec::new();
    let refused: Vec<String> = map
        .iter()
        .filter(|(keyword, value)| {
            let unknown_format = *keyword == "format" && !value.as_str().is_some_and(&format);
            unknown_format || !known.contains(&keyword.as_str())
        })
        .map(|(keyword, _)| keyword.clone())
        .collect();
    for keyword in refused {
        if let Some(value) = map.remove(&keyword) {
            notes.extend(note(&keyword, &value));
        }
    }
    describe(map, &notes);
}

/// What a keyword says, in words; `None` where the words would not help a model.
fn note(keyword: &str, value: &Value) -> Option<String> {
    let words = match keyword {
        "minLength" => "Shortest length",
        "maxLength" => "Greatest length",
        "minProperties" => "Fewest members",
        "maxProperties" => "Most members",
        "exclusiveMinimum" => "Greater than",
        "exclusiveMaximum" => "Less than",
        "multipleOf" => "Multiple of",
        "pattern" => "Pattern",
        "format" => "Format",
        "default" => "Default",
        "uniqueItems" => return Some("Items must all differ.".to_owned()),
        _ => return None,
    };
    match value {
        Value::String(text) if keyword != "default" => Some(format!("{words}: {text}")),
        value => Some(format!("{words}: {value}")),
    }
}

fn inexpressible(
    profile: SchemaProfile,
    at: &str,
    what: &'static str,
    hint: &'static str,
) -> SchemaError {
    SchemaError::Inexpressible {
        profile,
        pointer: at.to_owned(),
        what,
        hint,
    }
}
