//! What we write is valid under the schema of each revision, and leaves out nothing that the schema names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use mcp_core::protocol::ProtocolVersion;
use serde_json::{Map, Value, json};

use crate::samples::Samples;

/// Definitions that are no message of their own: envelopes, unions of messages, and what others are built from.
const NOT_SAMPLED: &[&str] = &[
    "Annotated",
    "BaseMetadata",
    "CacheableResult",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "Error",
    "Icons",
    "InputResponseRequestParams",
    "JSONArray",
    "JSONObject",
    "JSONRPCBatchRequest",
    "JSONRPCBatchResponse",
    "JSONRPCError",
    "JSONRPCErrorResponse",
    "JSONRPCMessage",
    "JSONRPCNotification",
    "JSONRPCRequest",
    "JSONRPCResponse",
    "JSONRPCResultResponse",
    "JSONValue",
    "MetaObject",
    "Notification",
    "PaginatedRequest",
    "PaginatedResult",
    "Request",
    "ResourceContents",
    "ResourceRequestParams",
    "Result",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "TaskAugmentedRequestParams",
];

struct Schema {
    root: Value,
    key: &'static str,
}

impl Schema {
    fn of(version: ProtocolVersion) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/spec")
            .join(version.as_str())
            .join("schema.json");
        let root: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let key = if root.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        };
        Self { root, key }
    }

    fn definitions(&self) -> &Map<String, Value> {
        self.root[self.key].as_object().unwrap()
    }

    fn validator(&self, definition: &str) -> Validator {
        jsonschema::validator_for(&json!({
            "$schema": self.root["$schema"],
            self.key: self.root[self.key],
            "$ref": format!("#/{}/{definition}", self.key),
        }))
        .unwrap()
    }

    /// Refuses members that no definition names, so that a misspelt optional one is seen. Definitions that `allOf`
    /// combines, and `_meta`, stay open.
    fn close(&mut self) {
        let mut combined = BTreeSet::new();
        collect_combined(&self.root, &mut combined);
        for (name, definition) in self.root[self.key].as_object_mut().unwrap() {
            if !combined.contains(name) && !name.ends_with("MetaObject") {
                close(definition);
            }
        }
    }
}

/// The names of the definitions that `allOf` refers to.
fn collect_combined(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for part in members
                .get("allOf")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let reference = part["$ref"]
                    .as_str()
                    .and_then(|text| text.rsplit('/').next());
                names.extend(reference.map(str::to_owned));
            }
            members
                .values()
                .for_each(|member| collect_combined(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_combined(item, names)),
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
            Value::Object(named) if name == "properties" => named.values_mut().for_each(close),
            Value::Array(parts) if name == "anyOf" => parts.iter_mut().for_each(close),
            Value::Object(_) if name == "items" => close(member),
            _ => {}
        }
    }
}

/// Samples by definition, with the params of messages that have a definition for them, and results in responses.
fn samples(version: ProtocolVersion, schema: &Schema) -> BTreeMap<String, Vec<Value>> {
    let mut by_name: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (name, sample) in Samples::of(version).list {
        let (params, response) = (format!("{name}Params"), format!("{name}Response"));
        if schema.definitions().contains_key(&params) {
            by_name
                .entry(params)
                .or_default()
                .push(sample["params"].clone());
        }
        if schema.definitions().contains_key(&response) {
            let message = json!({"jsonrpc": "2.0", "id": 1, "result": sample});
            by_name.entry(response).or_default().push(message);
        }
        by_name.entry(name.to_owned()).or_default().push(sample);
    }
    by_name
}

#[test]
fn every_definition_of_every_revision_has_a_sample() {
    for version in ProtocolVersion::ALL {
        let schema = Schema::of(version);
        let sampled = samples(version, &schema);
        let wanted: BTreeSet<&str> = schema
            .definitions()
            .keys()
            .map(String::as_str)
            .filter(|name| !NOT_SAMPLED.contains(name))
            .collect();
        let sampled: BTreeSet<&str> = sampled.keys().map(String::as_str).collect();
        assert_eq!(sampled, wanted, "{version}");
    }
}

#[test]
fn what_we_write_is_valid_and_has_no_member_the_revision_does_not_name() {
    let mut failures = Vec::new();
    for version in ProtocolVersion::ALL {
        let open = Schema::of(version);
        let mut closed = Schema::of(version);
        closed.close();
        for (name, samples) in samples(version, &open) {
            for schema in [&open, &closed] {
                let validator = schema.validator(&name);
                for sample in &samples {
                    if let Err(error) = validator.validate(sample) {
                        let at = error.instance_path();
                        failures.push(format!("{version} {name} at {at}: {error}\n  {sample}"));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_member_a_revision_names_is_in_a_sample() {
    let mut missing = Vec::new();
    for version in ProtocolVersion::ALL {
        let schema = Schema::of(version);
        for (name, samples) in samples(version, &schema) {
            let samples: Vec<&Value> = samples.iter().collect();
            let path = format!("{version} {name}");
            find_missing(&schema.definitions()[&name], &samples, &path, &mut missing);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn find_missing(schema: &Value, samples: &[&Value], path: &str, missing: &mut Vec<String>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let found: Vec<&Value> = samples
            .iter()
            .filter_map(|sample| sample.get(name))
            .collect();
        if found.is_empty() {
            missing.push(path);
        } else {
            find_missing(member, &found, &path, missing);
        }
    }
}

#[test]
fn the_schemas_refuse_what_is_wrong() {
    let mut schema = Schema::of(ProtocolVersion::LATEST);
    let tool = json!({"name": "a", "inputSchema": {"type": "object"}});
    assert!(schema.validator("Tool").is_valid(&tool));
    assert!(!schema.validator("Tool").is_valid(&json!({"name": "a"})));
    schema.close();
    assert!(schema.validator("Tool").is_valid(&tool));
    let misspelt = json!({"name": "a", "inputSchema": {"type": "object"}, "output_schema": {}});
    assert!(!schema.validator("Tool").is_valid(&misspelt));
}
