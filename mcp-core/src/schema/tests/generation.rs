use std::collections::{BTreeMap, HashMap};

use super::*;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Everything {
    /// Zed.
    zed: u8,
    b: u32,
    c: u64,
    d: usize,
    e: f32,
    f: i128,
    g: i16,
    value: Value,
    optional_value: Option<Value>,
    map: HashMap<String, Value>,
    list: Vec<Option<u32>>,
    tuple: (u32, String),
    when: Option<String>,
}

#[test]
fn no_arguments_are_an_empty_closed_object() {
    #[derive(JsonSchema)]
    struct Empty {}
    /// With docs.
    #[derive(JsonSchema)]
    struct Unit;
    let expected = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    assert_eq!(input::<Empty>().json(), expected);
    assert_eq!(input::<Unit>().json(), expected);
    assert_eq!(input::<()>().json(), expected);
}

#[test]
fn a_root_that_is_no_object_is_an_error_with_a_hint() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Params {
        a: u32,
    }
    fn error<T: JsonSchema>() -> String {
        InputSchema::of::<T>(SchemaProfile::Portable, PLAIN)
            .unwrap_err()
            .to_string()
    }
    for (message, found) in [
        (error::<Vec<Params>>(), "arrays"),
        (error::<Option<Params>>(), "an optional value"),
        (error::<String>(), "strings"),
        (error::<u32>(), "integers"),
        (error::<Value>(), "values of any kind"),
    ] {
        assert!(message.contains(found), "{message}");
        assert!(
            message.contains("take a struct with named fields"),
            "{message}"
        );
    }
}

#[test]
fn numbers_have_bounds_and_no_formats() {
    let unsigned = |max: Value| json!({ "type": "integer", "minimum": 0, "maximum": max });
    assert_eq!(
        property::<Everything>("zed"),
        json!({ "type": "integer", "description": "Zed.", "minimum": 0, "maximum": 255 })
    );
    assert_eq!(
        property::<Everything>("b"),
        unsigned(json!(4_294_967_295_u32))
    );
    assert_eq!(
        property::<Everything>("c"),
        json!({ "type": "integer", "minimum": 0 })
    );
    assert_eq!(
        property::<Everything>("d"),
        json!({ "type": "integer", "minimum": 0 })
    );
    assert_eq!(property::<Everything>("e"), json!({ "type": "number" }));
    assert_eq!(property::<Everything>("f"), json!({ "type": "integer" }));
    assert_eq!(
        property::<Everything>("g"),
        json!({ "type": "integer", "minimum": -32768, "maximum": 32767 })
    );
}

#[test]
fn any_value_is_an_empty_schema_and_never_a_boolean() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Nested {
        /// What you like.
        inner: Vec<Value>,
        deep: Vec<Everything>,
    }
    assert_eq!(property::<Everything>("value"), json!({}));
    assert_eq!(property::<Everything>("optional_value"), json!({}));
    let nested = input::<Nested>().json().to_owned();
    let without_others = nested
        .replace(r#""additionalProperties":true"#, "")
        .replace(r#""additionalProperties":false"#, "");
    assert!(
        !without_others.contains("true") && !without_others.contains("false"),
        "{nested}"
    );
    assert_eq!(
        property::<Nested>("inner"),
        json!({ "type": "array", "description": "What you like.", "items": {} })
    );
}

#[test]
fn properties_keep_the_order_of_declaration() {
    let schema = shown::<Everything>();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "zed",
            "b",
            "c",
            "d",
            "e",
            "f",
            "g",
            "value",
            "optional_value",
            "map",
            "list",
            "tuple",
            "when"
        ]
    );
    assert_eq!(input::<Everything>().json(), input::<Everything>().json());
    assert!(!input::<Everything>().json().contains('\n'));
}

#[test]
fn optional_fields_have_one_type_and_are_not_required() {
    let schema = shown::<Everything>();
    let required = schema["required"].as_array().unwrap();
    assert!(!required.contains(&json!("when")));
    assert_eq!(property::<Everything>("when"), json!({ "type": "string" }));
    assert_eq!(
        property::<Everything>("list")["items"]["type"],
        json!(["integer", "null"]),
        "null is kept where it is a value"
    );
}

#[derive(JsonSchema, Deserialize)]
enum Mode {
    /// quick
    Fast,
    /// thorough
    Slow,
}

