//! Results of tools, as each revision has them.

use mcp_core::protocol::{
    Annotations, AudioContent, ImageContent, Meta, ProtocolVersion, RawJson, Resource, TextContent,
};
use mcp_core::{
    Content, ErrorCode, ErrorObject, Icon, Invocation, Json, Reply, SchemaProfile, Server, Step,
    ToolAnnotations, ToolDefinition, ToolResult, data, tool,
};
use serde_json::{Value, json};

use crate::talk::{
    Talk, call, error, failure, modern, modern_call, modern_failure, modern_result, request,
    result, text_members,
};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// Somebody.
#[data]
struct User {
    id: u64,
}

/// Lists them.
#[tool]
fn list() -> Json<Vec<User>> {
    Json(vec![User { id: 1 }])
}

/// Counts them.
#[tool]
fn count() -> Json<u32> {
    Json(7)
}

/// Finds one, or none.
#[tool]
fn find(id: u64) -> Result<Json<Option<User>>, String> {
    Ok(Json((id > 0).then_some(User { id })))
}

/// Gets one.
#[tool]
fn get() -> Json<User> {
    Json(User { id: 1 })
}

/// The members of a result with structured content.
fn structured(text: &str, value: &str) -> String {
    format!(r#"{},"structuredContent":{value}"#, text_members(text))
}

/// SCH-16
#[test]
fn structured_values_are_wrapped_up_to_2025_11_25_and_bare_after() {
    let server = || {
        Server::new("s", "1")
            .tool::<list>()
            .tool::<count>()
            .tool::<find>()
            .tool::<get>()
    };
    let cases = [
        ("list", "{}", r#"[{"id":1}]"#, true),
        ("count", "{}", "7", true),
        ("find", r#"{"id":0}"#, "null", true),
        // An object like any other, but the schema that is shown is that of the wrapper.
        ("find", r#"{"id":3}"#, r#"{"id":3}"#, true),
        ("get", "{}", r#"{"id":1}"#, false),
    ];
    let mut talk = Talk::new(server());
    for (name, arguments, value, _) in cases {
        talk.say(modern_call(1, name, arguments))
            .hears(&[modern_result(1, &structured(value, value))]);
    }
    talk.say(modern(2, "tools/list", ""));
    let modern_tools = talk.result()["tools"].take();
    for version in [ProtocolVersion::V2025_06_18, V2025_11] {
        let mut talk = Talk::session(server(), version);
        talk.say(request(0, "tools/list", ""));
        let tools = talk.result()["tools"].take();
        for (name, arguments, value, wraps) in cases {
            let sent = if wraps {
                format!(r#"{{"result":{value}}}"#)
            } else {
                value.to_owned()
            };
            talk.say(call(1, name, arguments))
                .hears(&[result(1, &structured(value, &sent))]);
            let schema_in = |tools: &Value| {
                let tools = tools.as_array().unwrap().iter();
                let tool = tools.clone().find(|tool| tool["name"] == name);
                jsonschema::validator_for(&tool.unwrap()["outputSchema"]).unwrap()
            };
            assert!(
                schema_in(&tools).is_valid(&serde_json::from_str(&sent).unwrap()),
                "{name}"
            );
            assert!(
                schema_in(&modern_tools).is_valid(&serde_json::from_str(value).unwrap()),
                "{name}"
            );
        }
    }
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_03_26] {
        let mut talk = Talk::session(server(), version);
        talk.say(request(0, "tools/list", ""));
        assert!(!talk.result().to_string().contains("outputSchema"));
        for (name, arguments, value, _) in cases {
            talk.say(call(1, name, arguments))
                .hears(&[result(1, &text_members(value))]);
        }
    }
}

fn tool_of(reply: fn() -> Reply) -> ToolDefinition {
    ToolDefinition::new("t", move |_: Invocation| Step::Done(reply()))
}

fn with_schema(reply: fn() -> Reply) -> Server {
    let schema = r#"{"type":"object","properties":{"rows":{"type":"array"}},"required":["rows"]}"#;
    Server::new("s", "1").raw_tool(tool_of(reply).with_output_schema(schema.parse().unwrap()))
}

fn json_text(value: &Value) -> RawJson {
    RawJson::from_value(value).unwrap()
}

/// RES-01
#[test]
fn a_tool_that_failed_owes_no_structured_content() {
    let mut talk = Talk::session(
        with_schema(|| Reply::tool_error("the disk is full")),
        V2025_11,
    );
    talk.say(call(1, "t", "{}"))
        .hears(&[failure(1, "the disk is full")]);
    let reply = || {
        ToolResult::error(vec![Content::text("no")])
            .with_structured_content(json_text(&json!({"error": 1})))
            .into()
    };
    let mut talk = Talk::session(with_schema(reply), V2025_11);
    talk.say(call(1, "t", "{}")).hears(&[result(
        1,
        r#""content":[{"type":"text","text":"no"}],"structuredContent":{"error":1},"isError":true"#,
    )]);
}

/// RES-02, RES-11
#[test]
fn a_tool_that_breaks_its_own_output_schema_fails() {
    let mut talk = Talk::new(with_schema(|| Reply::text("no rows")));
    let broken = "The tool broke its own output schema: it gave no structured content.";
    talk.say(modern_call(1, "t", "{}"))
        .hears(&[modern_failure(1, broken)]);
    let reply = || {
        ToolResult::new(vec![])
            .with_structured_content(json_text(&json!({"rows": []})))
            .into()
    };
    let mut talk = Talk::new(with_schema(reply));
    let rows = r#"{"rows":[]}"#;
    talk.say(modern_call(1, "t", "{}"))
        .hears(&[modern_result(1, &structured(rows, rows))]);
}

/// RES-02
#[test]
fn structured_content_of_another_shape_than_its_foreign_schema_is_an_error_and_not_sent() {
    let reply = || {
        ToolResult::new(vec![Content::text("two rows")])
            .with_structured_content(json_text(&json!({"rows": "two"})))
            .into()
    };
    let broken =
        "The tool broke its own output schema:\n- /rows: expected array, got string \"two\"";
    let mut talk = Talk::new(with_schema(reply));
    talk.say(modern_call(1, "t", "{}"))
        .hears(&[modern_failure(1, broken)]);
    let mut talk = Talk::session(with_schema(reply), V2025_11);
    talk.say(call(1, "t", "{}")).hears(&[failure(1, broken)]);
}

#[test]
fn a_foreign_output_schema_of_no_object_is_shown_to_modern_clients_only() {
    let schema = r#"{"type": "array"}"#;
    let reply = || {
        ToolResult::new(vec![])
            .with_structured_content(json_text(&json!([1])))
            .into()
    };
    let server = || {
        Server::new("s", "1").raw_tool(tool_of(reply).with_output_schema(schema.parse().unwrap()))
    };
    let mut talk = Talk::new(server());
    talk.say(modern(1, "tools/list", ""));
    assert!(
        talk.heard()[0].contains(&format!(r#""outputSchema":{schema}"#)),
        "byte for byte"
    );
    talk.say(modern_call(2, "t", "{}"))
        .hears(&[modern_result(2, &structured("[1]", "[1]"))]);
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "tools/list", ""));
    assert!(!talk.heard()[0].contains("outputSchema"));
    talk.say(call(2, "t", "{}"))
        .hears(&[result(2, &structured("[1]", r#"{"result":[1]}"#))]);
}

#[test]
fn content_is_cut_down_to_what_the_revision_has() {
    let reply = || {
        let annotations = Annotations::new()
            .with_priority(0.5)
            .with_last_modified("2026-01-01T00:00:00Z");
        let mut text = TextContent::new("hi").with_annotations(annotations);
        text.meta = Meta::new().with("a/b", json!(1));
        let link = Resource::new("file:///a.txt", "a.txt");
        ToolResult::new(vec![
            Content::Text(text),
            Content::Image(ImageContent::new("aGk=", "image/png")),
            Content::Audio(AudioContent::new("aGk=", "audio/wav")),
            Content::ResourceLink(link),
        ])
        .into()
    };
    let image = r#"{"type":"image","data":"aGk=","mimeType":"image/png"}"#;
    let audio = r#"{"type":"audio","data":"aGk=","mimeType":"audio/wav"}"#;
    let link = r#"{"type":"resource_link","uri":"file:///a.txt","name":"a.txt"}"#;
    let said = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let old = r#"{"type":"text","text":"hi","annotations":{"priority":0.5}}"#.to_owned();
    let new = r#"{"type":"text","text":"hi","annotations":{"priority":0.5,"lastModified":"2026-01-01T00:00:00Z"},"_meta":{"a/b":1}}"#.to_owned();
    let no_audio = said(
        "[audio of type audio/wav, 3 bytes, left out: it needs a newer revision of the protocol]",
    );
    let no_link = said("a.txt: file:///a.txt");
    for (version, blocks) in [
        (
            ProtocolVersion::V2024_11_05,
            [&old, image, &no_audio, &no_link],
        ),
        (ProtocolVersion::V2025_03_26, [&old, image, audio, &no_link]),
        (ProtocolVersion::V2025_06_18, [&new, image, audio, link]),
        (V2025_11, [&new, image, audio, link]),
    ] {
        let content = format!(r#""content":[{}]"#, blocks.join(","));
        Talk::session(Server::new("s", "1").raw_tool(tool_of(reply)), version)
            .say(call(1, "t", "{}"))
            .hears(&[result(1, &content)]);
    }
    let content = format!(r#""content":[{new},{image},{audio},{link}]"#);
    Talk::new(Server::new("s", "1").raw_tool(tool_of(reply)))
        .say(modern_call(1, "t", "{}"))
        .hears(&[modern_result(1, &content)]);
}

#[test]
fn what_is_shown_of_a_tool_is_cut_down_to_what_the_revision_has() {
    let tool = || {
        tool_of(|| Reply::text(""))
            .with_title("T")
            .with_annotations(ToolAnnotations::new().with_read_only_hint(true))
            .with_icon(Icon::new("https://example.com/t.svg"))
            .with_meta(Meta::new().with("a/b", json!(1)))
    };
    let begin = r#"{"name":"t""#;
    let title = r#","title":"T""#;
    let schema = r#","inputSchema":{"type":"object","properties":{},"additionalProperties":false}"#;
    let hints = r#","annotations":{"readOnlyHint":true}"#;
    let icons = r#","icons":[{"src":"https://example.com/t.svg"}]"#;
    let meta = r#","_meta":{"a/b":1}"#;
    for (version, parts) in [
        (ProtocolVersion::V2024_11_05, [begin, schema].concat()),
        (
            ProtocolVersion::V2025_03_26,
            [begin, schema, hints].concat(),
        ),
        (
            ProtocolVersion::V2025_06_18,
            [begin, title, schema, hints, meta].concat(),
        ),
        (
            V2025_11,
            [begin, title, schema, hints, icons, meta].concat(),
        ),
    ] {
        Talk::session(Server::new("s", "1").raw_tool(tool()), version)
            .say(request(1, "tools/list", ""))
            .hears(&[result(1, &format!(r#""tools":[{parts}}}]"#))]);
    }
}

#[test]
fn the_meta_of_a_result_stands_beside_what_the_session_adds() {
    let reply = || {
        let mut result = ToolResult::new(vec![Content::text("a")]);
        result.meta = Meta::new().with("a/b", json!([1]));
        result.into()
    };
    Talk::new(Server::new("s", "1").raw_tool(tool_of(reply))).say(modern_call(1, "t", "{}")).hears(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}],"resultType":"complete","_meta":{"a/b":[1],"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
    ]);
    Talk::session(Server::new("s", "1").raw_tool(tool_of(reply)), V2025_11)
        .say(call(1, "t", "{}"))
        .hears(&[result(
            1,
            r#""content":[{"type":"text","text":"a"}],"_meta":{"a/b":[1]}"#,
        )]);
}

#[test]
fn errors_of_tools_are_results_and_error_objects_are_errors() {
    /// Fails in one of two ways.
    #[tool]
    fn fail() -> Result<String, String> {
        Err("line 1\nline 2".to_owned())
    }
    /// Fails in the other.
    #[tool]
    fn refuse() -> Result<String, ErrorObject> {
        Err(ErrorObject::new(ErrorCode::new(42), "not\ntoday").with_data(json!({"until": "noon"})))
    }
    let mut talk = Talk::new(Server::new("s", "1").tool::<fail>().tool::<refuse>());
    talk.say(modern_call(1, "fail", "{}"))
        .hears(&[modern_failure(1, "line 1\nline 2")]);
    talk.say(modern_call(2, "refuse", "{}")).hears(&[
        r#"{"jsonrpc":"2.0","id":2,"error":{"code":42,"message":"not\ntoday","data":{"until":"noon"}}}"#,
    ]);
    talk.say(modern_call(3, "gone", "{}"))
        .hears(&[error(3, -32602, "there is no tool `gone`")]);
}

/// Measures.
#[data]
struct Measured {
    mean: f64,
    /// Never more than one.
    share: Option<f32>,
    by_name: std::collections::BTreeMap<String, Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    note: String,
}

#[test]
fn a_number_that_json_does_not_have_breaks_the_schema_and_an_absent_one_does_not() {
    /// Measures.
    #[tool]
    fn measure(sum: f64, of: f64) -> Json<Measured> {
        Json(Measured {
            mean: sum / of,
            share: None,
            by_name: [("none".to_owned(), None)].into(),
            unit: None,
            note: "null and void".to_owned(),
        })
    }

    /// Divides.
    #[tool]
    fn divide(a: f64, b: f64) -> Json<f64> {
        Json(a / b)
    }

    for profile in [
        SchemaProfile::Portable,
        SchemaProfile::Full2020,
        SchemaProfile::OpenAiStrict,
        SchemaProfile::Gemini,
    ] {
        let server = Server::new("s", "1").schema_profile(profile);
        let mut talk = Talk::new(server.tool::<measure>().tool::<divide>());
        talk.say(modern_call(1, "measure", r#"{"sum":1,"of":2}"#));
        let found = talk.result();
        assert_eq!(found["structuredContent"]["share"], Value::Null);
        assert_eq!(found["structuredContent"]["mean"], 0.5, "{found}");
    }

    let broken = "The tool broke its own output schema:\n- ";
    let server = Server::new("s", "1").tool::<measure>().tool::<divide>();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(call(2, "measure", r#"{"sum":0,"of":0}"#))
        .hears(&[failure(
            2,
            &format!("{broken}/mean: expected number, got null"),
        )]);
    talk.say(modern_call(3, "divide", r#"{"a":1,"b":0}"#))
        .hears(&[modern_failure(
            3,
            &format!("{broken}expected number, got null"),
        )]);
}
