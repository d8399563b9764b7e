//! Arguments of calls: what is refused, how it is said in each revision, and what arrives exactly.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::{IntoMessages, Invocation, Json, PromptDefinition, Server, Step, data, tool};
use serde_json::{Value, json};

use crate::talk::{
    Talk, call, error, failure, modern, modern_call, modern_failure, modern_text, request, text,
};
use crate::tools::{Done, adder, server};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// What is wrong, as the model reads it.
fn wrong(problems: &[&str]) -> String {
    format!(
        "Invalid arguments for this tool:\n- {}",
        problems.join("\n- ")
    )
}

/// ARG-01
#[test]
fn all_that_is_wrong_with_the_arguments_is_said_at_once_and_the_tool_does_not_run() {
    /// Adds and counts.
    #[tool]
    fn counted(a: i64, b: i64, done: &Done) -> i64 {
        done.0.fetch_add(1, Ordering::Relaxed);
        a + b
    }
    let done = Done::default();
    let mut talk = Talk::session(
        Server::new("s", "1").lend(done.clone()).tool::<counted>(),
        V2025_11,
    );
    let problems = wrong(&[
        r#"/a: expected integer, got string "x""#,
        "/b: missing, expected integer",
    ]);
    talk.say(call(1, "counted", r#"{"a":"x"}"#))
        .hears(&[failure(1, &problems)]);
    talk.say(modern_call(2, "counted", r#"{"a":"x"}"#))
        .hears(&[modern_failure(2, &problems)]);
    assert_eq!(done.count(), 0);
}

#[test]
fn what_is_wrong_with_the_arguments_of_a_prompt_is_said_of_a_prompt() {
    #[data]
    struct Topic {
        topic: String,
    }
    let prompt = PromptDefinition::new("explain", |call: Invocation| {
        Step::now(&call, |call| {
            call.arguments::<Topic>().map(|_| "".into_messages())
        })
    })
    .with_arguments::<Topic>();
    let mut talk = Talk::session(Server::new("s", "1").raw_prompt(prompt), V2025_11);
    talk.say(request(1, "prompts/get", r#""name":"explain""#));
    let heard: Value = serde_json::from_str(&talk.heard()[0]).unwrap();
    assert_eq!(
        heard["error"]["message"],
        "Invalid arguments for this prompt:\n- /topic: missing, expected string"
    );
}

#[test]
fn bad_arguments_are_errors_of_the_protocol_before_2025_11_25() {
    for version in [
        ProtocolVersion::V2024_11_05,
        ProtocolVersion::V2025_03_26,
        ProtocolVersion::V2025_06_18,
    ] {
        let mut talk = Talk::session(adder(), version);
        talk.say(call(1, "add", r#"{"a":1}"#));
        let heard: Value = serde_json::from_str(&talk.heard()[0]).unwrap();
        assert_eq!(heard["error"]["code"], -32602);
        assert_eq!(
            heard["error"]["message"],
            wrong(&["/b: missing, expected integer"])
        );
        assert!(heard["error"]["data"].to_string().contains("/b"), "{heard}");
    }
}

/// ARG-02
#[test]
fn an_unknown_tool_is_an_error_of_the_protocol_in_every_revision() {
    for version in ProtocolVersion::ALL
        .into_iter()
        .filter(|version| !version.is_modern())
    {
        let mut talk = Talk::session(adder(), version);
        talk.say(call(1, "no_such", "{}"))
            .hears(&[error(1, -32602, "there is no tool `no_such`")]);
        talk.say(call(2, "Add", "{}"))
            .hears(&[error(2, -32602, "there is no tool `Add`")]);
    }
    let mut talk = Talk::new(adder());
    talk.say(modern_call(1, "Add", "{}"))
        .hears(&[error(1, -32602, "there is no tool `Add`")]);
    let long = "x".repeat(10_000);
    let shown = format!("there is no tool `{}`", "x".repeat(64));
    talk.say(modern_call(2, &long, "{}"))
        .hears(&[error(2, -32602, &shown)]);
}

/// ARG-03
#[test]
fn arguments_may_be_absent_or_null_but_nothing_else_than_an_object() {
    let (server, ..) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(request(1, "tools/call", r#""arguments":{}"#))
        .hears(&[error(1, -32602, "`name` is missing")]);
    talk.say(request(2, "tools/call", r#""name":"help""#))
        .hears(&[text(2, "help")]);
    talk.say(call(3, "help", "null")).hears(&[text(3, "help")]);
    for arguments in [r#""{}""#, "[]", "7", "true"] {
        talk.say(call(4, "help", arguments)).hears(&[error(
            4,
            -32602,
            "`arguments` must be an object",
        )]);
    }
    talk.say(request(5, "tools/call", r#""name":7"#))
        .hears(&[error(5, -32602, "`name` must be a string")]);
    talk.say(request(6, "tools/call", ""))
        .hears(&[error(6, -32602, "`name` is missing")]);
}

/// ARG-05
#[test]
fn integers_of_64_bits_arrive_and_return_exactly() {
    #[data]
    struct Pair {
        signed: i64,
        unsigned: u64,
    }
    /// Gives both back.
    #[tool]
    fn both(signed: i64, unsigned: u64) -> Json<Pair> {
        Json(Pair { signed, unsigned })
    }
    let mut talk = Talk::new(Server::new("s", "1").tool::<both>());
    for (signed, unsigned) in [
        ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "18446744073709551615"),
        ("-9223372036854775808", "0"),
    ] {
        let object = format!(r#"{{"signed":{signed},"unsigned":{unsigned}}}"#);
        let members = crate::talk::text_members(&object);
        talk.say(modern_call(1, "both", &object))
            .hears(&[crate::talk::modern_result(
                1,
                &format!(r#"{members},"structuredContent":{object}"#),
            )]);
    }
    for object in [
        r#"{"signed":1,"unsigned":18446744073709551616}"#,
        r#"{"signed":9223372036854775808,"unsigned":1}"#,
        r#"{"signed":1,"unsigned":-1}"#,
    ] {
        talk.say(modern_call(1, "both", object));
        assert_eq!(talk.result()["isError"], true, "{object}");
    }
}

/// ARG-06
#[test]
fn unknown_arguments_are_refused_unless_the_tool_is_open_to_them() {
    /// Refuses what it does not know.
    #[tool]
    fn closed(#[serde(alias = "user")] name: String) -> String {
        name
    }
    /// Ignores what it does not know.
    #[tool(open)]
    fn opened(name: String) -> String {
        name
    }
    #[data]
    struct Rest {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    /// Takes what it does not know.
    #[tool]
    fn flattened(#[args] all: Rest) -> String {
        format!("{} {:?}", all.name, all.rest)
    }
    let server = Server::new("s", "1")
        .tool::<closed>()
        .tool::<opened>()
        .tool::<flattened>();
    let mut talk = Talk::new(server);
    let extra = r#"{"name":"n","zzz":3}"#;
    talk.say(modern_call(1, "closed", extra))
        .hears(&[modern_failure(1, &wrong(&["/zzz: unknown argument"]))]);
    talk.say(modern_call(2, "opened", extra))
        .hears(&[modern_text(2, "n")]);
    talk.say(modern_call(3, "flattened", extra))
        .hears(&[modern_text(3, r#"n {"zzz": 3}"#)]);
    talk.say(modern_call(4, "closed", r#"{"user":"u"}"#))
        .hears(&[modern_text(4, "u")]);
    talk.say(modern(5, "tools/list", ""));
    let shown = talk.result();
    let additional = |at: usize| {
        shown["tools"][at]["inputSchema"]
            .get("additionalProperties")
            .cloned()
    };
    assert_eq!(additional(0), Some(json!(false)));
    assert_eq!(additional(1), None);
    assert_ne!(additional(2), Some(json!(false)));
}

/// SCH-07
#[test]
fn what_is_out_of_a_types_range_is_refused_with_the_bound_that_is_shown() {
    /// Orders so many.
    #[tool]
    fn order(n: u32, tiny: Option<u8>, neg: Option<i16>) -> String {
        format!("{n} {tiny:?} {neg:?}")
    }
    let mut talk = Talk::new(Server::new("s", "1").tool::<order>());
    talk.say(modern(0, "tools/list", ""));
    let schema = talk.result()["tools"][0]["inputSchema"]["properties"].take();
    assert_eq!(
        schema["n"],
        json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})
    );
    for (arguments, problem) in [
        (
            r#"{"n":4294967296}"#,
            "/n: expected integer from 0 to 4294967295, got 4294967296",
        ),
        (
            r#"{"n":-1}"#,
            "/n: expected integer from 0 to 4294967295, got -1",
        ),
        (r#"{"n":1.5}"#, "/n: expected integer, got 1.5"),
        (
            r#"{"n":1,"tiny":256}"#,
            "/tiny: expected integer from 0 to 255, got 256",
        ),
        (
            r#"{"n":1,"neg":-32769}"#,
            "/neg: expected integer from -32768 to 32767, got -32769",
        ),
    ] {
        talk.say(modern_call(1, "order", arguments))
            .hears(&[modern_failure(1, &wrong(&[problem]))]);
    }
}

/// SCH-08
#[test]
fn an_optional_argument_may_be_absent_or_null_and_one_type_is_shown() {
    /// Takes what there is.
    #[tool]
    fn maybe(a: Option<u32>, b: Option<String>) -> String {
        format!("{a:?} {b:?}")
    }
    let mut talk = Talk::new(Server::new("s", "1").tool::<maybe>());
    for (arguments, got) in [
        ("{}", "None None"),
        (r#"{"a":null}"#, "None None"),
        (r#"{"a":3,"b":null}"#, "Some(3) None"),
    ] {
        talk.say(modern_call(1, "maybe", arguments))
            .hears(&[modern_text(1, got)]);
    }
    talk.say(modern(2, "tools/list", ""));
    let schema = talk.result()["tools"][0]["inputSchema"].take();
    assert_eq!(schema["properties"]["b"], json!({"type": "string"}));
    assert_eq!(schema.get("required"), None);
}

/// SCH-01, SCH-12
#[test]
fn no_arguments_and_defaults_are_listed_as_hosts_want_them() {
    /// Has defaults.
    #[tool]
    fn defaults(#[arg(default = 10)] n: i32, #[arg(default)] v: bool, q: Option<String>) -> String {
        format!("{n} {v} {q:?}")
    }
    let mut talk = Talk::new(
        Server::new("s", "1")
            .tool::<crate::tools::help>()
            .tool::<defaults>(),
    );
    talk.say(modern_call(1, "defaults", "{}"))
        .hears(&[modern_text(1, "10 false None")]);
    talk.say(modern(2, "tools/list", ""));
    let shown = talk.result();
    assert_eq!(
        shown["tools"][0]["inputSchema"].to_string(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    let schema = &shown["tools"][1]["inputSchema"];
    assert_eq!(schema["properties"]["n"]["default"], 10);
    assert_eq!(schema["properties"]["v"]["default"], false);
    assert_eq!(schema["properties"]["q"].get("default"), None);
    assert_eq!(schema.get("required"), None);
}

#[test]
fn what_a_flattened_option_refuses_is_said_and_not_passed_over() {
    #[data]
    struct Page {
        size: u8,
        #[serde(default)]
        marks: Vec<i8>,
    }

    #[data]
    struct Find {
        text: String,
        #[serde(flatten)]
        page: Option<Page>,
    }

    /// Finds.
    #[tool]
    fn find(#[args] find: Find) -> String {
        let size = find.page.map(|page| page.size);
        format!("{} {size:?}", find.text)
    }

    let mut talk = Talk::session(Server::new("s", "1").tool::<find>(), V2025_11);
    for (arguments, outcome) in [
        (r#"{"text":"a"}"#, "a None"),
        (r#"{"text":"a","size":9}"#, "a Some(9)"),
        (r#"{"text":"a","size":"9"}"#, "a Some(9)"),
        (r#"{"text":"a","size":9.0,"marks":"[1]"}"#, "a Some(9)"),
    ] {
        talk.say(call(1, "find", arguments))
            .hears(&[text(1, outcome)]);
    }
    for (arguments, problem) in [
        (
            r#"{"text":"a","size":300}"#,
            "/size: expected integer from 0 to 255, got 300",
        ),
        (
            r#"{"text":"a","size":[]}"#,
            "/size: expected integer, got array of 0 items",
        ),
        (
            r#"{"text":"a","size":1,"marks":[true]}"#,
            "/marks/0: expected integer, got true",
        ),
    ] {
        talk.say(call(1, "find", arguments))
            .hears(&[failure(1, &wrong(&[problem]))]);
    }
}

#[test]
fn a_number_too_large_for_a_narrow_float_is_refused_and_not_made_infinite() {
    /// Halves.
    #[tool]
    fn halve(n: f32, more: Option<Vec<f32>>) -> String {
        format!("{} {more:?}", n / 2.0)
    }
    let mut talk = Talk::session(Server::new("s", "1").tool::<halve>(), V2025_11);
    talk.say(call(1, "halve", r#"{"n":3e38}"#))
        .hears(&[text(1, "150000000000000000000000000000000000000 None")]);
    talk.say(call(2, "halve", r#"{"n":-1e39,"more":[1,1e300]}"#))
        .hears(&[failure(
            2,
            &wrong(&[
                "/n: expected number that fits 32 bits, got -1e39",
                "/more/1: expected number that fits 32 bits, got 1e300",
            ]),
        )]);
}
