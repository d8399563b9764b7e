//! Structured results against the output schemas of their tools, some of which mean us harm.

use std::time::{Duration, Instant};

use mcp_core::{ClientError, ToolResult};
use serde_json::{Map, Value, json};

use crate::talk::{SECOND, Talk, builder, kind, words};

/// What a hostile schema may take, on a slow machine and without optimisations. The bounds are meant for a tenth of it.
const SOON: Duration = Duration::from_secs(10);

/// A call whose result has this content, of a tool that lists this schema.
fn called(schema: &Value, content: &Value) -> Option<Result<ToolResult, ClientError>> {
    let mut talk = Talk::modern_with(builder().validate_output(), r#"{"tools":{}}"#);
    let call = talk.call("t");
    talk.answer(&format!(
        r#"{{"resultType":"complete","content":[],"structuredContent":{content}}}"#
    ));
    talk.answer(&format!(
        r#"{{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}]}}"#
    ));
    call.take()
}

/// The same, which has to end soon and on a small stack, and in an error that says this.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "what it takes is what is asked")]
fn refused(schema: Value, content: Value, why: &str) {
    let asked = Instant::now();
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let call = thread.spawn(move || words(called(&schema, &content)));
    let said = call.unwrap().join().unwrap();
    assert_eq!(
        said,
        format!(
            "s: `tools/call`: the answer can't be read: it can't be checked against the output schema of `t`: {why}"
        )
    );
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
}

/// Definitions a0 to a(n-1), each made of a reference to the next, and an end.
fn chain(n: usize, link: impl Fn(Value) -> Value, end: Value) -> Value {
    let mut defs = Map::new();
    for at in 0..n {
        let next = json!({"$ref": format!("#/$defs/a{}", at + 1)});
        defs.insert(format!("a{at}"), link(next));
    }
    defs.insert(format!("a{n}"), end);
    json!({"$defs": defs, "$ref": "#/$defs/a0"})
}

fn nested(depth: usize, end: Value) -> Value {
    (0..depth).fold(end, |inner, _| json!({"x": inner}))
}

const LONG: &str = "that would take too long";
const DEEP: &str = "the schema and the content are too deep in each other";

/// RES-03.
#[test]
fn content_that_fits_is_handed_out_and_what_does_not_is_an_error() {
    let schema = json!({
        "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
        "additionalProperties": false,
    });
    let result = called(&schema, &json!({"n": 1})).unwrap().unwrap();
    assert_eq!(result.structured_content.unwrap().get(), r#"{"n":1}"#);
    assert_eq!(
        words(called(&schema, &json!({"n": "secret"}))),
        "s: `tools/call`: the answer can't be read: it does not fit the output schema of `t`: at `/n`: value is not of type \"integer\""
    );
}

/// Keywords and references that servers really have.
#[test]
fn schemas_of_all_dialects_are_checked() {
    let node = json!({"type": "object", "properties": {"left": {"$ref": "#/definitions/no%64e"}, "right": {"$ref": "#/definitions/node"}}});
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = json!({
            "$schema": dialect, "definitions": {"node": node}, "$ref": "#/definitions/node",
        });
        assert!(called(&schema, &nested(40, json!({}))).unwrap().is_ok());
        let good = json!({"left": {"right": {}}});
        assert!(called(&schema, &good).unwrap().is_ok(), "{dialect}");
        let bad = json!({"left": {"right": 1}});
        assert!(
            words(called(&schema, &bad)).contains("at `/left/right`"),
            "{dialect}"
        );
    }
    let schema = json!({"allOf": [{"properties": {"a": {"pattern": "^[\\w-]{1,64}$"}}}], "unevaluatedProperties": false});
    assert!(called(&schema, &json!({"a": "x-1"})).unwrap().is_ok());
    assert!(called(&schema, &json!({"a": "x 1"})).unwrap().is_err());
    assert!(called(&schema, &json!({"b": 1})).unwrap().is_err());
}

/// As large as honest results come.
#[test]
fn ten_thousand_records_are_checked() {
    let members: Map<String, Value> = (0..10)
        .map(|n| {
            (
                format!("m{n}"),
                json!({"anyOf": [{"type": "string", "maxLength": 100}, {"type": "null"}]}),
            )
        })
        .collect();
    let schema = json!({"properties": {"rows": {"type": "array", "items": {"type": "object", "properties": members, "additionalProperties": false}}}});
    let row: Map<String, Value> = (0..10).map(|n| (format!("m{n}"), json!("text"))).collect();
    let rows = vec![row; 10_000];
    assert!(called(&schema, &json!({"rows": rows})).unwrap().is_ok());
}

/// SCH-15.
#[test]
fn references_that_double_are_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = chain(
            30,
            |next| json!({keyword: [next, next]}),
            json!({"type": "object"}),
        );
        refused(schema, json!({}), LONG);
    }
}

