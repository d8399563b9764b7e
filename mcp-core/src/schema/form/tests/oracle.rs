//! Our checks against those of another validator, which reads what the client is shown.

use std::collections::BTreeSet;

use jsonschema::Validator;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde::{Deserialize, Serialize};

use super::*;
use crate::schema::tree::Tree;

#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[serde(rename_all = "lowercase")]
enum Plain {
    A,
    B,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// The first
    A,
    B,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Texts {
    #[schemars(length(min = 1, max = 3))]
    text: Option<String>,
    #[schemars(email)]
    mail: Option<String>,
    #[schemars(url)]
    link: Option<String>,
    #[schemars(extend("format" = "date"))]
    day: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    when: Option<String>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Numbers {
    #[schemars(range(min = -1, max = 3))]
    count: i32,
    #[schemars(range(max = 2.5))]
    share: Option<f64>,
    small: Option<u8>,
    sure: Option<bool>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Choices {
    one: Plain,
    titled: Option<Titled>,
    #[schemars(length(min = 1, max = 2))]
    some: Option<Vec<Plain>>,
    #[serde(default)]
    titles: Vec<Titled>,
}

#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Filled {
    #[schemars(length(max = 3), extend("default" = "abc"))]
    text: String,
    #[schemars(range(min = 0, max = 3), extend("default" = 1))]
    count: i32,
    #[schemars(extend("default" = "b"))]
    titled: Titled,
    #[serde(default)]
    sure: bool,
}

/// Enforces more than it shows.
#[derive(JsonSchema, Deserialize, Debug)]
#[expect(dead_code, reason = "only read by the derive")]
struct Stricter {
    #[schemars(regex(pattern = "^a"))]
    text: Option<String>,
    #[schemars(extend("multipleOf" = 2))]
    count: Option<i32>,
    titles: Option<BTreeSet<Titled>>,
}

fn value() -> impl Strategy<Value = Value> {
    let text = select(
        &[
            "a",
            "b",
            "c",
            "abc",
            "abcd",
            "é😀",
            "",
            "5",
            "2.0",
            "true",
            "[\"a\"]",
            "a@b.example",
            "https://a.example/b",
            "2025-01-31",
            "2025-02-30",
            "2025-01-31T12:00:00Z",
        ][..],
    )
    .prop_map(Value::from);
    let number = prop_oneof![
        (-3_i64..6).prop_map(Value::from),
        select(vec![
            json!(1.0),
            json!(2.5),
            json!(-0.5),
            json!(300),
            json!(u64::MAX)
        ]),
    ];
    let item = prop_oneof![4 => select(vec![json!("a"), json!("b")]), 1 => Just(json!("c")), 1 => Just(json!(1))];
    prop_oneof![
        6 => text,
        4 => number,
        2 => any::<bool>().prop_map(Value::from),
        4 => vec(item, 0..4).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!({ "a": 1 })),
    ]
}

/// Answers whose members are often of the kind that the sample types want.
fn answer() -> impl Strategy<Value = Value> {
    let names = [
        "text", "mail", "link", "day", "when", "count", "share", "small", "sure", "one", "titled",
        "some", "titles", "unasked",
    ];
    let likely = |name: &str| match name {
        "text" | "one" | "titled" => vec![json!("a"), json!("b")],
        "mail" => vec![json!("a@b.example")],
        "link" => vec![json!("https://a.example/b")],
        "day" => vec![json!("2025-01-31")],
        "when" => vec![json!("2025-01-31T12:00:00Z")],
        "count" | "share" | "small" => vec![json!(0), json!(1), json!(2)],
        "sure" => vec![json!(true)],
        "some" | "titles" => vec![json!(["a"]), json!(["b", "a"])],
        _ => vec![json!([{}])],
    };
    let member = select(names.to_vec()).prop_flat_map(move |name| {
        let value = prop_oneof![4 => select(likely(name)), 1 => value()];
        (Just(name.to_owned()), value)
    });
    vec(member, 0..8).prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// One form, what a client is shown of it, and another validator that has read that.
struct Sample {
    form: Form,
    shown: Value,
    oracle: Validator,
    /// What is shown is all that is enforced.
    shows_all: bool,
    reads: fn(&Form, &str) -> bool,
}

impl Sample {
    fn of<T: JsonSchema + DeserializeOwned>(shows_all: bool) -> Self {
        let form = form::<T>();
        let shown: Value = form.json(ProtocolVersion::LATEST).unwrap().parse().unwrap();
        let oracle = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&shown)
            .unwrap();
        Self {
            form,
            shown,
            oracle,
            shows_all,
            reads: |form, text| form.read::<T>(text).is_ok(),
        }
    }

    /// What is valid is accepted as it is, and what is accepted is, once mended, valid.
    fn agrees(&self, answer: &Value) -> Result<(), TestCaseError> {
        let shown = &self.shown;
        let text = answer.to_string();
        let valid = self.oracle.is_valid(answer);
        let checked = self.form.checked(&text);
        prop_assert_eq!(
            checked.is_ok(),
            (self.reads)(&self.form, &text),
            "{} {}",
            shown,
            text
        );
        match checked {
            Ok(checked) => {
                let counted: Value = serde_json::from_str(&checked.to_string()).unwrap();
                prop_assert!(
                    self.oracle.is_valid(&counted),
                    "accepted, not valid: {} {}",
                    shown,
                    counted
                );
                let kept = keeps(&checked, answer, shown);
                prop_assert!(
                    kept || !valid || !self.shows_all,
                    "changed: {} {}",
                    text,
                    counted
                );
            }
            Err(errors) => {
                prop_assert!(
                    !valid || !self.shows_all,
                    "valid, not accepted: {} {} {}",
                    shown,
                    text,
                    errors
                );
            }
        }
        Ok(())
    }
}

/// Whether all that was asked for and answered is still there.
fn keeps(checked: &Tree, answer: &Value, shown: &Value) -> bool {
    answer.as_object().unwrap().iter().all(|(name, value)| {
        shown["properties"].get(name).is_none() || checked.member(name) == Some(&Tree::from(value))
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

#[test]
fn what_the_form_allows_is_accepted_and_the_other_way_round() {
    let samples = [
        Sample::of::<Texts>(true),
        Sample::of::<Numbers>(true),
        Sample::of::<Choices>(true),
        Sample::of::<Filled>(true),
        Sample::of::<Stricter>(false),
    ];
    let agree = |answer: Value| samples.iter().try_for_each(|sample| sample.agrees(&answer));
    let found = TestRunner::new(config(2000)).run(&answer(), agree);
    assert_eq!(found, Ok(()));
}

#[test]
fn a_form_by_hand_and_one_by_type_agree() {
    let by_type = form::<Filled>();
    let shown = by_type.json(ProtocolVersion::LATEST).unwrap();
    let by_hand = Form::from_schema(&shown.parse().unwrap()).unwrap();
    let answers = btree_map("(text|count|titled|sure)", value(), 0..4);
    let found = TestRunner::new(config(1000)).run(&answers, |answer| {
        let text = json!(answer).to_string();
        let report = |form: &Form| form.check(&text).map_err(|errors| errors.to_string());
        prop_assert_eq!(report(&by_type), report(&by_hand), "{}", text);
        Ok(())
    });
    assert_eq!(found, Ok(()));
}

#[test]
fn no_text_makes_reading_panic() {
    let form = form::<Filled>();
    let texts = r#"[\{\}\[\],:"a\\u0-9d8eE+. -]{0,40}"#;
    let found = TestRunner::new(config(500)).run(&texts, |text| {
        for answer in [
            text.clone(),
            format!("{{\"count\":{text}}}"),
            format!("{{\"text\":\"{text}\"}}"),
        ] {
            let accepted = form.read::<Filled>(&answer).is_ok();
            prop_assert_eq!(accepted, form.check(&answer).is_ok(), "{}", answer);
        }
        Ok(())
    });
    assert_eq!(found, Ok(()));
}
