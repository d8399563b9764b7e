//! Results, foreign schemas, and the profiles beside the portable one.

use std::collections::HashMap;

use super::*;
use crate::schema::{OutputSchema, Provider, lint};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct User {
    name: String,
    age: Option<u8>,
    extra: Value,
}

fn output<T: JsonSchema>() -> OutputSchema {
    OutputSchema::of::<T>(SchemaProfile::Portable).unwrap()
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

#[test]
fn results_that_are_no_objects_are_wrapped_for_old_revisions() {
    let users = output::<Vec<User>>();
    assert!(users.wraps());
    let any = parsed(users.json_any());
    assert_eq!(any["type"], "array");
    assert_eq!(
        parsed(users.json_object()),
        json!({ "type": "object", "properties": { "result": any }, "required": ["result"] })
    );
    for wraps in [
        output::<u32>().wraps(),
        output::<Option<User>>().wraps(),
        output::<Value>().wraps(),
    ] {
        assert!(wraps);
    }
}

#[test]
fn results_that_are_objects_are_the_same_for_all_revisions() {
    let user = output::<User>();
    assert!(!user.wraps());
    assert_eq!(user.json_any(), user.json_object());
    assert_eq!(
        user.json_any(),
        r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":["integer","null"],"minimum":0,"maximum":255},"extra":{}},"required":["name","age","extra"]}"#
    );
}

#[test]
fn unions_of_objects_are_objects() {
    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Event {
        Made { id: u32 },
        Gone { id: u32 },
    }
    let event = output::<Event>();
    assert!(!event.wraps());
    assert_eq!(parsed(event.json_any())["type"], "object");
}

#[test]
fn definitions_stay_at_the_root_of_wrapped_results() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Node {
        children: Vec<Self>,
    }
    for wrapped in [output::<Vec<Node>>(), output::<Option<Box<Node>>>()] {
        let schema = parsed(wrapped.json_object());
        assert!(schema["$defs"].is_object(), "{schema}");
        assert!(
            schema["properties"]["result"].get("$defs").is_none(),
            "{schema}"
        );
        assert!(jsonschema::validator_for(&schema).is_ok());
        let value = json!({ "result": [{ "children": [{ "children": [] }] }] });
        let _ = jsonschema::is_valid(&schema, &value);
    }
}

#[test]
fn what_is_written_follows_the_schema_of_the_result() {
    #[derive(JsonSchema, serde::Serialize)]
    struct Written {
        a: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<u32>,
        c: HashMap<u32, bool>,
    }
    let value = Written {
        a: None,
        b: None,
        c: HashMap::from([(1, true)]),
    };
    let schema = parsed(output::<Written>().json_any());
    assert!(
        jsonschema::is_valid(&schema, &serde_json::to_value(&value).unwrap()),
        "{schema}"
    );
}

#[test]
fn foreign_schemas_pass_byte_for_byte() {
    let json = r#"{ "type":"object",  "properties":{"x":true,"m":{"additionalProperties":{"type":"array"}}}, "if":{}, "then":{},
        "dependentRequired":{"x":["m"]}, "unevaluatedProperties":false, "$anchor":"a", "x-vendor":1.0 }"#;
    let schema = InputSchema::foreign(json).unwrap();
    assert_eq!(schema.json(), json);
    let decoded: Value = decode_by(&schema, r#"{"anything":[1]}"#).unwrap();
    assert_eq!(decoded, json!({ "anything": [1] }));
    assert_eq!(
        violations_by::<Value>(&schema, "[]"),
        ["arguments must be an object, got array of 0 items"]
    );
}

#[test]
fn foreign_schemas_that_are_none_are_refused() {
    for text in ["", "[]", "true", "{\"type\":\"object\""] {
        assert_eq!(
            InputSchema::foreign(text).unwrap_err(),
            SchemaError::NotAnObject
        );
    }
    for text in ["{}", r#"{"type":"array"}"#] {
        let error = InputSchema::foreign(text).unwrap_err();
        assert!(
            matches!(error, SchemaError::RootNotObject { .. }),
            "{error}"
        );
    }
}

