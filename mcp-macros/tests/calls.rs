//! What the tools that the macros make do when a client lists and calls them, over the wire.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tools take their arguments by value"
)]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what fails here fails the test"
)]
#![expect(
    clippy::too_many_arguments,
    reason = "one tool has an argument of every kind"
)]

#[path = "wire/prompts_and_resources.rs"]
mod prompts_and_resources;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::client::IntoToolCall;
use mcp_core::{
    Content, Context, ErrorCode, ErrorObject, Json, Run, Server, Tool, data, tool, tools,
};
use serde_json::{Value, json};

use self::wire::Wire;

/// A note, as stored.
#[data]
#[derive(Debug)]
struct Note {
    /// Shown in lists.
    title: String,
    stars: Option<u8>,
}

struct Db(&'static str);

/// Finds notes,
/// wherever they are.
///
/// # Errors
///
/// For readers of the code.
#[tool(
    title = "Find notes",
    read_only,
    idempotent = false,
    open_world,
    icon = "https://example.com/a.svg",
    flow("filesystem-read", "network-out"),
    meta("vendor/rank" = {"a": [1, null]})
)]
async fn find(
    /// Part of the text.
    #[arg(length = 1..=3)]
    text: &str,
    cx: &Context,
    words: &[String],
    after: Option<&str>,
    #[arg(default = 50, range = 1..500, description = "How many.")] limit: u32,
    #[serde(alias = "order_by")]
    #[arg(rename = "orderBy", pattern = "^[a-z]+$")]
    order: Option<String>,
    db: &Db,
) -> String {
    cx.progress(1, 2);
    std::future::ready(()).await;
    format!("{text}|{words:?}|{after:?}|{limit}|{order:?}|{}", db.0)
}

#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tool(open)]
fn add_open(a: i64) -> i64 {
    a
}

#[tool(strict)]
fn add_strict(a: i64) -> i64 {
    a
}

#[tool]
fn ping() {}

#[tool]
fn whole(#[args] note: Note) -> String {
    format!("{note:?}")
}

#[tool(blocking)]
fn block(text: &str) -> String {
    text.to_uppercase()
}

#[tool]
fn show<T: std::fmt::Display>(values: Vec<T>) -> String {
    values.iter().map(T::to_string).collect()
}

#[tool]
fn structured() -> Json<Note> {
    Json(Note {
        title: "a".to_owned(),
        stars: Some(1),
    })
}

#[tool]
fn serialised() -> Result<Vec<Note>, std::fmt::Error> {
    Ok(vec![Note {
        title: "a".to_owned(),
        stars: None,
    }])
}

#[tool]
fn contents() -> Vec<Content> {
    vec![Content::text("a"), Content::text("b")]
}

#[tool]
fn fails() -> Result<Vec<Note>, String> {
    Err("no notes today".to_owned())
}

#[tool]
fn refuses() -> Result<u8, ErrorObject> {
    Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, "not now"))
}

#[doc = include_str!("ui/pass/documented.md")]
#[tool]
fn documented() {}

struct Counter(AtomicU32);

#[tools(prefix = "counter_")]
impl Counter {
    /// Counts up.
    #[tool]
    fn up(&self, #[arg(default = 1)] step: u32) -> u32 {
        self.0.fetch_add(step, Ordering::Relaxed) + step
    }

    #[tool]
    async fn down(self: Arc<Self>, step: u32) -> u32 {
        std::future::ready(()).await;
        self.0.fetch_sub(step, Ordering::Relaxed) - step
    }
}

/// Finds files by name.
#[data]
#[derive(Tool)]
#[tool(name = "files", read_only)]
struct FindFiles {
    /// Glob.
    pattern: String,
    limit: Option<u32>,
}

impl Run for FindFiles {
    type Output = Result<Json<Vec<Note>>, std::fmt::Error>;

