use super::*;

#[test]
fn a_form_by_hand_is_shown_as_it_is_but_for_its_dialect() {
    let schema = FormSchema::default()
        .with_schema("https://json-schema.org/draft/2020-12/schema")
        .with_field(
            "name",
            PrimitiveSchema::string()
                .with_title("Name")
                .with_min_length(1),
        )
        .with_field("sure", PrimitiveSchema::boolean().with_default(true))
        .with_required(["name".to_owned()]);
    let json = Form::from_schema(&schema)
        .unwrap()
        .json(ProtocolVersion::LATEST)
        .unwrap();
    assert_eq!(
        json.get(),
        r#"{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1},"sure":{"type":"boolean","default":true}},"required":["name"]}"#
    );
}

#[test]
fn a_form_by_hand_enforces_what_it_shows() {
    let options = [("a", "The first"), ("b", "The second")];
    let options = options.map(|(value, title)| crate::protocol::TitledOption::new(value, title));
    let schema = FormSchema::default()
        .with_field("text", PrimitiveSchema::string().with_max_length(2))
        .with_field(
            "mail",
            PrimitiveSchema::string().with_format(crate::protocol::StringFormat::Email),
        )
        .with_field("count", PrimitiveSchema::integer().with_maximum(3))
        .with_field("one", PrimitiveSchema::choice(["x", "y"]))
        .with_field("titled", PrimitiveSchema::titled_choice(options.clone()))
        .with_field(
            "some",
            PrimitiveSchema::choices(["x", "y"]).with_max_items(1),
        )
        .with_field("titles", PrimitiveSchema::titled_choices(options))
        .with_required(["count".to_owned()]);
    let form = Form::from_schema(&schema).unwrap();
    let fine = r#"{"text":"ab","mail":"a@b.example","count":"3","one":"x","titled":"b","some":["y"],"titles":["a","b"]}"#;
    let read: Value = form.read(fine).unwrap();
    assert_eq!(read["count"], 3);
    assert_eq!(read["titles"], json!(["a", "b"]));
    let wrong = r#"{"text":"abc","mail":"a","count":4,"one":"z","titled":"The first","some":["x","y"],"titles":["a",1]}"#;
    assert_eq!(
        refusal(&form, wrong),
        [
            r#"/text: expected string of at most 2 characters, got string "abc""#,
            r#"/mail: expected string that is an email address, got string "a""#,
            "/count: expected integer at most 3, got 4",
            r#"/one: expected one of "x" or "y", got string "z""#,
            r#"/titled: expected one of "a" or "b", got string "The first""#,
            "/some: expected array of at most 1 item, got array of 2 items",
            r#"/titles/1: expected one of "a" or "b", got 1"#,
        ]
    );
    assert_eq!(refusal(&form, "{}"), ["/count: missing, expected integer"]);
}

#[test]
fn what_a_form_by_hand_leaves_out_has_its_default() {
    let schema = FormSchema::default()
        .with_field("age", PrimitiveSchema::integer().with_default(30))
        .with_field("name", PrimitiveSchema::string().with_default("x"))
        .with_required(["age".to_owned()]);
    let form = Form::from_schema(&schema).unwrap();
    let read: Value = form.read(r#"{"unasked":1}"#).unwrap();
    assert_eq!(read, json!({ "age": 30, "name": "x" }));
    let read: Value = form.read(r#"{"name":"","age":""}"#).unwrap();
    assert_eq!(read, json!({ "age": 30, "name": "" }));
}

#[test]
fn a_form_that_contradicts_itself_is_refused() {
    let parse = |json: Value| serde_json::from_value::<PrimitiveSchema>(json).unwrap();
    for (field, reason) in [
        (
            json!({ "type": "string", "minLength": 2, "maxLength": 1 }),
            "least",
        ),
        (
            json!({ "type": "integer", "minimum": 2, "maximum": 1.5 }),
            "least",
        ),
        (
            json!({ "type": "array", "items": { "type": "string", "enum": ["x"] }, "minItems": 2, "maxItems": 1 }),
            "least",
        ),
        (json!({ "type": "string", "enum": [] }), "nothing to choose"),
        (json!({ "type": "string", "enum": ["x", "x"] }), "twice"),
        (
            json!({ "type": "string", "oneOf": [] }),
            "nothing to choose",
        ),
        (
            json!({ "type": "array", "items": { "anyOf": [] } }),
            "nothing to choose",
        ),
        (
            json!({ "type": "string", "enum": ["x"], "enumNames": ["X", "Y"] }),
            "as many names",
        ),
        (json!({ "type": "string", "format": "uuid" }), "format"),
        (json!({ "type": "object" }), "kind"),
        (
            json!({ "type": "string", "maxLength": 1, "default": "ab" }),
            "default",
        ),
        (json!({ "type": "integer", "default": 1.5 }), "default"),
        (
            json!({ "type": "string", "enum": ["x"], "default": "y" }),
            "default",
        ),
    ] {
        let error = Form::from_schema(&one(parse(field.clone()))).unwrap_err();
        let FormError::Field {
            field: name,
            reason: said,
        } = &error
        else {
            panic!("{field} gives {error}");
        };
        assert_eq!(name, "a");
        assert!(said.contains(reason), "{field} gives {error}");
    }
}

#[test]
fn names_are_unique_and_what_is_required_is_there() {
    let twice = one(PrimitiveSchema::string()).with_field("a", PrimitiveSchema::boolean());
    assert_eq!(
        Form::from_schema(&twice).unwrap_err(),
        FormError::field("a", "there are two fields of this name")
    );
    let missing = one(PrimitiveSchema::string()).with_required(["b".to_owned()]);
    assert_eq!(
        Form::from_schema(&missing).unwrap_err(),
        FormError::field("b", "it is required and not there")
    );
}