#[test]
fn references_to_other_documents_are_refused_and_never_fetched() {
    for reference in [
        "http://127.0.0.1:9999/x.json",
        "file:///etc/passwd",
        "other.json#/a",
    ] {
        let text =
            json!({ "type": "object", "properties": { "a": { "$ref": reference } } }).to_string();
        let error = InputSchema::foreign(&text).unwrap_err();
        assert_eq!(
            error,
            SchemaError::ExternalReference {
                reference: reference.to_owned()
            }
        );
    }
    let inside = r##"{"type":"object","properties":{"$ref":{"type":"string"},"a":{"$ref":"#/$defs/A"},"b":{"$ref":"https://x.example/b"}},"$defs":{"A":{},"B":{"$id":"https://x.example/b"}},"default":{"$ref":"x"}}"##;
    assert!(InputSchema::foreign(inside).is_ok());
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Fast,
    Slow,
}

fn five() -> u32 {
    5
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Inner {
    x: Option<f64>,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Search {
    /// What to look for.
    #[schemars(length(min = 2))]
    query: String,
    #[serde(default = "five")]
    limit: u32,
    mode: Option<Mode>,
    inner: Option<Inner>,
    #[schemars(extend("exclusiveMinimum" = 0))]
    level: i64,
    pair: Option<(u32, u32)>,
}

fn in_profile<T: JsonSchema>(profile: SchemaProfile, strict: bool) -> InputSchema {
    InputSchema::of::<T>(
        profile,
        ArgumentPolicy {
            strict,
            open: false,
        },
    )
    .unwrap()
}

#[test]
fn openai_strict_requires_everything_and_makes_optional_arguments_nullable() {
    let schema = in_profile::<Search>(SchemaProfile::OpenAiStrict, false);
    let shown = parsed(schema.json());
    assert_eq!(
        shown["required"],
        json!(["query", "limit", "mode", "inner", "level", "pair"])
    );
    assert_eq!(
        shown["properties"]["query"],
        json!({ "type": "string", "description": "What to look for.\nShortest length: 2" })
    );
    assert_eq!(
        shown["properties"]["limit"]["type"],
        json!(["integer", "null"])
    );
    assert_eq!(
        shown["properties"]["mode"],
        json!({ "type": ["string", "null"], "enum": ["fast", "slow", null] })
    );
    assert_eq!(
        shown["properties"]["inner"],
        json!({
            "type": ["object", "null"],
            "properties": { "x": { "type": ["number", "null"] } },
            "required": ["x"],
            "additionalProperties": false
        })
    );
    let minded = lint(schema.json());
    assert!(
        minded
            .iter()
            .all(|finding| finding.provider != Provider::OpenAiStrict),
        "{minded:?}"
    );
}

#[test]
fn openai_strict_reads_the_nulls_that_it_shows() {
    for strict in [false, true] {
        let schema = in_profile::<Search>(SchemaProfile::OpenAiStrict, strict);
        let arguments =
            r#"{"query":"ab","limit":null,"mode":null,"inner":{"x":null},"level":1,"pair":null}"#;
        let decoded: Search = decode_by(&schema, arguments).unwrap();
        assert_eq!((decoded.limit, decoded.inner), (5, Some(Inner { x: None })));
        assert_eq!(
            violations_by::<Search>(&schema, r#"{"query":"a","level":1}"#),
            [r#"/query: expected string of at least 2 characters, got string "a""#]
        );
    }
}

#[test]
fn openai_strict_closes_every_object_that_it_shows_closed() {
    let schema = in_profile::<Search>(SchemaProfile::OpenAiStrict, false);
    assert_eq!(
        violations_by::<Search>(&schema, r#"{"query":"ab","level":1,"inner":{"x":1,"y":2}}"#),
        ["/inner/y: unknown argument; did you mean `x`?"]
    );
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Any {
        any: Value,
    }
    let error = InputSchema::of::<Any>(SchemaProfile::OpenAiStrict, PLAIN).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a value of any kind at /properties/any"),
        "{error}"
    );
}

#[test]
fn openai_strict_has_no_maps_and_says_so() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Maps {
        map: HashMap<String, u32>,
    }
    let error = InputSchema::of::<Maps>(SchemaProfile::OpenAiStrict, PLAIN).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a map with free names at /properties/map cannot be said in the profile OpenAiStrict; use a list of pairs instead of a map"
    );
}

#[test]
fn gemini_gets_only_what_its_api_reads() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Node {
        label: String,
        children: Vec<Self>,
        either: Vec<Option<u32>>,
        search: Option<Search>,
    }
    let schema = in_profile::<Node>(SchemaProfile::Gemini, false);
    let shown = parsed(schema.json());
    let minded = lint(schema.json());
    assert!(
        minded
            .iter()
            .all(|finding| finding.provider != Provider::Gemini),
        "{minded:?}"
    );
    assert_eq!(
        shown["properties"]["children"]["items"],
        json!({ "type": "object" })
    );
    assert_eq!(
        shown["properties"]["either"]["items"],
        json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32, "nullable": true })
    );
    assert_eq!(
        shown["properties"]["search"]["properties"]["level"]["minimum"],
        1
    );
    assert_eq!(
        violations_by::<Node>(
            &schema,
            r#"{"label":"a","children":[{"label":1}],"either":[]}"#
        ),
        [
            "/children/0/label: expected string, got 1",
            "/children/0/children: missing, expected array",
            "/children/0/either: missing, expected array",
        ]
    );
}