#[test]
fn references_that_double_with_each_level_of_the_content_are_refused() {
    for keyword in ["additionalProperties", "patternProperties"] {
        let twice = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]});
        let schema = match keyword {
            "patternProperties" => json!({keyword: {"x": twice}}),
            _ => json!({keyword: twice}),
        };
        refused(schema, nested(100, json!(1)), LONG);
    }
    let schema = json!({"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}});
    let content = (0..100).fold(json!(1), |inner, _| json!([inner]));
    refused(schema, content, LONG);
}

/// The stack would end, and the process with it.
#[test]
fn long_chains_of_references_and_circles_are_refused() {
    refused(chain(5_000, |next| next, json!(true)), json!({}), DEEP);
    refused(json!({"allOf": [{"$ref": "#"}]}), json!({}), DEEP);
    let circle = json!({"$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"if": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"});
    refused(circle, json!({}), DEEP);
}

#[test]
fn what_is_compiled_again_and_again_is_refused() {
    let unevaluated = |next| json!({"anyOf": [next, next], "unevaluatedProperties": false});
    let schema = chain(8, unevaluated, json!({"type": "object"}));
    refused(
        schema,
        json!({"x": 1}),
        "its `unevaluated` keywords stand over too many others",
    );

    let big: Map<String, Value> = (0..1000)
        .map(|n| (format!("p{n}"), json!({"minLength": 1})))
        .collect();
    let spellings = (0..1000_u32).map(|n| {
        let letters = (0..10).map(|bit| if n >> bit & 1 == 1 { "%61" } else { "a" });
        json!({"$ref": format!("#/$defs/{}", letters.collect::<String>())})
    });
    let schema = json!({"$defs": {"aaaaaaaaaa": {"properties": big}}, "anyOf": spellings.collect::<Vec<_>>()});
    refused(schema, json!({}), "its references stand for too much");
}

/// SCH-14.
#[test]
fn nothing_is_looked_up_elsewhere() {
    for reference in [
        "http://127.0.0.1:1/schema.json",
        "file:///etc/hostname",
        "other.json",
        "#name",
        "#/$defs/missing",
    ] {
        let why = format!("it refers to {reference:?}, and only places within it are looked up");
        refused(
            json!({"properties": {"a": {"$ref": reference}}}),
            json!({}),
            &why,
        );
    }
    refused(
        json!({"$dynamicRef": "#a"}),
        json!({}),
        "its references are not all known before it is used",
    );
    let named = json!({"properties": {"a": {"$id": "http://127.0.0.1:1/a", "$ref": "#"}}});
    refused(
        named,
        json!({}),
        "it has another schema in it, with a name of its own",
    );
}

const NO_PATTERN: &str = "the schema is none that can be checked, by its keywords or by a regular expression that is large or does not run in linear time";

#[test]
fn regular_expressions_run_in_linear_time() {
    let text = "a".repeat(100_000) + "!";
    let call = called(
        &json!({"properties": {"t": {"pattern": "^(a+)+$"}}}),
        &json!({"t": text}),
    );
    assert!(words(call).contains("at `/t`: value does not match"));
    for pattern in ["(?=a)a", "(a)\\1", "(?:a{1000}){1000}", "[ab]*a[ab]{3000}c"] {
        refused(json!({"pattern": pattern}), json!("a"), NO_PATTERN);
    }
    let many: Vec<Value> = (0..65)
        .map(|n| json!({"pattern": format!("a{{{n}}}")}))
        .collect();
    refused(
        json!({"anyOf": many}),
        json!("a"),
        "it has more than 64 regular expressions",
    );
}

/// Each byte may cost what the program is long.
#[test]
fn regular_expressions_run_over_so_much_text_and_no_more() {
    let small = json!({"pattern": "^[ab]{1,90}$"});
    assert!(
        called(
            &json!({"items": small}),
            &json!(vec!["ab".repeat(20); 10_000])
        )
        .unwrap()
        .is_ok()
    );
    refused(small, json!("ab".repeat(300_000)), LONG);
    let large = json!({"pattern": "[ab]*a(?:[ab]){400}c"});
    assert!(called(&large, &json!("abc")).unwrap().is_err());
    refused(large, json!("ab".repeat(40_000)), LONG);
    let names = json!({"patternProperties": {"[ab]*a(?:[ab]){400}c": true}});
    refused(names, json!({"ab".repeat(40_000): 1}), LONG);
}

#[test]
fn long_schemas_and_contents_are_refused() {
    let schema = json!({"description": "x".repeat(256 << 10)});
    refused(schema, json!({}), "the schema is longer than 262144 bytes");
    refused(
        json!({}),
        json!("x".repeat(4 << 20)),
        "the content is longer than 4194304 bytes",
    );
}

/// A schema's words are the server's, and errors end up in logs.
#[test]
fn errors_are_short_and_show_no_control_characters() {
    let schema = json!({"properties": {"a\u{1b}[2J": {"enum": ["x".repeat(10_000)]}}, "items": {"enum": [1]}});
    let said = words(called(&schema, &json!({"a\u{1b}[2J": "no"})));
    assert!(said.len() < 500 && !said.contains('\u{1b}'), "{said:?}");
    let said = words(called(&schema, &json!(vec![2; 1000])));
    assert_eq!(said.matches("; at `").count(), 7, "{said}");
}

/// A violation is told with its place and what was expected, which may be long, and there may be very many.
#[test]
fn violations_beyond_measure_are_not_listed() {
    let name = "n".repeat(1 << 20);
    let option = "x".repeat(200_000);
    // Either of them is enough.
    let many = |n| json!(vec![1; n]);
    for (schema, content) in [
        (json!({"items": {"enum": [option]}}), many(1_000)),
        (
            json!({"items": {"pattern": format!("^{option}")}}),
            json!(vec!["y"; 1_000]),
        ),
        (
            json!({"additionalProperties": {"items": {"type": "string"}}}),
            json!({name: many(1_000)}),
        ),
        (json!({"items": {"type": "string"}}), many(250_000)),
    ] {
        let said = words(called(&schema, &content));
        assert_eq!(
            said,
            "s: `tools/call`: the answer can't be read: it does not fit the output schema of `t`: it would take too long to tell where"
        );
    }
}

#[test]
fn a_list_that_does_not_come_fails_the_call_in_time() {
    let mut talk = Talk::modern_with(
        builder().validate_output().timeout(SECOND),
        r#"{"tools":{}}"#,
    );
    let call = talk.call("t");
    talk.answer(r#"{"resultType":"complete","content":[],"structuredContent":{}}"#);
    talk.server.advance(SECOND);
    assert!(matches!(
        kind(call.take()),
        mcp_core::client::ClientErrorKind::Timeout { .. }
    ));
}
