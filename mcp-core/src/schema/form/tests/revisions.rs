//! What each revision shows, checked against the schema of that revision.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};

use super::*;
use crate::protocol::{ElicitParams, StringFormat, TitledOption};

const WITH_FORMS: [ProtocolVersion; 3] = [
    ProtocolVersion::V2025_06_18,
    ProtocolVersion::V2025_11_25,
    ProtocolVersion::V2026_07_28,
];

#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    /// Small
    S,
    /// Large
    L,
}

fn five() -> u8 {
    5
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Single {
    /// Who you are.
    #[schemars(title = "Name", length(min = 1, max = 9), extend("default" = "Ada"))]
    name: String,
    #[schemars(email)]
    mail: Option<String>,
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 9))]
    count: u8,
    #[schemars(range(min = 0.5))]
    share: Option<f64>,
    #[serde(default)]
    sure: bool,
    /// Of the shirt.
    #[schemars(title = "Size", extend("default" = "S"))]
    size: Size,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Several {
    #[schemars(length(min = 1, max = 2), extend("default" = ["S"]))]
    sizes: BTreeSet<Size>,
}

fn every_field_by_hand() -> FormSchema {
    let options = [TitledOption::new("x", "X"), TitledOption::new("y", "Y")];
    let names = ["X", "Y"].map(str::to_owned);
    FormSchema::default()
        .with_schema("https://json-schema.org/draft/2020-12/schema")
        .with_field(
            "text",
            PrimitiveSchema::string()
                .with_format(StringFormat::Uri)
                .with_default("https://a.example/"),
        )
        .with_field("number", PrimitiveSchema::number().with_default(1))
        .with_field("sure", PrimitiveSchema::boolean().with_default(true))
        .with_field(
            "plain",
            PrimitiveSchema::choice(["x", "y"]).with_default("x"),
        )
        .with_field(
            "titled",
            PrimitiveSchema::titled_choice(options)
                .with_title("Titled")
                .with_default("x"),
        )
        .with_field(
            "named",
            PrimitiveSchema::choice(["x", "y"]).with_names(names),
        )
        .with_required(["text".to_owned()])
}

fn with_lists_by_hand() -> FormSchema {
    let options = [TitledOption::new("x", "X"), TitledOption::new("y", "Y")];
    every_field_by_hand()
        .with_field(
            "some",
            PrimitiveSchema::choices(["x", "y"])
                .with_min_items(1)
                .with_default(["x".to_owned()]),
        )
        .with_field("titles", PrimitiveSchema::titled_choices(options))
}

#[test]
fn the_first_revision_has_defaults_for_yes_or_no_only_and_titles_beside_the_strings() {
    assert_eq!(
        shown_at::<Single>(ProtocolVersion::V2025_06_18),
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "title": "Name", "description": "Who you are.", "minLength": 1, "maxLength": 9 },
                "mail": { "type": "string", "format": "email" },
                "count": { "type": "integer", "minimum": 1, "maximum": 9 },
                "share": { "type": "number", "minimum": 0.5 },
                "sure": { "type": "boolean", "default": false },
                "size": {
                    "type": "string",
                    "title": "Size",
                    "description": "Of the shirt.",
                    "enum": ["S", "L"],
                    "enumNames": ["Small", "Large"],
                },
            },
            "required": ["name", "size"],
        })
    );
}

#[test]
fn a_default_that_a_revision_cannot_show_counts_all_the_same() {
    #[derive(JsonSchema, Deserialize)]
    struct Asked {
        #[schemars(extend("default" = "x"))]
        a: String,
    }
    let form = form::<Asked>();
    assert!(form.json(ProtocolVersion::V2025_06_18).is_ok());
    assert_eq!(form.read::<Asked>("{}").unwrap().a, "x");
}

#[test]
fn the_first_revision_cannot_ask_for_a_list() {
    let by_hand = Form::from_schema(&with_lists_by_hand()).unwrap();
    for (form, field) in [(form::<Several>(), "sizes"), (by_hand, "some")] {
        let error = form.json(ProtocolVersion::V2025_06_18).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("revision 2025-06-18 cannot ask for the field `{field}`, which is a list")
        );
    }
}

#[test]
fn revisions_without_forms_cannot_ask_for_anything() {
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_03_26] {
        let error = form::<Single>().json(version).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("revision {version} cannot ask for anything")
        );
    }
}

/// Whether `elicitation/create` with a form is valid under the schema of its revision, with every definition closed:
/// most would take a member that the revision does not know for one of an extension.
fn request_validator(version: ProtocolVersion) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/spec")
        .join(version.as_str())
        .join("schema.json");
    let mut root: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    close(&mut root);
    let key = match root.get("$defs") {
        Some(_) => "$defs",
        None => "definitions",
    };
    jsonschema::validator_for(&json!({
        "$schema": root["$schema"],
        key: root[key],
        "$ref": format!("#/{key}/ElicitRequest"),
    }))
    .unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(close);
            if map.contains_key("properties")
                && map.get("type").is_some_and(|kind| kind == "object")
            {
                map.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn request(version: ProtocolVersion, form: &Form) -> Value {
    let params = ElicitParams::form("Who are you?", form.json(version).unwrap());
    let mut request = json!({ "method": "elicitation/create", "params": params });
    // Only 2025-11-25 describes the envelope together with the request.
    if version == ProtocolVersion::V2025_11_25 {
        request["jsonrpc"] = json!("2.0");
        request["id"] = json!(1);
    }
    request
}

#[test]
fn what_is_shown_is_valid_under_the_schema_of_every_revision() {
    for version in WITH_FORMS {
        let validator = request_validator(version);
        let mut forms = vec![
            form::<()>(),
            form::<Single>(),
            Form::from_schema(&every_field_by_hand()).unwrap(),
        ];
        if version.has_elicitation_modes() {
            forms.push(form::<Several>());
            forms.push(Form::from_schema(&with_lists_by_hand()).unwrap());
        }
        for form in forms {
            let request = request(version, &form);
            let errors: Vec<String> = validator
                .iter_errors(&request)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{version} {request} {errors:?}");
        }
    }
}

/// That the check above would notice.
#[test]
fn what_a_later_revision_shows_is_not_valid_under_the_first() {
    let first = request_validator(ProtocolVersion::V2025_06_18);
    let form = form::<Single>();
    let mut request = request(ProtocolVersion::V2026_07_28, &form);
    assert!(!first.is_valid(&request));
    request["params"]["requestedSchema"] = form
        .json(ProtocolVersion::V2025_06_18)
        .unwrap()
        .parse()
        .unwrap();
    assert!(first.is_valid(&request));
}
