use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::*;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Everything {
    /// Your full name.
    #[schemars(title = "Name", length(min = 1, max = 80))]
    name: String,
    #[schemars(email)]
    mail: String,
    #[schemars(url)]
    site: Option<String>,
    #[schemars(extend("format" = "date"))]
    birthday: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    when: Option<String>,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    code: Option<String>,
    #[schemars(extend("format" = "uuid"))]
    id: Option<String>,
    #[schemars(range(min = 18, max = 120))]
    age: u8,
    #[schemars(range(min = 0.0, max = 1.0))]
    share: f64,
    count: u64,
    letter: char,
    news: bool,
}

#[test]
fn fields_of_plain_types_are_shown_with_all_that_a_form_has_words_for() {
    let expected = concat!(
        r#"{"type":"object","properties":{"#,
        r#""name":{"type":"string","title":"Name","description":"Your full name.","minLength":1,"maxLength":80},"#,
        r#""mail":{"type":"string","format":"email"},"#,
        r#""site":{"type":"string","format":"uri"},"#,
        r#""birthday":{"type":"string","format":"date"},"#,
        r#""when":{"type":"string","format":"date-time"},"#,
        r#""code":{"type":"string"},"#,
        r#""id":{"type":"string"},"#,
        r#""age":{"type":"integer","minimum":18,"maximum":120},"#,
        r#""share":{"type":"number","minimum":0.0,"maximum":1.0},"#,
        r#""count":{"type":"integer","minimum":0},"#,
        r#""letter":{"type":"string","minLength":1,"maxLength":1},"#,
        r#""news":{"type":"boolean"}},"#,
        r#""required":["name","mail","age","share","count","letter","news"]}"#,
    );
    let json = form::<Everything>().json(ProtocolVersion::LATEST).unwrap();
    assert_eq!(json.get(), expected);
}

#[derive(
    Serialize, Deserialize, JsonSchema, Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy,
)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
    Blue,
}