    async fn run(self, cx: &Context) -> Self::Output {
        cx.progress(1, 2);
        std::future::ready(()).await;
        Ok(Json(vec![Note {
            title: self.pattern,
            stars: self.limit.map(|_| 1),
        }]))
    }
}

fn server() -> Server {
    Server::new("test", "1.0.0")
        .tool::<find>()
        .tool::<add>()
        .tool::<add_open>()
        .tool::<add_strict>()
        .tool::<ping>()
        .tool::<whole>()
        .tool::<block>()
        .tool::<show<u8>>()
        .tool::<structured>()
        .tool::<serialised>()
        .tool::<contents>()
        .tool::<fails>()
        .tool::<refuses>()
        .tool::<documented>()
        .tool::<FindFiles>()
        .tools(Counter(AtomicU32::new(0)))
        .lend(Db("db"))
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn arguments_and_lent_values_reach_the_function() {
    let mut wire = Wire::new(server());
    let arguments =
        json!({"text": "a\n", "words": ["b"], "after": "\"", "limit": 7, "order_by": "up"});
    assert_eq!(
        text(&wire.call("find", arguments)),
        r#"a|["b"]|Some("\"")|7|Some("up")|db"#.replacen("a|", "a\n|", 1)
    );
}

#[test]
fn what_is_left_out_or_null_is_none_or_the_default() {
    let mut wire = Wire::new(server());
    for arguments in [
        json!({"text": "a", "words": []}),
        json!({"text": "a", "words": [], "after": null, "orderBy": null}),
    ] {
        assert_eq!(text(&wire.call("find", arguments)), "a|[]|None|50|None|db");
    }
}

#[test]
fn what_the_schema_shows_is_enforced_and_reported_at_once() {
    let mut wire = Wire::new(server());
    let arguments = json!({"text": "", "words": ["b"], "limit": 500, "orderBy": "Up"});
    let result = wire.call("find", arguments);
    assert_eq!(result["isError"], true);
    for pointer in ["/text", "/limit", "/orderBy"] {
        assert!(
            text(&result).contains(pointer),
            "{pointer} is missing in {result}"
        );
    }
}

#[test]
fn a_tool_shows_its_arguments_with_docs_bounds_and_defaults() {
    let shown = Wire::new(server()).listed("find");
    assert_eq!(
        shown["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "Part of the text.", "minLength": 1, "maxLength": 3},
                "words": {"type": "array", "items": {"type": "string"}},
                "after": {"type": "string"},
                "limit": {"type": "integer", "description": "How many.", "minimum": 1, "maximum": 499, "default": 50},
                "orderBy": {"type": "string", "pattern": "^[a-z]+$"},
            },
            "required": ["text", "words"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn a_tool_shows_what_its_settings_say() {
    let shown = Wire::new(server()).listed("find");
    assert_eq!(shown["title"], "Find notes");
    assert_eq!(shown["description"], "Finds notes,\nwherever they are.");
    assert_eq!(
        shown["annotations"],
        json!({"readOnlyHint": true, "idempotentHint": false, "openWorldHint": true})
    );
    assert_eq!(
        shown["icons"],
        json!([{"src": "https://example.com/a.svg"}])
    );
    assert_eq!(
        shown["_meta"]["dataFlow"],
        json!(["filesystem-read", "network-out"])
    );
    assert_eq!(shown["_meta"]["vendor/rank"], json!({"a": [1, null]}));
}

#[test]
fn a_description_may_come_from_a_file() {
    let shown = Wire::new(server()).listed("documented");
    assert_eq!(
        shown["description"],
        "Counts what is there,\nand nothing else."
    );
}

#[test]
fn unknown_arguments_are_refused_unless_the_tool_is_open() {
    let mut wire = Wire::new(server());
    assert_eq!(
        wire.call("add", json!({"a": 1, "b": 2, "c": 3}))["isError"],
        true
    );
    assert_eq!(wire.call("ping", json!({"a": 1}))["isError"], true);
    assert_eq!(text(&wire.call("add_open", json!({"a": 1, "c": 3}))), "1");
    assert_eq!(
        wire.call("files", json!({"pattern": "a", "c": 3}))["isError"],
        true
    );
}

#[test]
fn a_number_in_quotes_is_mended_unless_the_tool_is_strict() {
    let mut wire = Wire::new(server());
    assert_eq!(text(&wire.call("add", json!({"a": "1", "b": 2}))), "3");
    assert_eq!(wire.call("add_strict", json!({"a": "1"}))["isError"], true);
}

#[test]
fn a_tool_without_arguments_shows_a_closed_object() {
    let mut wire = Wire::new(server());
    assert_eq!(
        wire.listed("ping")["inputSchema"],
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
    assert_eq!(text(&wire.call("ping", json!({}))), "");
}

#[test]
fn a_struct_may_be_all_arguments() {
    let mut wire = Wire::new(server());
    let shown = wire.listed("whole");
    assert_eq!(shown["inputSchema"]["required"], json!(["title"]));
    assert_eq!(
        text(&wire.call("whole", json!({"title": "a", "stars": 2}))),
        r#"Note { title: "a", stars: Some(2) }"#
    );
}

#[test]
fn a_blocking_function_runs_on_a_thread_of_the_runtime() {
    let mut wire = Wire::new(server());
    assert_eq!(text(&wire.call("block", json!({"text": "a"}))), "A");
    assert_eq!(wire.blocking_jobs(), 1);
    assert_eq!(text(&wire.call("add", json!({"a": 1, "b": 2}))), "3");
    assert_eq!(wire.blocking_jobs(), 1);
}

#[test]
fn a_generic_function_runs_for_the_type_it_was_registered_with() {
    let mut wire = Wire::new(server());
    assert_eq!(text(&wire.call("show", json!({"values": [1, 2]}))), "12");
    assert_eq!(wire.call("show", json!({"values": [256]}))["isError"], true);
}

#[test]
fn structured_values_have_a_schema_and_serialised_ones_are_text() {
    let mut wire = Wire::new(server());
    assert_eq!(
        wire.listed("structured")["outputSchema"]["required"],
        json!(["title", "stars"])
    );
    assert_eq!(
        wire.call("structured", json!({}))["structuredContent"],
        json!({"title": "a", "stars": 1})
    );
    assert_eq!(wire.listed("serialised")["outputSchema"], Value::Null);
    assert_eq!(
        text(&wire.call("serialised", json!({}))),
        r#"[{"title":"a","stars":null}]"#
    );
    assert_eq!(wire.call("contents", json!({}))["content"][1]["text"], "b");
}

#[test]
fn errors_are_read_by_the_model_and_error_objects_by_the_client() {
    let mut wire = Wire::new(server());
    let result = wire.call("fails", json!({}));
    assert_eq!(
        (&result["isError"], text(&result)),
        (&json!(true), "no notes today")
    );
    let error = wire.refused("refuses", json!({}));
    assert_eq!(
        (&error["code"], &error["message"]),
        (&json!(-32603), &json!("not now"))
    );
}

#[test]
fn the_methods_of_a_set_share_one_value() {
    let mut wire = Wire::new(server());
    assert_eq!(text(&wire.call("counter_up", json!({"step": 5}))), "5");
    assert_eq!(text(&wire.call("counter_up", json!({}))), "6");
    assert_eq!(text(&wire.call("counter_down", json!({"step": 2}))), "4");
    assert_eq!(wire.listed("counter_up")["description"], "Counts up.");
}

#[test]
fn a_struct_may_be_the_tool() {
    let mut wire = Wire::new(server());
    let shown = wire.listed("files");
    assert_eq!(shown["description"], "Finds files by name.");
    assert_eq!(
        shown["inputSchema"]["properties"]["pattern"]["description"],
        "Glob."
    );
    assert!(shown["outputSchema"].is_object());
    let call = FindFiles {
        pattern: "a".to_owned(),
        limit: Some(1),
    };
    let call = call.into_tool_call();
    let result = wire.call(call.name(), serde_json::to_value(call.arguments()).unwrap());
    let hits = &result["structuredContent"];
    assert!(
        [hits, &hits["result"]].contains(&&json!([{"title": "a", "stars": 1}])),
        "{result}"
    );
}

macro_rules! at_most {
    ($name:ident, $high:literal) => {
        #[tool]
        fn $name(#[arg(range = ..=$high)] n: i64) -> i64 {
            n
        }
    };
}

at_most!(at_most_a_lot, 5_000_000_000);

#[test]
fn the_ends_of_a_range_may_be_any_integer_of_64_bits() {
    #[tool]
    fn wide(
        #[arg(range = -5_000_000_000..=3_000_000_000)] a: i64,
        #[arg(range = -9_223_372_036_854_775_808..9_223_372_036_854_775_807)] b: i64,
        #[arg(range = 0x1_0000_0000..18446744073709551615)] c: u64,
        #[arg(range = ..=18446744073709551615)] d: u64,
        #[arg(length = ..5_000_000_000)] e: String,
        #[arg(range = ..10_000_000_000)] f: f64,
    ) -> String {
        format!("{a} {b} {c} {d} {e} {f}")
    }
    let server = Server::new("test", "1.0.0").tool::<wide>();
    let mut wire = Wire::new(server.tool::<at_most_a_lot>());
    let shown = wire.listed("wide")["inputSchema"]["properties"].take();
    let ends = |name: &str| {
        [
            shown[name]["minimum"].clone(),
            shown[name]["maximum"].clone(),
        ]
    };
    assert_eq!(
        ends("a"),
        [json!(-5_000_000_000_i64), json!(3_000_000_000_i64)]
    );
    assert_eq!(ends("b")[1], i64::MAX - 1);
    assert_eq!(ends("c"), [json!(0x1_0000_0000_i64), json!(u64::MAX - 1)]);
    assert_eq!(shown["e"]["maxLength"], 4_999_999_999_i64);
    assert_eq!(shown["f"]["exclusiveMaximum"], 10_000_000_000_i64);
    let most = &wire.listed("at_most_a_lot")["inputSchema"]["properties"]["n"];
    assert_eq!(most["maximum"], 5_000_000_000_i64);
    let arguments = json!({"a": -4_999_999_999_i64, "b": i64::MIN, "c": u64::MAX - 1, "d": u64::MAX, "e": "x", "f": 9_999_999_999.5});
    assert_eq!(
        text(&wire.call("wide", arguments)),
        "-4999999999 -9223372036854775808 18446744073709551614 18446744073709551615 x 9999999999.5"
    );
}

#[test]
fn the_calls_that_with_makes_fit_the_tools() {
    let mut wire = Wire::new(server());
    let call = add::with(2, 3);
    assert_eq!(
        text(&wire.call(call.name(), serde_json::to_value(call.arguments()).unwrap())),
        "5"
    );
    let words = ["b".to_owned()];
    let call = find::with("a", &words, None, 9, Some("up".to_owned()));
    let result = wire.call(call.name(), serde_json::to_value(call.arguments()).unwrap());
    assert_eq!(text(&result), r#"a|["b"]|None|9|Some("up")|db"#);
}

#[test]
fn a_server_that_lacks_what_a_tool_borrows_is_not_built() {
    let lacking = Server::new("test", "1.0.0").tool::<find>().build();
    let error = lacking.unwrap_err().to_string();
    assert!(error.contains("Db"), "{error}");
}

#[test]
fn the_context_is_always_lent() {
    Server::new("test", "1.0.0")
        .tool::<FindFiles>()
        .build()
        .unwrap();
}