#[test]
fn documented_enums_are_enums_with_the_docs_folded_in() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum One {
        Only,
    }
    /// Two of them.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Mixed {
        Plain,
        /// With words.
        Documented,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Modes {
        mode: Mode,
        /// How.
        described: Mode,
        /// Perhaps.
        optional: Option<Mode>,
        one: One,
        mixed: Option<Mixed>,
        items: Vec<Mode>,
    }
    let docs = "- `Fast`: quick\n- `Slow`: thorough";
    let mode = |description: String| json!({ "type": "string", "description": description, "enum": ["Fast", "Slow"] });
    assert_eq!(property::<Modes>("mode"), mode(docs.to_owned()));
    assert_eq!(
        property::<Modes>("described"),
        mode(format!("How.\n{docs}"))
    );
    assert_eq!(
        property::<Modes>("optional"),
        mode(format!("Perhaps.\n{docs}"))
    );
    assert_eq!(
        property::<Modes>("one"),
        json!({ "type": "string", "enum": ["Only"] })
    );
    assert_eq!(
        property::<Modes>("mixed"),
        json!({ "type": "string", "enum": ["Plain", "Documented"], "description": "Two of them.\n- `Documented`: With words." })
    );
    assert_eq!(property::<Modes>("items")["items"], mode(docs.to_owned()));
}

#[test]
fn defaults_are_shown_but_for_null() {
    fn ten() -> i32 {
        10
    }
    #[derive(JsonSchema, Deserialize)]
    struct Defaults {
        #[serde(default = "ten")]
        n: i32,
        #[serde(default)]
        q: Option<String>,
        #[serde(default)]
        v: bool,
    }
    let schema = shown::<Defaults>();
    assert_eq!(schema["properties"]["n"]["default"], 10);
    assert_eq!(schema["properties"]["v"]["default"], false);
    assert_eq!(schema["properties"]["q"], json!({ "type": "string" }));
    assert!(schema.get("required").is_none());
    let Defaults { n, q, v } = decode("{}").unwrap();
    assert_eq!((n, q, v), (10, None, false));
}

#[test]
fn nested_types_are_inlined_and_keep_the_descriptions_of_their_fields() {
    /// A point.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Point {
        /// Across.
        x: f64,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Line {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Option<Point>,
        plain: Point,
    }
    let text = input::<Line>().json().to_owned();
    assert!(
        !text.contains("$ref") && !text.contains("$defs") && !text.contains("anyOf"),
        "{text}"
    );
    let schema = shown::<Line>();
    assert_eq!(
        schema["properties"]["from"]["description"],
        "Where it begins."
    );
    assert_eq!(schema["properties"]["to"]["description"], "Where it ends.");
    assert_eq!(schema["properties"]["plain"]["description"], "A point.");
    assert_eq!(
        schema["properties"]["to"]["properties"]["x"]["description"],
        "Across."
    );
    assert_eq!(schema["required"], json!(["from", "plain"]));
}

