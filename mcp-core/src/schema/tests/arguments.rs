use std::collections::HashMap;

use super::*;

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Add {
    a: i64,
    b: i64,
}

#[test]
fn every_problem_is_named_in_one_report() {
    let report = decode::<Add>(r#"{"a":"x"}"#).unwrap_err();
    assert_eq!(
        report,
        "Invalid arguments for this tool:\n- /a: expected integer, got string \"x\"\n- /b: missing, expected integer"
    );
}

#[test]
fn good_arguments_are_decoded() {
    assert_eq!(decode(r#" {"b":2,"a":1} "#), Ok(Add { a: 1, b: 2 }));
}

#[test]
fn arguments_must_be_an_object() {
    for (arguments, got) in [
        (r#""{}""#, r#"string "{}""#),
        ("[]", "array of 0 items"),
        ("[1,2]", "array of 2 items"),
        ("7", "7"),
    ] {
        assert_eq!(
            violations::<Add>(arguments),
            [format!("arguments must be an object, got {got}")]
        );
        assert!(decode::<()>(arguments).is_err());
    }
}

#[test]
fn null_arguments_are_no_arguments() {
    #[derive(JsonSchema, Deserialize)]
    struct Unit;
    assert!(decode::<()>("null").is_ok());
    assert!(decode::<()>("{}").is_ok());
    assert!(decode::<Unit>("{}").is_ok());
    assert_eq!(violations::<()>(r#"{"a":1}"#), ["/a: unknown argument"]);
    assert_eq!(violations::<Add>("null").len(), 2);
}

#[test]
fn integers_of_64_bits_arrive_exactly() {
    #[derive(JsonSchema, Deserialize)]
    struct Signed {
        id: i64,
    }
    #[derive(JsonSchema, Deserialize)]
    struct Unsigned {
        id: u64,
    }
    for id in [9_007_199_254_740_993, i64::MAX, i64::MIN] {
        let decoded: Signed = decode(&format!("{{\"id\":{id}}}")).unwrap();
        assert_eq!(decoded.id, id);
        let mended: Signed = decode(&format!("{{\"id\":\"{id}\"}}")).unwrap();
        assert_eq!(mended.id, id);
    }
    let decoded: Unsigned = decode(r#"{"id":18446744073709551615}"#).unwrap();
    assert_eq!(decoded.id, u64::MAX);
    assert_eq!(
        violations::<Unsigned>(r#"{"id":18446744073709551616}"#),
        ["/id: expected integer from 0 to 18446744073709551615, got 18446744073709551616"]
    );
    assert_eq!(violations::<Signed>(r#"{"id":1e19}"#).len(), 1);
}

#[test]
fn numbers_outside_of_their_type_name_the_bound() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "never decoded")]
    struct Small {
        n: u32,
        b: u8,
        i: i16,
    }
    assert_eq!(
        violations::<Small>(r#"{"n":4294967296,"b":256,"i":-32769}"#),
        [
            "/n: expected integer from 0 to 4294967295, got 4294967296",
            "/b: expected integer from 0 to 255, got 256",
            "/i: expected integer from -32768 to 32767, got -32769",
        ]
    );
    assert_eq!(
        violations::<Small>(r#"{"n":1.5,"b":-1,"i":0}"#),
        [
            "/n: expected integer, got 1.5",
            "/b: expected integer from 0 to 255, got -1",
        ]
    );
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Optional {
    a: Option<u32>,
    #[schemars(length(min = 2))]
    b: Option<String>,
}

#[test]
fn null_of_an_optional_argument_is_absent() {
    for strict in [false, true] {
        let policy = ArgumentPolicy {
            strict,
            open: false,
        };
        let schema = InputSchema::of::<Optional>(SchemaProfile::Portable, policy).unwrap();
        let none = Optional { a: None, b: None };
        assert_eq!(decode_by(&schema, "{}"), Ok(none));
        let three = Optional {
            a: Some(3),
            b: None,
        };
        assert_eq!(decode_by(&schema, r#"{"a":3,"b":null}"#), Ok(three));
    }
}

#[test]
fn null_of_an_argument_with_a_default_is_absent_unless_strict() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct WithDefault {
        #[serde(default)]
        n: i32,
    }
    assert_eq!(decode(r#"{"n":null}"#), Ok(WithDefault { n: 0 }));
    let strict = ArgumentPolicy {
        strict: true,
        open: false,
    };
    let schema = InputSchema::of::<WithDefault>(SchemaProfile::Portable, strict).unwrap();
    assert_eq!(
        violations_by::<WithDefault>(&schema, r#"{"n":null}"#),
        ["/n: expected integer, got null"]
    );
}

#[test]
fn unknown_arguments_are_refused_whether_or_not_the_type_does() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Denying {
        a: i64,
        b: i64,
    }
    let arguments = r#"{"a":1,"b":2,"zzz":3}"#;
    assert_eq!(shown::<Add>()["additionalProperties"], false);
    assert_eq!(shown::<Denying>()["additionalProperties"], false);
    assert_eq!(violations::<Add>(arguments), ["/zzz: unknown argument"]);
    assert_eq!(violations::<Denying>(arguments), ["/zzz: unknown argument"]);

    let open = ArgumentPolicy {
        open: true,
        strict: false,
    };
    let schema = InputSchema::of::<Add>(SchemaProfile::Portable, open).unwrap();
    assert!(!schema.json().contains("additionalProperties"));
    assert_eq!(decode_by(&schema, arguments), Ok(Add { a: 1, b: 2 }));
}

#[test]
fn an_unknown_argument_is_told_the_closest_name() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "never decoded")]
    struct Search {
        query: String,
        max_results: Option<u32>,
    }
    assert_eq!(
        violations::<Search>(r#"{"query":"q","maxResults":3}"#),
        ["/maxResults: unknown argument; did you mean `max_results`?"]
    );
}

#[test]
fn a_flattened_map_takes_any_argument() {
    #[derive(JsonSchema, Deserialize)]
    struct Rest {
        a: i64,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }
    let decoded: Rest = decode(r#"{"a":1,"zzz":3}"#).unwrap();
    assert_eq!((decoded.a, &decoded.rest["zzz"]), (1, &json!(3)));
    assert_ne!(shown::<Rest>()["additionalProperties"], json!(false));
}

#[test]
fn a_flattened_struct_refuses_what_neither_struct_has() {
    #[derive(JsonSchema, Deserialize)]
    struct Page {
        limit: Option<u32>,
    }
    #[derive(JsonSchema, Deserialize)]
    struct List {
        path: String,
        #[serde(flatten)]
        page: Page,
    }
    let decoded: List = decode(r#"{"path":"p","limit":3}"#).unwrap();
    assert_eq!((decoded.path.as_str(), decoded.page.limit), ("p", Some(3)));
    assert_eq!(
        violations::<List>(r#"{"path":"p","limits":3}"#),
        ["/limits: unknown argument; did you mean `limit`?"]
    );
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Aliased {
    #[serde(alias = "user")]
    user_name: String,
    n: u32,
}

#[test]
fn aliases_work() {
    let expected = Aliased {
        user_name: "x".to_owned(),
        n: 1,
    };
    assert_eq!(decode(r#"{"user":"x","n":1}"#), Ok(expected));
    let mended: Aliased = decode(r#"{"user":"x","n":"1"}"#).unwrap();
    assert_eq!(mended.n, 1);
    assert_eq!(
        violations::<Aliased>(r#"{"user":"x","n":"one"}"#),
        [r#"/n: expected integer, got string "one""#]
    );
    assert_eq!(
        violations::<Aliased>(r#"{"user":"x"}"#),
        ["/n: missing, expected integer"]
    );
    assert_eq!(
        violations::<Aliased>(r#"{"user":5,"n":1}"#),
        ["/user: expected string, got 5"]
    );
}

#[test]
fn bounds_hold_for_arguments_called_by_their_alias() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct Limited {
        #[serde(alias = "max_results", alias = "count")]
        #[schemars(range(max = 500))]
        limit: u32,
        #[serde(alias = "q")]
        query: Option<String>,
    }
    for open in [false, true] {
        let policy = ArgumentPolicy {
            open,
            strict: false,
        };
        let schema = InputSchema::of::<Limited>(SchemaProfile::Portable, policy).unwrap();
        let decoded: Limited = decode_by(&schema, r#"{"max_results":500,"q":"x"}"#).unwrap();
        assert_eq!(
            decoded,
            Limited {
                limit: 500,
                query: Some("x".to_owned())
            }
        );
        for arguments in [
            r#"{"max_results":501}"#,
            r#"{"count":501,"q":null}"#,
            r#"{"limit":501}"#,
        ] {
            assert_eq!(
                violations_by::<Limited>(&schema, arguments),
                ["/limit: expected integer from 0 to 500, got 501"],
                "{arguments}"
            );
        }
        assert_eq!(
            violations_by::<Limited>(&schema, r#"{"limit":1,"count":1}"#),
            ["/limit: given more than once"]
        );
    }
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[serde(alias = "asc")]
    Ascending,
    #[serde(alias = "desc")]
    Descending,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Sorted {
    first: Order,
    then: Option<Order>,
    more: Option<Vec<Order>>,
    #[schemars(extend("enum" = ["s", "m"]))]
    size: Option<String>,
    limit: Option<u32>,
}

#[test]
fn aliases_of_variants_work_too() {
    let decoded: Sorted = decode(
        r#"{"first":"asc","then":"desc","more":["ascending","desc","asc"],"size":"s","limit":"5"}"#,
    )
    .unwrap();
    let expected = Sorted {
        first: Order::Ascending,
        then: Some(Order::Descending),
        more: Some(vec![Order::Ascending, Order::Descending, Order::Ascending]),
        size: Some("s".to_owned()),
        limit: Some(5),
    };
    assert_eq!(decoded, expected);
    assert_eq!(
        decode::<Sorted>(r#"{"first":"asc"}"#).unwrap().first,
        Order::Ascending
    );
    assert_eq!(
        violations::<Sorted>(r#"{"first":"up"}"#),
        [r#"/first: expected one of "ascending" or "descending", got string "up""#]
    );
}

#[test]
fn an_enum_that_was_put_on_a_string_is_enforced() {
    assert_eq!(
        violations::<Sorted>(r#"{"first":"ascending","size":"xl"}"#),
        [r#"/size: expected one of "s" or "m", got string "xl""#]
    );
    assert!(
        violations::<Sorted>(r#"{"first":"asc","size":"xl"}"#)
            .contains(&r#"/size: expected one of "s" or "m", got string "xl""#.to_owned())
    );
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Numbers {
        #[schemars(extend("enum" = [1, 2]))]
        n: u8,
        #[schemars(extend("const" = true))]
        b: Option<bool>,
    }
    assert!(decode::<Numbers>(r#"{"n":2,"b":true}"#).is_ok());
    assert_eq!(
        violations::<Numbers>(r#"{"n":3,"b":false}"#),
        [
            "/n: expected one of 1 or 2, got 3",
            "/b: expected true, got false"
        ]
    );
}

#[test]
fn keywords_are_enforced() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Bounded {
        #[schemars(range(min = 1, max = 500))]
        limit: u32,
        #[schemars(length(min = 1, max = 3))]
        name: String,
        #[schemars(regex(pattern = r"^[a-z]+$"))]
        word: Option<String>,
        #[schemars(length(max = 2), inner(range(max = 9)))]
        list: Vec<u32>,
        #[schemars(extend("exclusiveMinimum" = 0.0))]
        ratio: Option<f64>,
        #[schemars(extend("multipleOf" = 5))]
        step: Option<i32>,
        #[schemars(email)]
        mail: Option<String>,
    }
    let good = r#"{"limit":500,"name":"äöü","word":"abc","list":[9,9],"ratio":0.1,"step":-5,"mail":"a@b.c"}"#;
    decode::<Bounded>(good).unwrap();
    let bad =
        r#"{"limit":0,"name":"äöüß","word":"ABC","list":[1,2,10],"ratio":0,"step":6,"mail":"x"}"#;
    assert_eq!(
        violations::<Bounded>(bad),
        [
            "/limit: expected integer from 1 to 500, got 0",
            r#"/name: expected string of 1 to 3 characters, got string "äöüß""#,
            r#"/word: expected string that matches ^[a-z]+$, got string "ABC""#,
            "/list: expected array of at most 2 items, got array of 3 items",
            "/list/2: expected integer from 0 to 9, got 10",
            "/ratio: expected number greater than 0.0, got 0",
            "/step: expected integer from -2147483648 to 2147483647 that is a multiple of 5, got 6",
            r#"/mail: expected string that is an email address, got string "x""#,
        ]
    );
}

#[test]
fn strings_with_escapes_are_checked_as_what_they_mean() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Short {
        #[schemars(length(max = 1))]
        s: String,
    }
    assert!(decode::<Short>(r#"{"s":"\ud83d\ude00"}"#).is_ok());
    assert!(decode::<Short>(r#"{"\u0073":"\n"}"#).is_ok());
    assert_eq!(violations::<Short>(r#"{"\u0073":"\n\n"}"#).len(), 1);
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Inner {
    n: i32,
    on: Option<bool>,
}

#[derive(JsonSchema, Deserialize, Debug, PartialEq)]
struct Outer {
    inner: Inner,
    list: Vec<f64>,
    inners: Option<Vec<Inner>>,
}

#[test]
fn what_leaves_no_doubt_is_mended() {
    let mended: Outer = decode(
        r#"{"inner":"{\"n\":\"5\",\"on\":\"true\"}","list":["1.5",2],"inners":[{"n":1.0,"on":null}]}"#,
    )
    .unwrap();
    let inner = |n, on| Inner { n, on };
    let expected = Outer {
        inner: inner(5, Some(true)),
        list: vec![1.5, 2.0],
        inners: Some(vec![inner(1, None)]),
    };
    assert_eq!(mended, expected);
    let mended: Outer = decode(r#"{"inner":{"n":-0},"list":"[1,2]","inners":null}"#).unwrap();
    assert_eq!(mended.list, [1.0, 2.0]);
}

#[test]
fn what_is_in_doubt_is_not_mended() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum IdOrName {
        Id(u32),
        Name(String),
    }
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct Doubtful {
        any: Value,
        text: String,
        either: IdOrName,
        flag: Option<bool>,
    }
    let decoded: Doubtful =
        decode(r#"{"any":"5","text":"[1]","either":"5","flag":"true"}"#).unwrap();
    assert_eq!(decoded.any, "5");
    assert_eq!(decoded.text, "[1]");
    assert_eq!(decoded.either, IdOrName::Name("5".to_owned()));
    assert_eq!(decoded.flag, Some(true));
    for flag in [r#""True""#, r#""yes""#, "1", r#""""#] {
        let arguments = format!(r#"{{"any":1,"text":"","either":1,"flag":{flag}}}"#);
        assert_eq!(violations::<Doubtful>(&arguments).len(), 1, "{flag}");
    }
    assert_eq!(
        violations::<Doubtful>(r#"{"any":1,"text":5,"either":1}"#),
        ["/text: expected string, got 5"]
    );
}

#[test]
fn a_string_stays_where_a_string_is_allowed() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct Either {
        #[schemars(extend("type" = ["string", "integer", "array"]))]
        either: Value,
        n: u32,
    }
    for either in ["5", "[1]", "true"] {
        let arguments = json!({ "either": either, "n": "5" }).to_string();
        let decoded: Either = decode(&arguments).unwrap();
        assert_eq!(
            decoded,
            Either {
                either: json!(either),
                n: 5
            }
        );
    }
}

#[test]
fn inside_of_unions_serde_has_its_way() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    enum Shape {
        Circle {
            #[serde(alias = "r")]
            radius: u32,
        },
        Dot,
    }
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct Draw {
        shape: Shape,
    }
    let circle = Draw {
        shape: Shape::Circle { radius: 1 },
    };
    assert_eq!(decode(r#"{"shape":{"Circle":{"r":1}}}"#), Ok(circle));
    assert_eq!(decode(r#"{"shape":"Dot"}"#), Ok(Draw { shape: Shape::Dot }));
}

#[test]
fn strict_mends_nothing() {
    let strict = ArgumentPolicy {
        strict: true,
        open: false,
    };
    let schema = InputSchema::of::<Outer>(SchemaProfile::Portable, strict).unwrap();
    assert_eq!(
        violations_by::<Outer>(&schema, r#"{"inner":{"n":"5"},"list":"[]"}"#),
        [
            r#"/inner/n: expected integer, got string "5""#,
            r#"/list: expected array, got string "[]""#
        ]
    );
    assert_eq!(
        violations_by::<Outer>(&schema, r#"{"inner":{"n":1.0},"list":[]}"#),
        ["/inner/n: expected integer, got 1.0"]
    );
}

#[test]
fn the_mended_text_can_be_borrowed_from() {
    #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
    struct Borrowing<'a> {
        name: &'a str,
        n: u32,
    }
    let schema = input::<Borrowing<'_>>();
    let mended = OnceLock::new();
    let decoded: Borrowing<'_> = schema.decode(r#"{"name":"x","n":"5"}"#, &mended).unwrap();
    assert_eq!(decoded, Borrowing { name: "x", n: 5 });
    assert_eq!(mended.get().unwrap(), r#"{"name":"x","n":5}"#);
    let untouched = OnceLock::new();
    let decoded: Borrowing<'_> = schema.decode(r#"{"name":"x","n":5}"#, &untouched).unwrap();
    assert_eq!(decoded.name, "x");
    assert!(untouched.get().is_none());
}

#[test]
fn repeated_arguments_are_violations() {
    assert_eq!(
        violations::<Add>(r#"{"a":1,"b":2,"a":3}"#),
        ["/a: given more than once"]
    );
}

#[test]
fn lone_surrogates_are_violations() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Text {
        s: String,
    }
    for escape in [r"\ud800", r"\udc00", r"\ud800\u0041"] {
        let arguments = format!(r#"{{"s":"{escape}"}}"#);
        assert_eq!(
            violations::<Text>(&arguments),
            ["/s: invalid unicode escape"]
        );
    }
}

#[test]
fn a_struct_is_an_object_and_an_enum_a_string() {
    #[derive(JsonSchema, Deserialize, Debug)]
    enum Mode {
        Fast,
    }
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Nested {
        inner: Option<Inner>,
        mode: Option<Mode>,
    }
    assert_eq!(
        violations::<Nested>(r#"{"inner":[1,true],"mode":{"Fast":null}}"#),
        [
            "/inner: expected object, got array of 2 items",
            r#"/mode: expected "Fast", got object"#
        ]
    );
}

#[test]
fn nested_structs_follow_their_own_derive() {
    let decoded: Outer = decode(r#"{"inner":{"n":1,"extra":2},"list":[]}"#).unwrap();
    assert_eq!(decoded.inner.n, 1);
}

#[test]
fn what_a_type_refuses_by_its_own_code_is_reported_with_its_place() {
    fn even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let n = u32::deserialize(deserializer)?;
        if n % 2 == 0 {
            Ok(n)
        } else {
            Err(serde::de::Error::custom("must be even"))
        }
    }
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct Custom {
        a: u32,
        #[serde(deserialize_with = "even")]
        #[schemars(with = "u32")]
        n: u32,
        z: u32,
    }
    assert_eq!(
        violations::<Custom>(r#"{"a":1,"n":3,"z":1}"#),
        ["/n: must be even"]
    );
}

#[test]
fn names_of_rust_types_do_not_leak() {
    #[derive(JsonSchema, Deserialize, Debug)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only read by the derive")]
    enum SecretUnion {
        Number(i32),
        Pair { left: i32, right: i32 },
    }
    #[derive(JsonSchema, Deserialize, Debug)]
    #[expect(dead_code, reason = "only read by the derive")]
    struct SecretOuter {
        union: SecretUnion,
        inner: Inner,
    }
    for arguments in [
        r#"{"union":"x","inner":7}"#,
        r#"{"union":{"left":1},"inner":{"n":1}}"#,
        r#"{"union":99999999999,"inner":{"n":1}}"#,
        r#"{"union":1,"inner":[1]}"#,
        "{}",
    ] {
        let report = decode::<SecretOuter>(arguments).unwrap_err();
        for leak in [
            "Secret", "Inner", "struct", "enum", "variant", "i32", "line",
        ] {
            assert!(!report.contains(leak), "{report}");
        }
    }
    assert_eq!(
        violations::<SecretOuter>(r#"{"union":{"left":1},"inner":{"n":1}}"#),
        ["/union/right: missing, expected integer"]
    );
}

#[test]
fn deep_and_broken_arguments_are_refused_without_a_crash() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(
        violations::<Add>(&deep),
        ["the arguments are nested too deeply"]
    );
    for broken in ["{", "{\"a\":", "{\"a\":1,}", "{\"a\" 1}", "", "{\"a\":1}x"] {
        assert_eq!(
            violations::<Add>(broken),
            ["the arguments are not valid JSON"]
        );
    }
}

#[test]
fn errors_are_data_for_programs_too() {
    let errors = input::<Add>()
        .decode::<Add>(r#"{"a":"x","b":1}"#, &OnceLock::new())
        .unwrap_err();
    assert_eq!(
        serde_json::to_value(&errors).unwrap(),
        json!({ "errors": [{
            "pointer": "/a",
            "message": "expected integer, got string \"x\"",
            "expected": "integer",
            "got": "string \"x\"",
        }] })
    );
}