#[test]
fn the_full_profile_is_that_of_schemars_with_its_dialect() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Call {
        Find(Search),
        Stop { why: Value },
    }
    let search = in_profile::<Search>(SchemaProfile::Full2020, false);
    let shown = parsed(search.json());
    assert_eq!(
        shown["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(shown["additionalProperties"], false);
    assert!(shown["$defs"]["Inner"].is_object(), "{shown}");
    assert_eq!(
        shown["$defs"]["Inner"]["properties"]["x"]["type"],
        json!(["number", "null"])
    );
    assert!(
        decode_by::<Search>(
            &search,
            r#"{"query":"ab","level":1,"mode":null,"inner":null}"#
        )
        .is_ok()
    );

    let call = in_profile::<Call>(SchemaProfile::Full2020, false);
    let shown = parsed(call.json());
    assert_eq!(shown["type"], "object");
    assert!(shown["oneOf"].is_array());
    assert!(decode_by::<Call>(&call, r#"{"Stop":{"why":1}}"#).is_ok());
    assert_eq!(
        violations_by::<Call>(&call, r#"{"Find":{"query":"a","level":1}}"#),
        [r#"/Find/query: expected string of at least 2 characters, got string "a""#]
    );
}

#[test]
fn every_profile_refuses_the_same_arguments() {
    let bad = [
        r#"{"query":"a","level":1}"#,
        r#"{"query":"ab","level":0}"#,
        r#"{"query":"ab","level":1,"limit":-1}"#,
        r#"{"query":"ab","level":1,"zzz":1}"#,
        r#"{"query":"ab","level":1,"mode":"quick"}"#,
        r#"{"query":"ab","level":1,"pair":[1]}"#,
        r#"{"query":"ab"}"#,
    ];
    for profile in [
        SchemaProfile::Portable,
        SchemaProfile::Full2020,
        SchemaProfile::OpenAiStrict,
        SchemaProfile::Gemini,
    ] {
        let schema = in_profile::<Search>(profile, false);
        assert!(decode_by::<Search>(&schema, r#"{"query":"ab","level":1}"#).is_ok());
        for arguments in bad {
            assert_eq!(
                violations_by::<Search>(&schema, arguments).len(),
                1,
                "{profile:?} {arguments}"
            );
        }
    }
}
