//! The schema of each revision, closed: a member that it does not name is refused as well.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use mcp_core::protocol::ProtocolVersion;
use serde_json::{Value, json};

type Key = (ProtocolVersion, &'static str);

static VALIDATORS: LazyLock<Mutex<HashMap<Key, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The definition of what a method results in.
pub(crate) fn result_of(method: &str) -> &'static str {
    match method {
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "completion/complete" => "CompleteResult",
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => {
            "EmptyResult"
        }
        other => panic!("nothing is known of `{other}`"),
    }
}

/// Asserts that a value is what the revision says it is.
#[track_caller]
pub(crate) fn check(version: ProtocolVersion, definition: &'static str, value: &Value) {
    if let Err(error) = validator(version, definition).validate(value) {
        let at = error.instance_path();
        panic!("no {definition} of {version}, at `{at}`: {error}\n{value}");
    }
}

/// Asserts that a value is what one of the revisions says it is.
#[track_caller]
pub(crate) fn check_any(versions: &[ProtocolVersion], definition: &'static str, value: &Value) {
    let fits = |version: &ProtocolVersion| validator(*version, definition).is_valid(value);
    assert!(
        versions.iter().any(fits),
        "no {definition} of {versions:?}: {value}"
    );
}

fn validator(version: ProtocolVersion, definition: &'static str) -> Arc<Validator> {
    let mut known = VALIDATORS.lock().unwrap();
    let made = known
        .entry((version, definition))
        .or_insert_with(|| Arc::new(make(version, definition)));
    Arc::clone(made)
}

fn make(version: ProtocolVersion, definition: &'static str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/spec")
        .join(version.as_str())
        .join("schema.json");
    let mut root: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let key = if root.get("$defs").is_some() {
        "$defs"
    } else {
        "definitions"
    };
    let has = |name: &str| root[key].get(name).is_some();
    let definition = match definition {
        "an error" if has("JSONRPCErrorResponse") => "JSONRPCErrorResponse",
        "an error" => "JSONRPCError",
        named => named,
    };
    assert!(has(definition), "{version} has no {definition}");
    let mut combined = BTreeSet::new();
    find_combined(&root, &mut combined);
    for (name, definition) in root[key].as_object_mut().unwrap() {
        // Envelopes hold results of any kind, whose own definitions are checked beside.
        let is_open = combined.contains(name)
            || name.ends_with("MetaObject")
            || name.starts_with("JSONRPC")
            || name == "Result";
        if !is_open {
            close(definition);
        }
        // Older schemas leave the envelope to its own definition.
        if name.ends_with("Notification")
            && let Some(members) = definition
                .get_mut("properties")
                .and_then(Value::as_object_mut)
        {
            members
                .entry("jsonrpc")
                .or_insert_with(|| json!({"const": "2.0"}));
        }
    }
    jsonschema::validator_for(&json!({
        "$schema": root["$schema"],
        key: root[key],
        "$ref": format!("#/{key}/{definition}"),
    }))
    .unwrap()
}

/// The names of the definitions that `allOf` puts together.
fn find_combined(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let parts = members.get("allOf").and_then(Value::as_array);
            for part in parts.into_iter().flatten() {
                let reference = part["$ref"].as_str();
                let name = reference.and_then(|text| text.rsplit('/').next());
                names.extend(name.map(str::to_owned));
            }
            members
                .values()
                .for_each(|member| find_combined(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| find_combined(item, names)),
        _ => {}
    }
}

fn close(schema: &mut Value) {
    let Value::Object(members) = schema else {
        return;
    };
    if members.contains_key("allOf") {
        return;
    }
    if members.contains_key("properties") && !members.contains_key("additionalProperties") {
        members.insert("additionalProperties".to_owned(), false.into());
    }
    for (name, member) in members {
        match member {
            Value::Object(named) if name == "properties" => named
                .iter_mut()
                // What tools say of their arguments and results is any JSON Schema.
                .filter(|(name, _)| !matches!(name.as_str(), "inputSchema" | "outputSchema"))
                .for_each(|(_, member)| close(member)),
            Value::Array(parts) if name == "anyOf" => parts.iter_mut().for_each(close),
            Value::Object(_) if name == "items" => close(member),
            _ => {}
        }
    }
}

#[test]
fn the_schemas_refuse_what_a_revision_does_not_have() {
    let with_title =
        json!({"tools": [{"name": "a", "title": "A", "inputSchema": {"type": "object"}}]});
    let is_valid = |version| validator(version, "ListToolsResult").is_valid(&with_title);
    assert!(is_valid(ProtocolVersion::V2025_06_18));
    assert!(!is_valid(ProtocolVersion::V2024_11_05));
    assert!(
        !is_valid(ProtocolVersion::LATEST),
        "`resultType` is missing"
    );
}
