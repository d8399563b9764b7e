//! Output schemas that somebody else wrote.

use serde_json::json;

use crate::schema::ForeignOutput;

fn output(schema: &serde_json::Value) -> ForeignOutput {
    ForeignOutput::new(&schema.to_string())
}

#[test]
fn each_violation_is_a_line_with_its_place() {
    let output = output(&json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/small"}, "b": {"type": ["string", "null"]}},
        "required": ["a", "c"],
        "additionalProperties": false,
        "definitions": {"small": {"type": "integer", "maximum": 9, "x-unit": "cm"}},
    }));
    assert_eq!(
        output.violations(r#"{"a":9.0,"b":null,"c":1}"#).unwrap(),
        "\n- /c: not in the schema"
    );
    assert_eq!(
        output.violations(r#"{"a":10,"b":5}"#).unwrap(),
        "\n- /a: expected integer at most 9, got 10\n- /b: expected string or null, got 5\n- /c: missing, expected any value",
    );
}

#[test]
fn of_very_many_violations_the_first_few_are_listed() {
    let output = output(&json!({"type": "array", "items": {"type": "null"}}));
    let lines = output.violations("[1,1,1,1,1,1,1,1,1,1,1]").unwrap();
    assert_eq!(lines.lines().count(), 10, "{lines}");
    assert!(
        lines.ends_with("\n- /7: expected null, got 1\n- and 3 more"),
        "{lines}"
    );
}

#[test]
fn null_is_a_value_like_any_other() {
    let output = output(&json!({"properties": {"a": {"type": "string"}}}));
    assert!(output.violations(r#"{"a":null}"#).is_some());
    assert!(output.violations("{}").is_none());
}

#[test]
fn a_format_asserts_nothing() {
    let output =
        output(&json!({"items": {"type": "integer", "format": "uint8"}, "format": "email"}));
    assert!(output.violations("[300]").is_none());
    assert!(output.violations(r#""nobody""#).is_none());
    assert!(output.violations(r#"["nobody"]"#).is_some());
}

#[test]
fn a_property_may_have_the_name_of_a_keyword() {
    let output =
        output(&json!({"properties": {"if": {"type": "string"}, "format": {"type": "string"}}}));
    assert!(output.violations(r#"{"if":1}"#).is_some());
    assert!(output.violations(r#"{"format":1}"#).is_some());
}

#[test]
fn a_schema_that_is_not_understood_as_a_whole_is_not_checked_at_all() {
    let schemas = [
        json!({"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}),
        json!({"type": "object", "properties": {"a": {"contains": {"const": 1}}}}),
        json!({"type": "object", "anyOf": [{"dependentRequired": {"a": ["b"]}}]}),
        json!({"type": "object", "$ref": "https://example.com/schema"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}),
        json!({"type": "object", "properties": {"a": {"$id": "b", "type": "string"}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "(?=a)"}}}),
        json!({"type": "object", "nullable": true}),
        json!({"type": "object", "minProperties": -1}),
        json!({"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"}),
        json!({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": []}),
        json!({
            "type": "object", "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"$ref": "#/definitions/b", "type": "string"}}, "definitions": {"b": true},
        }),
        json!("object"),
    ];
    for schema in schemas {
        let output = output(&schema);
        assert!(!output.is_checked(), "{schema}");
        assert!(output.violations("7").is_none(), "{schema}");
    }
    for text in [
        r#"{"type":"object","type":"string"}"#,
        r#"{"const":100000000000000000000000001}"#,
    ] {
        assert!(!ForeignOutput::new(text).is_checked(), "{text}");
    }
}

#[test]
fn content_that_is_too_intricate_to_check_is_not_held_to_be_wrong() {
    let endless = output(&json!({"$ref": "#"}));
    assert!(endless.is_checked());
    assert!(endless.violations("1").is_none());
    // Inside of a branch too, whose failures are not described.
    let endless =
        output(&json!({"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/a"}}}));
    assert!(endless.violations("1").is_none());
}
