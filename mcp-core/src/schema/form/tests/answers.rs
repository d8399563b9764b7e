use std::collections::BTreeSet;

use serde::Deserialize;

use super::*;

#[derive(JsonSchema, Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Colour {
    /// The first
    Red,
    /// The last
    Blue,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Profile {
    #[schemars(length(min = 1, max = 20))]
    name: String,
    #[schemars(range(min = 18))]
    age: u8,
    weight: Option<f64>,
    news: Option<bool>,
    #[schemars(email)]
    mail: Option<String>,
    #[schemars(url)]
    site: Option<String>,
    #[schemars(extend("format" = "date"))]
    day: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    when: Option<String>,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    code: Option<String>,
    colour: Option<Colour>,
    colours: Option<BTreeSet<Colour>>,
    note: Option<String>,
}

fn least() -> Profile {
    Profile {
        name: "Ada".to_owned(),
        age: 36,
        weight: None,
        news: None,
        mail: None,
        site: None,
        day: None,
        when: None,
        code: None,
        colour: None,
        colours: None,
        note: None,
    }
}

#[test]
fn an_answer_becomes_the_type() {
    let answer = r#"{"name":"Ada","age":36,"weight":60.5,"news":true,"mail":"a@b.example","site":"https://b.example/",
        "day":"2024-02-29","when":"2024-02-29T12:00:00Z","code":"ABC","colour":"red","colours":["blue","red"],"note":""}"#;
    assert_eq!(
        read::<Profile>(answer),
        Profile {
            weight: Some(60.5),
            news: Some(true),
            mail: Some("a@b.example".to_owned()),
            site: Some("https://b.example/".to_owned()),
            day: Some("2024-02-29".to_owned()),
            when: Some("2024-02-29T12:00:00Z".to_owned()),
            code: Some("ABC".to_owned()),
            colour: Some(Colour::Red),
            colours: Some(BTreeSet::from([Colour::Red, Colour::Blue])),
            note: Some(String::new()),
            ..least()
        }
    );
}

#[test]
fn what_is_optional_may_be_left_out_or_null_or_left_blank() {
    assert_eq!(read::<Profile>(r#"{"name":"Ada","age":36}"#), least());
    let blank = r#"{"name":"Ada","age":36,"weight":"","news":null,"mail":"","day":"","colour":"","colours":""}"#;
    assert_eq!(read::<Profile>(blank), least());
}

#[test]
fn values_written_as_text_are_mended() {
    let answer = r#"{"name":"Ada","age":"36","weight":"60.5","news":"true"}"#;
    assert_eq!(
        read::<Profile>(answer),
        Profile {
            weight: Some(60.5),
            news: Some(true),
            ..least()
        }
    );
    assert_eq!(read::<Profile>(r#"{"name":"Ada","age":36.0}"#), least());
}

#[test]
fn what_was_not_asked_for_is_passed_over() {
    let answer = r#"{"name":"Ada","extra":{"deep":[1]},"age":36,"":null}"#;
    assert_eq!(read::<Profile>(answer), least());
}

#[test]
fn everything_that_is_wrong_is_reported_with_its_place() {
    let wrong = r#"{"age":17,"weight":"heavy","news":"perhaps","mail":"a","site":"b","day":"2023-02-29",
        "when":"noon","code":"abc","colour":"The first","colours":["red","red"],"note":5}"#;
    assert_eq!(
        refusal(&form::<Profile>(), wrong),
        [
            "/name: missing, expected string",
            "/age: expected integer from 18 to 255, got 17",
            r#"/weight: expected number, got string "heavy""#,
            r#"/news: expected boolean, got string "perhaps""#,
            r#"/mail: expected string that is an email address, got string "a""#,
            r#"/site: expected string that is an absolute URI, got string "b""#,
            r#"/day: expected string that is a date such as 2025-01-31, got string "2023-02-29""#,
            r#"/when: expected string that is a date and time such as 2025-01-31T12:00:00Z, got string "noon""#,
            r#"/code: expected string that matches ^[A-Z]{3}$, got string "abc""#,
            r#"/colour: expected one of "red" or "blue", got string "The first""#,
            "/colours: expected array whose items all differ, got array of 2 items",
            "/note: expected string, got 5",
        ]
    );
    let report = form::<Profile>().check(wrong).unwrap_err().to_string();
    assert!(report.starts_with("the answer does not fit the form:\n- /name"));
}

#[test]
fn what_is_required_cannot_be_null_or_blank() {
    assert_eq!(
        refusal(&form::<Profile>(), r#"{"name":"","age":null}"#),
        [
            r#"/name: expected string of 1 to 20 characters, got string """#,
            "/age: expected integer, got null",
        ]
    );
}

#[test]
fn an_answer_without_content_is_one_without_fields() {
    #[derive(JsonSchema, Deserialize)]
    struct Asked {
        a: Option<u8>,
    }
    assert_eq!(read::<Asked>(" null ").a, None);
    assert_eq!(
        refusal(&form::<Profile>(), "null"),
        [
            "/name: missing, expected string",
            "/age: missing, expected integer"
        ]
    );
}

#[test]
fn what_is_no_object_is_refused() {
    let form = form::<Profile>();
    assert_eq!(
        refusal(&form, "[]"),
        ["expected object, got array of 0 items"]
    );
    assert_eq!(refusal(&form, "{"), ["not valid JSON"]);
    assert_eq!(refusal(&form, ""), ["not valid JSON"]);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
    assert_eq!(refusal(&form, &deep), ["nested too deeply"]);
    let twice = r#"{"name":"Ada","age":36,"name":"Bob"}"#;
    assert_eq!(refusal(&form, twice), ["/name: given more than once"]);
}

#[test]
fn an_answer_and_its_report_are_bounded() {
    let form = form::<Profile>();
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(1 << 20));
    assert_eq!(refusal(&form, &long), ["longer than 1048576 bytes"]);
    let items = vec!["\"pink\""; 10_000].join(",");
    let report = refusal(&form, &format!(r#"{{"colours":[{items}]}}"#));
    assert_eq!(report.len(), 33);
    assert!(report[32].starts_with("and "), "{}", report[32]);
}

#[test]
fn a_type_that_refuses_what_its_form_allows_is_heard() {
    #[derive(Deserialize, JsonSchema, Debug)]
    #[serde(try_from = "String")]
    #[expect(dead_code, reason = "only that it is refused is of interest")]
    struct Even(String);
    impl TryFrom<String> for Even {
        type Error = &'static str;
        fn try_from(text: String) -> Result<Self, Self::Error> {
            let even = text.len().is_multiple_of(2);
            even.then_some(Self(text)).ok_or("odd number of letters")
        }
    }
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only that it is refused is of interest")]
    struct Asked {
        a: Even,
    }
    let form = form::<Asked>();
    assert!(form.read::<Asked>(r#"{"a":"xx"}"#).is_ok());
    let error = form.read::<Asked>(r#"{"a":"x"}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answer does not fit the form:\n- /a: odd number of letters"
    );
}
