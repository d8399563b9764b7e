//! Tools: their list, what they answer, and what comes while they run.

use serde_json::{Value, json};

use super::{Client, Expected, Revision, error, exactly, image, resource, text};

pub(super) fn steps(client: &Client) -> Vec<Expected> {
    let mut steps = vec![exactly("list", list(client.revision))];
    steps.extend(contents(client.revision));
    steps.extend(notifications(client));
    steps.extend(mistakes(client.revision));
    steps.extend([
        exactly("cancel", json!({ "answers": [] })),
        exactly("after cancel", json!({ "content": [text("1")] })),
    ]);
    steps
}

/// In the order in which the server adds them.
pub(crate) const TOOLS: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_logging_tool",
    "test_reconnection",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_trigger_resource_change",
    "test_trigger_resource_update",
    "test_custom_header",
    "json_schema_2020_12_tool",
    "echo",
    "add",
    "slow",
    "test_cancelled_calls",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_elicitation_url",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

fn list(revision: Revision) -> Value {
    let operand = |description: &str| json!({ "type": "integer", "description": description });
    let output = json!({
        "type": "object",
        "properties": { "total": { "type": "integer" } },
        "required": ["total"],
    });
    json!({
        "names": TOOLS,
        "add": {
            "description": "Adds two numbers.",
            "inputSchema": {
                "type": "object",
                "properties": { "a": operand("The left operand."), "b": operand("The right operand.") },
                "required": ["a", "b"],
                "additionalProperties": false,
            },
            "outputSchema": if revision >= Revision::V2025_06_18 { output } else { Value::Null },
        },
        "foreign": foreign_schema(),
    })
}

/// A schema that was not made by us and has to come through as it is.
fn foreign_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

pub(crate) const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Every control character, quote and plane that a string may have to survive.
const UNICODE: &str = "h\u{e9}llo \u{2713} \u{1d11e} \"quoted\" \\ / \u{8}\t\r\n \u{2028} \0 end";

fn contents(revision: Revision) -> Vec<Expected> {
    let content = |name, content: Value| exactly(name, json!({ "content": content }));
    let mut steps = vec![
        content(
            "text",
            json!([text("This is a simple text response for testing.")]),
        ),
        content("image", json!([image()])),
    ];
    // The first revision has no audio; the clients do not ask for it there.
    if revision >= Revision::V2025_03_26 {
        let audio = json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" });
        steps.push(content("audio", json!([audio])));
    }
    let embedded = resource(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    );
    let mixed = json!([
        text("Multiple content types test:"),
        image(),
        resource(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#
        ),
    ]);
    let error = json!([text("This tool intentionally returns an error for testing")]);
    let total = json!([text(r#"{"total":5}"#)]);
    let structured = if revision >= Revision::V2025_06_18 {
        json!({ "content": total, "structuredContent": { "total": 5 } })
    } else {
        json!({ "content": total })
    };
    steps.extend([
        content("resource", json!([embedded])),
        content("mixed", mixed),
        exactly("tool error", json!({ "content": error, "isError": true })),
        exactly("structured", structured),
        content("unicode", json!([text(UNICODE)])),
        content("header", json!([text("a")])),
    ]);
    steps
}

/// What comes while a call runs.
fn notifications(client: &Client) -> Vec<Expected> {
    let unasked = if client.always_asks_for_logs {
        json!([["info", "Logging tool called"]])
    } else {
        json!([])
    };
    vec![
        exactly(
            "progress",
            json!({
                "progress": [[0, 100, null], [50, 100, null], [100, 100, null]],
                "content": [text("Tool with progress executed successfully")],
            }),
        ),
        exactly(
            "logging",
            json!({
                "logs": [
                    ["info", "Tool execution started"],
                    ["info", "Tool processing data"],
                    ["info", "Tool execution completed"],
                ],
                "content": [text("Tool with logging executed successfully")],
            }),
        ),
        exactly(
            "no logging",
            json!({ "logs": unasked, "content": [text("Logged")] }),
        ),
    ]
}

/// Two mistakes in one call of `add`, both of which the model is told.
const WRONG_ARGUMENTS: &str = "Invalid arguments for this tool:
- /a: expected integer, got string \"two\"
- /b: missing, expected integer";

fn mistakes(revision: Revision) -> Vec<Expected> {
    let invalid_params = |message: &str, data: Value| json!({ "error": { "code": -32602, "message": message, "data": data } });
    let wrong_arguments = if revision >= Revision::V2025_11_25 {
        json!({ "content": [text(WRONG_ARGUMENTS)], "isError": true })
    } else {
        let errors = json!([
            {
                "pointer": "/a",
                "message": "expected integer, got string \"two\"",
                "expected": "integer",
                "got": "string \"two\"",
            },
            { "pointer": "/b", "message": "missing, expected integer", "expected": "integer" },
        ]);
        invalid_params(WRONG_ARGUMENTS, json!({ "errors": errors }))
    };
    let unknown_tool = error(-32602, "there is no tool `no_such_tool`");
    vec![
        exactly("wrong arguments", wrong_arguments),
        exactly("unknown tool", unknown_tool),
    ]
}
