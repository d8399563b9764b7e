//! What the server must say, step by step, in each revision.

use serde_json::{Value, json};

/// The revisions in their order, as a client negotiates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

/// What a client program shows of a conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) revision: Revision,
    /// It asks for logs with every modern request, so that even the call that should be silent is answered with one.
    pub(crate) always_asks_for_logs: bool,
    /// It has no way to listen to changes in the modern era.
    pub(crate) cannot_listen: bool,
}

impl Client {
    pub(crate) fn new(revision: Revision) -> Self {
        Self {
            revision,
            always_asks_for_logs: false,
            cannot_listen: false,
        }
    }
}

/// One step, by its name: it shows these members and no others.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) name: &'static str,
    answer: Value,
}

impl Expected {
    pub(crate) fn assert_met_by(&self, step: &Value) {
        let mut shown = step.clone();
        let members = shown.as_object_mut().expect("a step is an object");
        let name = members.remove("step").expect("a step has a name");
        assert_eq!(name, self.name, "the steps are out of order at {step}");
        assert_eq!(shown, self.answer, "{name}");
    }
}

/// The whole conversation with a client.
pub(crate) fn conversation(client: &Client) -> Vec<Expected> {
    let mut steps = greeting(client.revision);
    steps.push(exactly("list", list(client.revision)));
    steps.extend(contents(client.revision));
    steps.extend(notifications(client));
    steps.extend(mistakes(client.revision));
    steps.extend(ends(client));
    steps
}

fn exactly(name: &'static str, answer: Value) -> Expected {
    Expected { name, answer }
}

fn greeting(revision: Revision) -> Vec<Expected> {
    let server = json!({ "name": "conformance", "version": "0.1.0" });
    let capabilities = json!({ "logging": {}, "tools": { "listChanged": true } });
    let connect = exactly("connect", json!({ "protocol": revision.as_str() }));
    if revision == Revision::V2026_07_28 {
        let discover = json!({ "versions": [revision.as_str()], "server": server, "capabilities": capabilities });
        return vec![connect, exactly("discover", discover)];
    }
    let initialize = json!({ "server": server, "capabilities": capabilities });
    vec![
        connect,
        exactly("initialize", initialize),
        exactly("ping", json!({})),
    ]
}

/// In the order in which the server adds them.
pub(crate) const TOOLS: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_error_handling",
    "test_tool_with_progress",
    "test_logging_tool",
    "test_trigger_tool_change",
    "test_custom_header",
    "json_schema_2020_12_tool",
    "echo",
    "add",
    "slow",
    "test_cancelled_calls",
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

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime_type, "text": text } })
}

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
    let unknown_tool = invalid_params("there is no tool `no_such_tool`", Value::Null);
    vec![
        exactly("wrong arguments", wrong_arguments),
        exactly("unknown tool", unknown_tool),
    ]
}

/// A call that is cancelled, a list that changes, and the end.
fn ends(client: &Client) -> Vec<Expected> {
    let changes = if client.cannot_listen {
        json!([])
    } else {
        json!(["notifications/tools/list_changed"])
    };
    let change =
        json!({ "changes": changes, "last tool": "test_late_tool", "tools": TOOLS.len() + 1 });
    vec![
        exactly("cancel", json!({ "answers": [] })),
        exactly("after cancel", json!({ "content": [text("1")] })),
        exactly("change", change),
        exactly("close", json!({})),
    ]
}
