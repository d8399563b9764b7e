//! Schemas and arguments that are meant to cost time.

use std::fmt::Write as _;

use super::*;
use crate::schema::check::{Checker, Nulls};
use crate::schema::compile::compile;
use crate::schema::tree::Tree;

#[test]
fn schemas_that_double_at_each_level_are_checked_within_bounds() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        definitions.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
    }
    definitions.insert("a40".to_owned(), json!({}));
    let schema = json!({ "$ref": "#/$defs/a0", "$defs": definitions });
    let program = compile(&schema).unwrap();
    let violations = Checker::new(&program, Nulls::Values).violations(&Tree::Null);
    assert_eq!(violations.len(), 1);
    assert_eq!(
        violations[0].message(),
        "too deep or too intricate to check"
    );
}

#[test]
fn a_definition_that_is_only_itself_ends() {
    let schema =
        json!({ "$ref": "#/$defs/a", "$defs": { "a": { "anyOf": [{ "$ref": "#/$defs/a" }] } } });
    let program = compile(&schema).unwrap();
    let violations = Checker::new(&program, Nulls::Values).violations(&Tree::Null);
    assert_eq!(violations.len(), 1);
}

#[test]
fn recursive_arguments_end_at_the_depth_of_serde_json() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Link {
        #[schemars(range(max = 9))]
        n: u32,
        next: Option<Box<Self>>,
    }
    let chain = |length: usize, last: u32| {
        let open = r#"{"n":1,"next":"#.repeat(length);
        format!(r#"{open}{{"n":{last}}}{}"#, "}".repeat(length))
    };
    assert!(decode::<Link>(&chain(100, 9)).is_ok());
    let report = violations::<Link>(&chain(100, 10));
    assert!(
        report[0].ends_with("expected integer from 0 to 9, got 10"),
        "{report:?}"
    );
    assert!(decode::<Link>(&chain(100, 9).replace("\"n\":9", "\"n\":\"9\"")).is_ok());
    assert_eq!(
        violations::<Link>(&chain(1000, 9)),
        ["the arguments are nested too deeply"]
    );
}

#[test]
fn patterns_take_linear_time() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Catastrophe {
        #[schemars(regex(pattern = r"^(a+)+$"))]
        s: String,
    }
    let arguments = format!("{{\"s\":\"{}!\"}}", "a".repeat(20_000));
    assert_eq!(violations::<Catastrophe>(&arguments).len(), 1);
}

#[test]
fn very_many_unknown_arguments_are_counted_and_not_listed() {
    #[derive(JsonSchema, Deserialize, Debug)]
    struct None {}
    let mut arguments = "{".to_owned();
    for n in 0..5000 {
        let _ = write!(arguments, "\"argument{n}\":0,");
    }
    arguments.push_str("\"last\":0}");
    let report = violations::<None>(&arguments);
    assert_eq!(report.len(), 33);
    assert!(report[32].starts_with("and "), "{}", report[32]);
}

#[test]
fn references_out_of_the_schema_and_to_nowhere_are_refused() {
    for (reference, external) in [("http://127.0.0.1:9/x.json", true), ("#/$defs/none", false)] {
        let error = compile(&json!({ "$ref": reference })).unwrap_err();
        let expected = if external {
            SchemaError::ExternalReference {
                reference: reference.to_owned(),
            }
        } else {
            SchemaError::UnknownReference {
                reference: reference.to_owned(),
            }
        };
        assert_eq!(error, expected);
    }
}

#[test]
fn definitions_with_odd_names_are_found() {
    let schema = json!({ "$ref": "#/$defs/a~1b%20c", "$defs": { "a/b c": { "type": "null" } } });
    let program = compile(&schema).unwrap();
    assert!(
        Checker::new(&program, Nulls::Values)
            .violations(&Tree::Null)
            .is_empty()
    );
}

#[test]
fn schemas_without_end_are_refused() {
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({ "items": deep });
    }
    assert!(matches!(compile(&deep), Err(SchemaError::TooLarge { .. })));
    let wide: Vec<Value> = (0..20_000).map(|_| json!({})).collect();
    assert!(matches!(
        compile(&json!({ "anyOf": wide })),
        Err(SchemaError::TooLarge { .. })
    ));
}
