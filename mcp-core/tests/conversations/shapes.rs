//! The schemas of arguments as clients get them, and calls that follow or break them.

use std::collections::HashMap;

use mcp_core::{BuildError, Json, SchemaError, Server, ToolDefinition, data, tool};
use serde_json::{Value, json};

use crate::talk::{Talk, modern, modern_call, modern_text};

/// The first tool as it is listed.
fn listed(server: Server) -> Value {
    let mut talk = Talk::new(server);
    talk.say(modern(1, "tools/list", ""));
    talk.result()["tools"][0].take()
}

/// Every schema inside of one, itself included.
fn each_schema(schema: &Value, look: &mut dyn FnMut(&Value)) {
    look(schema);
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.values().for_each(|inner| each_schema(inner, look));
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(parts)) => {
                parts.iter().for_each(|inner| each_schema(inner, look));
            }
            ("items", inner) => each_schema(inner, look),
            _ => {}
        }
    }
}

/// SCH-02
#[test]
fn arguments_that_are_no_object_are_refused_when_the_server_is_built() {
    fn outcome<A: schemars::JsonSchema>() -> Result<(), BuildError> {
        let handler = |_: mcp_core::Invocation| mcp_core::Step::Done(mcp_core::Reply::text(""));
        let tool = ToolDefinition::new("t", handler).with_arguments::<A>();
        Server::new("s", "1").raw_tool(tool).build().map(drop)
    }
    for refused in [outcome::<Vec<u8>>(), outcome::<String>(), outcome::<u32>()] {
        let is_clear = matches!(
            &refused,
            Err(BuildError::Schema { of, source: SchemaError::RootNotObject { .. } }) if of == "tool `t`"
        );
        assert!(is_clear, "{refused:?}");
    }
    assert_eq!(outcome::<()>(), Ok(()));
}

/// SCH-03
#[test]
fn no_schema_inside_is_a_boolean() {
    #[data]
    struct Inner {
        any: Value,
        maybe: Option<Value>,
        map: HashMap<String, Value>,
    }
    /// Takes and gives anything.
    #[tool]
    fn anything(
        v: Value,
        o: Option<Value>,
        m: HashMap<String, Value>,
        list: Vec<Inner>,
    ) -> Json<Inner> {
        drop(list);
        Json(Inner {
            any: v,
            maybe: o,
            map: m,
        })
    }
    let tool = listed(Server::new("s", "1").tool::<anything>());
    for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
        each_schema(schema, &mut |inner| {
            assert!(inner.is_object(), "{inner} in {schema}")
        });
    }
    assert_eq!(tool["inputSchema"]["properties"]["v"], json!({}));
}

/// SCH-04
#[test]
fn a_union_is_shown_as_one_object_and_checked_in_full() {
    #[data]
    #[derive(Debug)]
    #[serde(tag = "kind")]
    enum Op {
        Get { id: u32 },
        Put { id: u32, val: String },
    }
    /// Gets or puts.
    #[tool]
    fn op(#[args] op: Op) -> String {
        format!("{op:?}")
    }
    let server = || Server::new("s", "1").tool::<op>();
    let schema = listed(server())["inputSchema"].take();
    assert_eq!(schema["type"], "object");
    for union in ["oneOf", "anyOf", "allOf"] {
        assert_eq!(schema.get(union), None, "{schema}");
    }
    let mut talk = Talk::new(server());
    talk.say(modern_call(1, "op", r#"{"kind":"Get","id":1}"#))
        .hears(&[modern_text(1, "Get { id: 1 }")]);
    talk.say(modern_call(2, "op", r#"{"kind":"Put","id":1}"#));
    assert_eq!(talk.result()["isError"], true);
}

/// SCH-06
#[test]
fn numbers_have_bounds_and_no_formats_of_their_own() {
    /// Takes numbers of all widths.
    #[tool]
    fn numbers(a: u8, b: u32, c: u64, d: usize, e: f32, f: i128) -> String {
        format!("{a} {b} {c} {d} {e} {f}")
    }
    let schema = listed(Server::new("s", "1").tool::<numbers>())["inputSchema"].take();
    assert_eq!(
        schema["properties"],
        json!({
            "a": {"type": "integer", "minimum": 0, "maximum": 255},
            "b": {"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32},
            "c": {"type": "integer", "minimum": 0},
            "d": {"type": "integer", "minimum": 0},
            "e": {"type": "number"},
            "f": {"type": "integer"},
        })
    );
}

/// SCH-09, SCH-11
#[test]
fn nested_types_are_shown_in_place_each_with_the_words_of_its_field() {
    /// How hard to try.
    #[data]
    #[derive(Debug)]
    enum Mode {
        /// quick
        Fast,
        /// thorough
        Slow,
    }
    #[data]
    #[derive(Debug)]
    struct Area {
        /// Where it begins.
        from: u8,
        mode: Mode,
    }
    /// Compares.
    #[tool]
    fn compare(
        /// The old one.
        old: Area,
        /// The new one.
        new: Area,
    ) -> String {
        format!("{old:?} {new:?}")
    }
    let schema = listed(Server::new("s", "1").tool::<compare>())["inputSchema"].take();
    let text = schema.to_string();
    assert!(
        !text.contains("$ref") && !text.contains("$defs") && !text.contains("const"),
        "{text}"
    );
    assert_eq!(schema["properties"]["old"]["description"], "The old one.");
    assert_eq!(schema["properties"]["new"]["description"], "The new one.");
    let mode = &schema["properties"]["new"]["properties"]["mode"];
    assert_eq!(
        (&mode["type"], &mode["enum"]),
        (&json!("string"), &json!(["Fast", "Slow"]))
    );
    let words = mode["description"].as_str().unwrap();
    assert!(
        words.contains("quick") && words.contains("thorough"),
        "{words}"
    );
}
