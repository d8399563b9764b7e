//! Our checks against those of another validator, and against serde.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::schema::ForeignOutput;
use crate::schema::check::{Checker, Nulls};
use crate::schema::compile::compile;
use crate::schema::tree::Tree;

const KINDS: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];
const FORMATS: &[&str] = &[
    "date",
    "time",
    "email",
    "ipv4",
    "ipv6",
    "uuid",
    "date-time",
    "uri",
];

/// Values near the bounds that the schemas below speak of.
fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        (-4_i64..5).prop_map(|n| json!(n)),
        prop_oneof![
            Just(json!(1.5)),
            Just(json!(2.0)),
            Just(json!(-0.5)),
            Just(json!(1e3)),
            Just(json!(0.3))
        ],
        prop_oneof![
            Just(json!(u64::MAX)),
            Just(json!(i64::MIN)),
            Just(json!(9_007_199_254_740_993_i64))
        ],
        "[ab0é😀]{0,4}".prop_map(|text| json!(text)),
        prop_oneof![
            Just("2025-01-31"),
            Just("a@b.c"),
            Just("127.0.0.1"),
            Just("12:00:00Z")
        ]
        .prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            btree_map("[abc]", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn keywords() -> impl Strategy<Value = (String, Value)> {
    let count = 0_u64..4;
    let number = prop_oneof![
        (-3_i64..4).prop_map(|n| json!(n)),
        Just(json!(1.5)),
        Just(json!(9_007_199_254_740_992_i64)),
        Just(json!(u64::MAX)),
    ];
    let named = |name: &'static str| move |value: Value| (name.to_owned(), value);
    prop_oneof![
        proptest::sample::select(KINDS).prop_map(|kind| ("type".to_owned(), json!(kind))),
        proptest::sample::subsequence(KINDS, 1..3)
            .prop_map(|kinds| ("type".to_owned(), json!(kinds))),
        vec(instance(), 1..4).prop_map(|mut values| {
            values.dedup();
            ("enum".to_owned(), json!(values))
        }),
        instance().prop_map(named("const")),
        (
            proptest::sample::select(
                &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"][..]
            ),
            number
        )
            .prop_map(|(name, value)| (name.to_owned(), value)),
        proptest::sample::select(std::vec![json!(2), json!(0.1), json!(3)])
            .prop_map(named("multipleOf")),
        (
            proptest::sample::select(
                &[
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties"
                ][..]
            ),
            count
        )
            .prop_map(|(name, value)| (name.to_owned(), json!(value))),
        proptest::sample::select(&["^a", "b$", "[0é]", "^(a|b)+$"][..])
            .prop_map(|pattern| ("pattern".to_owned(), json!(pattern))),
        proptest::sample::select(FORMATS).prop_map(|format| ("format".to_owned(), json!(format))),
        Just(("uniqueItems".to_owned(), json!(true))),
        vec("[abcd]", 0..3).prop_map(|mut names| {
            names.sort();
            names.dedup();
            ("required".to_owned(), json!(names))
        }),
        any::<bool>().prop_map(|others| ("additionalProperties".to_owned(), json!(others))),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let object = |keywords: Vec<(String, Value)>| Value::Object(keywords.into_iter().collect());
    let leaf = prop_oneof![
        8 => vec(keywords(), 0..3).prop_map(object),
        1 => any::<bool>().prop_map(Value::Bool),
    ];
    leaf.prop_recursive(3, 20, 3, move |inner| {
        let list = vec(inner.clone(), 1..3).prop_map(Value::Array);
        let properties = btree_map("[abc]", inner.clone(), 0..3)
            .prop_map(|map| Value::Object(map.into_iter().collect()));
        let one = prop_oneof![
            (Just("items"), inner.clone()),
            (Just("not"), inner.clone()),
            (Just("additionalProperties"), inner),
            (Just("prefixItems"), list.clone()),
            (Just("anyOf"), list.clone()),
            (Just("oneOf"), list.clone()),
            (Just("allOf"), list),
            (Just("properties"), properties.clone()),
            (Just("patternProperties"), properties),
        ]
        .prop_map(|(name, value)| (name.to_owned(), value));
        (vec(one, 1..4), vec(keywords(), 0..3))
            .prop_map(move |(inner, plain)| object(inner.into_iter().chain(plain).collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn verdicts_are_those_of_another_validator(schema in schema(), instances in vec(instance(), 8)) {
        let oracle = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let program = compile(&schema).unwrap();
        for instance in instances {
            let ours = Checker::new(&program, Nulls::Values).violations(&Tree::from(&instance));
            prop_assert_eq!(ours.is_empty(), oracle.is_valid(&instance), "{} {} {:?}", schema, instance, ours);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn outputs_by_a_foreign_schema_are_judged_as_by_another_validator(schema in schema(), instances in vec(instance(), 8)) {
        let oracle = jsonschema::draft202012::options()
            .should_validate_formats(false)
            .build(&schema)
            .unwrap();
        let output = ForeignOutput::new(&schema.to_string());
        prop_assert!(output.is_checked(), "{}", schema);
        for instance in instances {
            let broken = output.violations(&instance.to_string());
            prop_assert_eq!(broken.is_none(), oracle.is_valid(&instance), "{} {} {:?}", schema, instance, broken);
        }
    }
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Flat {
    a: u8,
    #[schemars(length(max = 2))]
    b: Option<String>,
    #[serde(default)]
    c: f64,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Choice {
    A,
    B,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(tag = "a", rename_all = "lowercase")]
#[expect(dead_code, reason = "only read by the derive")]
enum Tagged {
    A {
        b: bool,
    },
    B {
        #[schemars(range(max = 2))]
        c: i64,
    },
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Deep {
    a: Option<Vec<Flat>>,
    b: Option<Choice>,
    c: Option<HashMap<String, Option<bool>>>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only read by the derive")]
struct Unions {
    a: Option<Tagged>,
    b: Option<(i8, bool)>,
    c: Option<Value>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Recursive {
    a: Option<Box<Self>>,
    b: Option<BTreeMap<String, Self>>,
    #[schemars(range(min = 0))]
    c: Option<i32>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Containers {
    a: Option<Vec<Option<Flat>>>,
    b: Option<HashMap<u8, Choice>>,
    c: Option<BTreeSet<char>>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only read by the derive")]
enum External {
    A,
    B { a: i32 },
    C(Vec<bool>),
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(tag = "a", content = "b", rename_all = "lowercase")]
#[expect(dead_code, reason = "only read by the derive")]
enum Adjacent {
    A(u8),
    B { c: String },
}

#[derive(JsonSchema, Deserialize, Debug)]
#[serde(untagged)]
#[expect(dead_code, reason = "only read by the derive")]
enum Untagged {
    Number(i32),
    Text(String),
    Pair { a: bool, b: bool },
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Enums {
    a: Option<External>,
    b: Option<Vec<Adjacent>>,
    c: Option<Untagged>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Flattened {
    b: bool,
    #[serde(flatten)]
    rest: HashMap<String, u8>,
}

/// The arguments without what counts as absent: null where an object of the sample types has optional fields.
fn without_nulls(value: &Value, schema: &Value) -> Value {
    let (Value::Object(members), Some(properties)) = (value, schema.get("properties")) else {
        return value.clone();
    };
    let kept = members.iter().filter(|(name, member)| {
        let optional = schema["required"]
            .as_array()
            .is_none_or(|required| !required.contains(&json!(name)));
        !(member.is_null() && optional && properties.get(name).is_some())
    });
    Value::Object(
        kept.map(|(name, member)| (name.clone(), member.clone()))
            .collect(),
    )
}

/// What is accepted without mending is valid, and what is valid is accepted. Only the outermost object has its nulls
/// taken away for the comparison, so nulls further in are left out of the instances. `both_ways` is for types whose schema
/// says all that they enforce.
fn agree<T: JsonSchema + DeserializeOwned>(
    arguments: &Value,
    both_ways: bool,
) -> Result<(), TestCaseError> {
    for strict in [true, false] {
        let schema = InputSchema::of::<T>(
            SchemaProfile::Portable,
            ArgumentPolicy {
                strict,
                open: false,
            },
        )
        .unwrap();
        let json: Value = serde_json::from_str(schema.json()).unwrap();
        let text = arguments.to_string();
        let accepted = decode_by::<T>(&schema, &text);
        let valid = jsonschema::draft202012::is_valid(&json, &without_nulls(arguments, &json));
        if strict && accepted.is_ok() {
            prop_assert!(valid, "accepted, not valid: {} {}", json, text);
        }
        if !strict && valid && both_ways {
            prop_assert!(
                accepted.is_ok(),
                "valid, not accepted: {} {} {:?}",
                json,
                text,
                accepted.err()
            );
        }
    }
    Ok(())
}

/// Objects whose members often have the kinds that the sample types want.
fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        2 => proptest::sample::select(std::vec![json!("a"), json!("b"), json!("abc"), json!("")]),
        3 => (-2_i64..4).prop_map(|n| json!(n)),
        1 => proptest::sample::select(std::vec![json!(1.0), json!(0.5), json!(256), json!(u64::MAX)]),
        2 => any::<bool>().prop_map(|b| json!(b)),
    ];
    let value = leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..3).prop_map(Value::Array),
            2 => btree_map("[abcd]", inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let value = prop_oneof![9 => value, 1 => Just(Value::Null)];
    btree_map("[abc]", value, 0..4).prop_map(|map| Value::Object(map.into_iter().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn what_is_accepted_is_valid_and_the_other_way_round(arguments in arguments()) {
        agree::<Flat>(&arguments, true)?;
        agree::<Deep>(&arguments, true)?;
        // A merged union shows less than it enforces.
        agree::<Tagged>(&arguments, false)?;
        agree::<Unions>(&arguments, true)?;
        agree::<Recursive>(&arguments, true)?;
        agree::<Containers>(&arguments, true)?;
        agree::<Flattened>(&arguments, true)?;
    }

    /// The other way, variants may also be written as serde reads them: an array for a struct.
    #[test]
    fn what_is_valid_for_an_enum_is_accepted(arguments in arguments()) {
        let schema = input::<Enums>();
        let json: Value = serde_json::from_str(schema.json()).unwrap();
        if jsonschema::draft202012::is_valid(&json, &without_nulls(&arguments, &json)) {
            let accepted = decode_by::<Enums>(&schema, &arguments.to_string());
            prop_assert!(accepted.is_ok(), "{} {} {:?}", json, arguments, accepted.err());
        }
    }

    #[test]
    fn no_text_makes_decoding_panic(text in r#"[\{\}\[\],:"a\\u0-9d8eE+. -]{0,40}"#) {
        let schema = input::<Deep>();
        let _ = decode_by::<Deep>(&schema, &text);
        let _ = decode_by::<Deep>(&schema, &format!("{{\"a\":{text}}}"));
        let _ = decode_by::<Deep>(&schema, &format!("{{\"a\":\"{text}\"}}"));
    }
}