#[test]
fn recursion_keeps_its_definitions() {
    #[derive(JsonSchema, Deserialize)]
    struct Node {
        name: String,
        children: Vec<Self>,
        next: Option<Box<Self>>,
    }
    #[derive(JsonSchema, Deserialize)]
    struct Forest {
        trees: Vec<Node>,
    }
    for schema in [shown::<Node>(), shown::<Forest>()] {
        let text = schema.to_string();
        assert!(
            text.contains("$ref") && schema["$defs"].is_object(),
            "{text}"
        );
        assert!(!text.contains(r##""$ref":"#""##), "{text}");
    }
    let forest: Forest =
        decode(r#"{"trees":[{"name":"a","children":[{"name":"b","children":"[]"}],"next":null}]}"#)
            .unwrap();
    assert_eq!(forest.trees[0].children[0].name, "b");
    assert!(forest.trees[0].next.is_none());
    assert!(forest.trees[0].children[0].children.is_empty());
    assert_eq!(
        violations::<Node>(r#"{"name":"a","children":[{"name":1,"children":[]}]}"#),
        ["/children/0/name: expected string, got 1"]
    );
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Op {
    /// Reads.
    Get { id: u32 },
    /// Writes.
    Put {
        id: u32,
        /// What to write.
        val: String,
    },
}

#[test]
fn a_tagged_enum_becomes_one_object() {
    assert_eq!(
        shown::<Op>(),
        json!({
            "type": "object",
            "properties": {
                "kind": { "type": "string", "description": "- `get`: Reads.\n- `put`: Writes.", "enum": ["get", "put"] },
                "id": { "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 },
                "val": { "type": "string", "description": "What to write.\nOnly with `kind` `put`." }
            },
            "required": ["kind", "id"],
            "additionalProperties": false
        })
    );
    assert_eq!(
        decode::<Op>(r#"{"kind":"get","id":"7"}"#),
        Ok(Op::Get { id: 7 })
    );
    assert_eq!(
        violations::<Op>(r#"{"kind":"put","id":7}"#),
        ["/val: missing, expected string"]
    );
    assert_eq!(
        violations::<Op>(r#"{"kind":"pet","id":7}"#),
        [r#"/kind: expected one of "get" or "put", got string "pet""#]
    );
    assert_eq!(
        violations::<Op>(r#"{"kind":"get","id":7,"vall":""}"#).len(),
        1
    );
}

#[test]
fn a_flattened_tagged_enum_becomes_part_of_its_object() {
    #[derive(JsonSchema, Deserialize)]
    struct Command {
        name: String,
        #[serde(flatten)]
        op: Op,
    }
    let schema = shown::<Command>();
    assert!(schema.get("oneOf").is_none(), "{schema}");
    assert_eq!(schema["required"], json!(["name", "kind", "id"]));
    let command: Command = decode(r#"{"name":"n","kind":"put","id":1,"val":"v"}"#).unwrap();
    assert_eq!(command.name, "n");
    assert_eq!(
        command.op,
        Op::Put {
            id: 1,
            val: "v".to_owned()
        }
    );
    assert_eq!(
        violations::<Command>(r#"{"name":"n","kind":"get","id":1,"zzz":2}"#),
        ["/zzz: unknown argument"]
    );
}

#[test]
fn other_unions_at_the_root_are_errors_with_a_hint() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum External {
        Get { id: u32 },
        Put { id: u32 },
    }
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Untagged {
        Get { id: u32 },
        Put { name: String },
    }
    fn error<T: JsonSchema>() -> String {
        InputSchema::of::<T>(SchemaProfile::Portable, PLAIN)
            .unwrap_err()
            .to_string()
    }
    for message in [error::<External>(), error::<Untagged>()] {
        assert!(message.contains("#[serde(tag = \"kind\")]"), "{message}");
    }
}

#[test]
fn titles_are_those_that_were_written() {
    #[derive(JsonSchema)]
    #[schemars(title = "Find files")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Titled {
        #[schemars(title = "The glob")]
        pattern: String,
    }
    assert_eq!(shown::<Titled>()["title"], "Find files");
    assert_eq!(property::<Titled>("pattern")["title"], "The glob");
    assert!(shown::<Everything>().get("title").is_none());
}

#[test]
fn only_formats_that_are_checked_are_shown() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Formats {
        v4: std::net::Ipv4Addr,
        any: std::net::IpAddr,
        #[schemars(extend("format" = "duration"))]
        duration: String,
        #[schemars(email)]
        email: String,
    }
    assert_eq!(property::<Formats>("v4")["format"], "ipv4");
    assert_eq!(property::<Formats>("email")["format"], "email");
    assert_eq!(property::<Formats>("any"), json!({ "type": "string" }));
    assert_eq!(property::<Formats>("duration"), json!({ "type": "string" }));
}

#[test]
fn keywords_that_are_not_checked_are_not_shown() {
    #[derive(JsonSchema)]
    #[schemars(extend("if" = { "required": ["a"] }, "x-vendor" = 1))]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Extended {
        #[schemars(extend("contains" = { "const": 1 }))]
        a: Vec<u32>,
    }
    let schema = shown::<Extended>();
    assert!(schema.get("if").is_none());
    assert_eq!(schema["x-vendor"], 1);
    assert!(schema["properties"]["a"].get("contains").is_none());
}

#[test]
fn a_pattern_that_cannot_be_checked_is_an_error_when_the_schema_is_built() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Looks {
        #[schemars(regex(pattern = r"(?=a)"))]
        name: String,
    }
    let error = InputSchema::of::<Looks>(SchemaProfile::Portable, PLAIN).unwrap_err();
    assert!(matches!(error, SchemaError::Pattern { .. }), "{error}");
}

#[test]
fn what_is_portable_upsets_no_provider_that_reads_plain_json_schema() {
    use crate::schema::{Provider, lint};
    for schema in [input::<Everything>(), input::<Op>(), input::<()>()] {
        let findings = lint(schema.json());
        assert!(
            findings
                .iter()
                .all(|finding| finding.provider != Provider::Anthropic),
            "{findings:?}"
        );
    }
}

#[test]
fn maps_show_the_schema_of_their_values() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Maps {
        counts: BTreeMap<String, u8>,
    }
    assert_eq!(
        property::<Maps>("counts"),
        json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": 0, "maximum": 255 } })
    );
}
