//! The forms of the official conformance suite, byte for byte.

use serde::Deserialize;

use super::*;
use crate::protocol::TitledOption;

/// What 2025-11-25 shows.
#[track_caller]
fn on_the_wire(form: &Form) -> String {
    let json = form.json(ProtocolVersion::V2025_11_25).unwrap();
    json.get().to_owned()
}

const DEFAULTS: &str = concat!(
    r#"{"type":"object","properties":{"#,
    r#""name":{"type":"string","default":"John Doe"},"#,
    r#""age":{"type":"integer","default":30},"#,
    r#""score":{"type":"number","default":95.5},"#,
    r#""status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"#,
    r#""verified":{"type":"boolean","default":true}}}"#,
);

#[test]
fn a_type_gives_the_form_of_sep_1034_defaults() {
    #[derive(serde::Serialize, Deserialize, JsonSchema, Debug, PartialEq, Default)]
    #[serde(rename_all = "lowercase")]
    enum Status {
        #[default]
        Active,
        Inactive,
        Pending,
    }
    fn name() -> String {
        "John Doe".to_owned()
    }
    fn age() -> i64 {
        30
    }
    fn score() -> f64 {
        95.5
    }
    fn verified() -> bool {
        true
    }
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    struct Defaults {
        #[serde(default = "name")]
        name: String,
        #[serde(default = "age")]
        age: i64,
        #[serde(default = "score")]
        score: f64,
        #[serde(default)]
        status: Status,
        #[serde(default = "verified")]
        verified: bool,
    }
    assert_eq!(on_the_wire(&form::<Defaults>()), DEFAULTS);
    assert_eq!(
        read::<Defaults>(r#"{"age":31}"#),
        Defaults {
            name: "John Doe".to_owned(),
            age: 31,
            score: 95.5,
            status: Status::Active,
            verified: true,
        }
    );
}

#[test]
fn a_form_by_hand_gives_that_of_sep_1034_defaults() {
    let status = PrimitiveSchema::choice(["active", "inactive", "pending"]);
    let score = serde_json::Number::from_f64(95.5).unwrap();
    let schema = FormSchema::default()
        .with_field("name", PrimitiveSchema::string().with_default("John Doe"))
        .with_field("age", PrimitiveSchema::integer().with_default(30))
        .with_field("score", PrimitiveSchema::number().with_default(score))
        .with_field("status", status.with_default("active"))
        .with_field("verified", PrimitiveSchema::boolean().with_default(true));
    assert_eq!(on_the_wire(&Form::from_schema(&schema).unwrap()), DEFAULTS);
}

const UNTITLED_SINGLE: &str =
    r#""untitledSingle":{"type":"string","enum":["option1","option2","option3"]}"#;
const TITLED_SINGLE: &str = r#""titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]}"#;
const LEGACY: &str = r#""legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]}"#;
const UNTITLED_MULTI: &str = r#""untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}}"#;
const TITLED_MULTI: &str = r#""titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}"#;

/// FEA-02: `enumNames` is deprecated, so that no type gives it from 2025-11-25 on.
#[test]
fn a_type_gives_the_form_of_sep_1330_enums_but_for_the_legacy_one() {
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Untitled {
        Option1,
        Option2,
        Option3,
    }
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Titled {
        /// First Option
        Value1,
        /// Second Option
        Value2,
        /// Third Option
        Value3,
    }
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Several {
        #[schemars(title = "First Choice")]
        Value1,
        #[schemars(title = "Second Choice")]
        Value2,
        #[schemars(title = "Third Choice")]
        Value3,
    }
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct Enums {
        untitled_single: Option<Untitled>,
        titled_single: Option<Titled>,
        untitled_multi: Option<Vec<Untitled>>,
        titled_multi: Option<Vec<Several>>,
    }
    let expected = format!(
        r#"{{"type":"object","properties":{{{UNTITLED_SINGLE},{TITLED_SINGLE},{UNTITLED_MULTI},{TITLED_MULTI}}}}}"#
    );
    assert_eq!(on_the_wire(&form::<Enums>()), expected);
    assert_eq!(
        read::<Enums>(
            r#"{"untitledSingle":"option2","untitledMulti":["option1","option3"],"titledMulti":["value2"]}"#
        ),
        Enums {
            untitled_single: Some(Untitled::Option2),
            titled_single: None,
            untitled_multi: Some(vec![Untitled::Option1, Untitled::Option3]),
            titled_multi: Some(vec![Several::Value2]),
        }
    );
}

/// FEA-02
#[test]
fn a_form_by_hand_gives_that_of_sep_1330_enums() {
    let values = ["option1", "option2", "option3"];
    let titled = |titles: [&str; 3]| -> Vec<TitledOption> {
        let values = ["value1", "value2", "value3"].into_iter();
        values
            .zip(titles)
            .map(|(value, title)| TitledOption::new(value, title))
            .collect()
    };
    let names = ["Option One", "Option Two", "Option Three"].map(str::to_owned);
    let schema = FormSchema::default()
        .with_field("untitledSingle", PrimitiveSchema::choice(values))
        .with_field(
            "titledSingle",
            PrimitiveSchema::titled_choice(titled([
                "First Option",
                "Second Option",
                "Third Option",
            ])),
        )
        .with_field(
            "legacyEnum",
            PrimitiveSchema::choice(["opt1", "opt2", "opt3"]).with_names(names),
        )
        .with_field("untitledMulti", PrimitiveSchema::choices(values))
        .with_field(
            "titledMulti",
            PrimitiveSchema::titled_choices(titled([
                "First Choice",
                "Second Choice",
                "Third Choice",
            ])),
        );
    let expected = format!(
        r#"{{"type":"object","properties":{{{UNTITLED_SINGLE},{TITLED_SINGLE},{LEGACY},{UNTITLED_MULTI},{TITLED_MULTI}}}}}"#
    );
    assert_eq!(on_the_wire(&Form::from_schema(&schema).unwrap()), expected);
}