/// How much it matters.
#[derive(
    Serialize, Deserialize, JsonSchema, Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy,
)]
#[serde(rename_all = "lowercase")]
enum Priority {
    /// Whenever there
    /// is time.
    ///
    /// More words that no title has room for.
    Low,
    /// Never shown: the title is.
    #[schemars(title = "At once")]
    High,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Choices {
    colour: Colour,
    perhaps: Option<Colour>,
    /// Its own words.
    priority: Priority,
    optional: Option<Priority>,
    #[schemars(length(min = 1, max = 2))]
    colours: Vec<Colour>,
    /// Some of them.
    priorities: Option<BTreeSet<Priority>>,
}

#[test]
fn an_enum_is_a_choice_and_a_list_of_it_a_multiple_choice() {
    let colours = json!(["red", "green", "blue"]);
    let plain = json!({ "type": "string", "enum": colours });
    assert_eq!(field::<Choices>("colour"), plain);
    assert_eq!(field::<Choices>("perhaps"), plain);
    assert_eq!(
        field::<Choices>("colours"),
        json!({ "type": "array", "items": plain, "minItems": 1, "maxItems": 2 })
    );
    assert_eq!(
        shown::<Choices>()["required"],
        json!(["colour", "priority", "colours"])
    );
}

#[test]
fn documented_variants_are_titled_by_their_title_or_the_first_paragraph_of_their_docs() {
    let options = json!([
        { "const": "low", "title": "Whenever there is time." },
        { "const": "high", "title": "At once" },
    ]);
    assert_eq!(
        field::<Choices>("priority"),
        json!({ "type": "string", "description": "Its own words.", "oneOf": options })
    );
    assert_eq!(
        field::<Choices>("optional"),
        json!({ "type": "string", "description": "How much it matters.", "oneOf": options })
    );
    assert_eq!(
        field::<Choices>("priorities"),
        json!({ "type": "array", "description": "Some of them.", "items": { "anyOf": options } })
    );
}

#[test]
fn a_variant_without_docs_among_documented_ones_is_called_by_its_value() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Mixed {
        Plain,
        /// With words
        Documented,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Asked {
        mixed: Mixed,
    }
    assert_eq!(
        field::<Asked>("mixed")["oneOf"],
        json!([
            { "const": "Plain", "title": "Plain" },
            { "const": "Documented", "title": "With words" },
        ])
    );
}

fn thirty() -> u8 {
    30
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Defaults {
    #[serde(default = "thirty")]
    age: u8,
    #[serde(default)]
    news: bool,
    #[serde(default)]
    #[schemars(email)]
    mail: String,
    #[serde(default)]
    note: Option<String>,
    #[schemars(extend("default" = "red"))]
    colour: Colour,
    #[schemars(extend("default" = ["red"]))]
    colours: Vec<Colour>,
}

#[test]
fn defaults_are_shown_where_the_field_takes_them() {
    assert_eq!(
        field::<Defaults>("age"),
        json!({ "type": "integer", "minimum": 0, "maximum": 255, "default": 30 })
    );
    assert_eq!(
        field::<Defaults>("news"),
        json!({ "type": "boolean", "default": false })
    );
    assert_eq!(
        field::<Defaults>("mail"),
        json!({ "type": "string", "format": "email" })
    );
    assert_eq!(field::<Defaults>("note"), json!({ "type": "string" }));
    assert_eq!(field::<Defaults>("colour")["default"], "red");
    assert_eq!(field::<Defaults>("colours")["default"], json!(["red"]));
    assert_eq!(
        shown::<Defaults>()["required"],
        json!(["colour", "colours"])
    );
}

#[test]
fn what_an_answer_leaves_out_has_the_default_of_serde_or_else_of_the_form() {
    let expected = Defaults {
        age: 30,
        news: false,
        mail: String::new(),
        note: None,
        colour: Colour::Red,
        colours: vec![Colour::Red],
    };
    assert_eq!(read::<Defaults>("{}"), expected);
    assert_eq!(
        read::<Defaults>(r#"{"age":null,"mail":"","note":null,"colour":null,"colours":null}"#),
        expected
    );
    let filled = read::<Defaults>(r#"{"age":4,"mail":"a@b.example","colour":"blue"}"#);
    assert_eq!((filled.age, filled.colour), (4, Colour::Blue));
    assert_eq!(filled.mail, "a@b.example");
}

#[test]
fn an_optional_field_has_no_value_when_it_is_left_out_whatever_the_form_begins_with() {
    #[derive(JsonSchema, Deserialize)]
    struct Asked {
        #[schemars(extend("default" = 5))]
        a: Option<u8>,
    }
    assert_eq!(field::<Asked>("a")["default"], 5);
    assert_eq!(read::<Asked>("{}").a, None);
}

#[test]
fn a_required_field_whose_default_it_does_not_take_is_a_mistake() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Asked {
        #[schemars(extend("default" = "pink"))]
        colour: Colour,
    }
    let error = Form::of::<Asked>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a form cannot ask for the field `colour`: its default is not among the values that it takes"
    );
}

#[test]
fn null_is_never_shown_even_where_a_field_is_required() {
    #[derive(JsonSchema, Deserialize)]
    struct Asked {
        #[schemars(required)]
        a: Option<u8>,
        #[schemars(required)]
        b: Option<Priority>,
        #[schemars(extend("type" = ["integer", "null"]))]
        c: u8,
    }
    assert_eq!(shown::<Asked>()["required"], json!(["a", "b", "c"]));
    assert_eq!(field::<Asked>("c")["type"], "integer");
    assert_eq!(field::<Asked>("a")["type"], "integer");
    assert_eq!(field::<Asked>("b")["oneOf"][0]["const"], "low");
    let read = read::<Asked>(r#"{"a":1,"b":"high","c":2}"#);
    assert_eq!((read.a, read.b, read.c), (Some(1), Some(Priority::High), 2));
    assert_eq!(
        refusal(&form::<Asked>(), r#"{"a":null,"b":"low","c":null}"#),
        [
            "/a: expected integer, got null",
            "/c: expected integer, got null"
        ]
    );
}

#[test]
fn the_only_variant_of_an_enum_is_a_choice_with_its_title() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Only {
        /// The one
        One,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Untitled {
        One,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Asked {
        /// Which.
        a: Option<Only>,
        b: Option<Untitled>,
        #[schemars(extend("const" = "x"))]
        c: String,
    }
    assert_eq!(
        field::<Asked>("a"),
        json!({ "type": "string", "description": "Which.", "oneOf": [{ "const": "One", "title": "The one" }] })
    );
    assert_eq!(
        field::<Asked>("b"),
        json!({ "type": "string", "enum": ["One"] })
    );
    assert_eq!(
        field::<Asked>("c"),
        json!({ "type": "string", "enum": ["x"] })
    );
}

#[derive(JsonSchema, Deserialize)]
struct Inner {
    a: u8,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
enum WithData {
    A(u8),
    B { c: bool },
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Untagged {
    Text(String),
    Number(i32),
}

/// FEA-02
#[test]
fn a_field_that_is_no_plain_value_is_named_with_the_reason() {
    #[track_caller]
    fn refused<T: JsonSchema>(reason: &str) {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only its schema is of interest")]
        struct Asked<T> {
            fine: bool,
            bad: T,
        }
        for error in [
            Form::of::<Asked<T>>().unwrap_err(),
            Form::of::<Asked<Option<T>>>().unwrap_err(),
        ] {
            let FormError::Field {
                field,
                reason: said,
            } = &error
            else {
                panic!("{error}");
            };
            assert_eq!(field, "bad");
            assert!(said.contains(reason), "{said}");
        }
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Node {
        next: Option<Box<Self>>,
    }
    refused::<Inner>("a form is flat");
    refused::<HashMap<String, String>>("a form is flat");
    refused::<Node>("a form is flat");
    refused::<Vec<String>>("lists of enums");
    refused::<Vec<Inner>>("lists of enums");
    refused::<Vec<Vec<Colour>>>("lists of enums");
    refused::<(Colour, Colour)>("lists of enums");
    refused::<WithData>("one of several kinds");
    refused::<Untagged>("one of several kinds");
    refused::<Value>("of any kind");
    refused::<()>("no value");
}

#[test]
fn a_number_to_be_chosen_from_a_list_is_refused() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Asked {
        #[schemars(extend("enum" = [1, 2]))]
        bad: u8,
    }
    assert_eq!(
        Form::of::<Asked>().unwrap_err(),
        FormError::field("bad", "only strings can be chosen from a list")
    );
}

#[test]
fn a_type_that_is_no_struct_with_known_fields_is_refused() {
    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Tagged {
        A { a: u8 },
        B { b: u8 },
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Open {
        a: u8,
        #[serde(flatten)]
        rest: HashMap<String, u8>,
    }
    for (error, found) in [
        (Form::of::<String>().unwrap_err(), "strings"),
        (
            Form::of::<Option<Inner>>().unwrap_err(),
            "an optional value",
        ),
        (Form::of::<Vec<Colour>>().unwrap_err(), "arrays"),
        (Form::of::<Colour>().unwrap_err(), "strings"),
        (Form::of::<Tagged>().unwrap_err(), "an enum"),
        (Form::of::<Open>().unwrap_err(), "members of any name"),
        (
            Form::of::<BTreeMap<String, u8>>().unwrap_err(),
            "members of any name",
        ),
        (
            Form::of::<BTreeMap<u8, u8>>().unwrap_err(),
            "members of any name",
        ),
        (Form::of::<WithData>().unwrap_err(), "an enum without a tag"),
    ] {
        assert_eq!(
            error,
            FormError::NotAStruct {
                found: found.to_owned()
            }
        );
        assert!(error.to_string().contains("struct with named fields"));
    }
}

#[test]
fn a_flattened_struct_is_asked_for_with_the_others() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only that it decodes is of interest")]
    struct Outer {
        before: bool,
        #[serde(flatten)]
        inner: Inner,
    }
    assert_eq!(shown::<Outer>()["required"], json!(["before", "a"]));
    assert_eq!(read::<Outer>(r#"{"before":true,"a":"7"}"#).inner.a, 7);
}

#[test]
fn the_unit_type_asks_for_consent_alone() {
    #[derive(JsonSchema, Deserialize)]
    struct Consent;
    let empty = r#"{"type":"object","properties":{}}"#;
    for version in [ProtocolVersion::V2025_06_18, ProtocolVersion::LATEST] {
        assert_eq!(form::<()>().json(version).unwrap().get(), empty);
    }
    read::<()>("{}");
    let Consent = read(r#"{"unasked":1}"#);
}
