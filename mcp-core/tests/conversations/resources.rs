//! Resources and families of them: listed, found by their URI, and read.

use mcp_core::protocol::{Annotations, ProtocolVersion, ResourceContents, Role};
use mcp_core::{
    BuildError, CacheScope, Icon, Invocation, Json, Reply, ResourceDefinition, Server, Step, data,
};
use serde_json::{Value, json};

use crate::talk::{Talk, error, modern, modern_result, request, result};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
const LEGACY: [ProtocolVersion; 4] = [
    ProtocolVersion::V2024_11_05,
    ProtocolVersion::V2025_03_26,
    ProtocolVersion::V2025_06_18,
    ProtocolVersion::V2025_11_25,
];
/// What `ttlMs` and `cacheScope` are by default.
const UNCACHED: &str = r#""ttlMs":0,"cacheScope":"private""#;

/// The variables of a template.
#[data]
struct Id {
    id: String,
}

/// A number in a URI.
#[data]
struct Number {
    n: u32,
}

/// What a query may hold.
#[data]
struct Query {
    q: Option<String>,
}

/// A resource whose contents are its template, and the values of its variables as they came.
fn echo(uri: &'static str) -> ResourceDefinition {
    ResourceDefinition::new(uri, "echo", move |call: Invocation| {
        let text = format!("{uri} {}", call.raw_arguments());
        Step::Done(call.contents(text))
    })
}

fn server() -> Server {
    let blob = ResourceDefinition::new("x://blob", "blob", |call: Invocation| {
        Step::Done(call.contents(vec![0_u8, 255]))
    });
    let typed = ResourceDefinition::new("n://{n}", "number", |call: Invocation| {
        Step::now(&call, |call| {
            let number: Number = call.arguments()?;
            Ok(call.contents((number.n > 0).then(|| Json(number.n * 2))))
        })
    })
    .with_variables::<Number>();
    let note = ResourceDefinition::new("notes://{id}", "note", |call: Invocation| {
        Step::now(&call, |call| {
            let id: Id = call.arguments()?;
            Ok(call.contents(id.id))
        })
    })
    .with_variables::<Id>()
    .with_mime_type("text/markdown");
    Server::new("s", "1")
        .raw_resource(echo("x://a").with_mime_type("text/x-a"))
        .raw_resource(blob)
        .raw_resource(typed)
        .raw_resource(note)
}

fn read(uri: &str) -> String {
    format!(r#""uri":{}"#, Value::from(uri))
}

/// The text that a read gave.
fn text_of(talk: &mut Talk) -> String {
    let result = talk.result();
    result["contents"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_resource_is_read_as_each_revision_has_it() {
    let contents = r#""contents":[{"uri":"x://a","text":"x://a {}","mimeType":"text/x-a"}]"#;
    for version in LEGACY {
        let mut talk = Talk::session(server(), version);
        talk.say(request(1, "resources/read", &read("x://a")))
            .hears(&[result(1, contents)]);
    }
    let mut talk = Talk::new(server());
    talk.say(modern(1, "resources/read", &read("x://a")))
        .hears(&[modern_result(1, &format!("{contents},{UNCACHED}"))]);
}

/// S61, S65
#[test]
fn bytes_are_sent_in_base64() {
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "resources/read", &read("x://blob")))
        .hears(&[result(
            1,
            r#""contents":[{"uri":"x://blob","blob":"AP8=","mimeType":"application/octet-stream"}]"#,
        )]);
}

/// S60, RSC-05
#[test]
fn a_resource_that_is_not_there_is_an_error_of_its_revision() {
    let empty = ResourceDefinition::new("x://empty", "empty", |_: Invocation| {
        Step::Done(Reply::from_contents(Vec::new()))
    });
    let missing = |id: u32, code: i64, uri: &str| {
        let data = json!({ "uri": uri });
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"resource not found","data":{data}}}}}"#
        )
    };
    // Nothing there, a value that does not fit, a handler that finds nothing, and one that gives nothing.
    for uri in ["x://b", "n://many", "n://0", "x://empty"] {
        let server = || server().raw_resource(empty.clone());
        for version in LEGACY {
            Talk::session(server(), version)
                .say(request(1, "resources/read", &read(uri)))
                .hears(&[missing(1, -32002, uri)]);
        }
        Talk::new(server())
            .say(modern(1, "resources/read", &read(uri)))
            .hears(&[missing(1, -32602, uri)]);
    }
}

/// S60
#[test]
fn what_a_resource_fails_with_is_an_internal_error() {
    let failing = ResourceDefinition::new("x://f", "f", |call: Invocation| {
        let failed: Result<String, &str> = Err("the disk is on fire");
        Step::Done(call.contents(failed))
    });
    let panicking = ResourceDefinition::new("x://p", "p", |_: Invocation| {
        panic!("the password is hunter2")
    });
    let confused = ResourceDefinition::new("x://c", "c", |_: Invocation| {
        Step::Done(Reply::text("as a tool would"))
    });
    let server = (server().raw_resource(failing))
        .raw_resource(panicking)
        .raw_resource(confused);
    let mut talk = Talk::new(server);
    for (uri, why) in [
        ("x://f", "the disk is on fire"),
        ("x://p", "the resource failed"),
        ("x://c", "the resource failed"),
    ] {
        talk.say(modern(1, "resources/read", &read(uri)))
            .hears(&[error(1, -32603, why)]);
    }
}

#[test]
fn a_value_in_a_uri_is_read_as_what_the_handler_wants() {
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "resources/read", &read("n://21")))
        .hears(&[result(
            1,
            r#""contents":[{"uri":"n://21","text":"42","mimeType":"application/json"}]"#,
        )]);
}

/// RSC-02
#[test]
fn a_resource_of_its_own_goes_before_a_family_and_the_narrower_family_before_the_wider() {
    let server = Server::new("s", "1")
        .raw_resource(echo("db://get/{type}{?where}"))
        .raw_resource(echo("db://schemas/{t}"))
        .raw_resource(echo("db://schemas/all"))
        .raw_resource(echo("db://{+rest}"));
    let mut talk = Talk::session(server, V2025_11);
    for (uri, leads_to) in [
        ("db://get/x", r#"db://get/{type}{?where} {"type":"x"}"#),
        (
            "db://get/x?where=y",
            r#"db://get/{type}{?where} {"type":"x","where":"y"}"#,
        ),
        ("db://schemas/all", "db://schemas/all {}"),
        ("db://schemas/other", r#"db://schemas/{t} {"t":"other"}"#),
        ("db://a/b/c", r#"db://{+rest} {"rest":"a/b/c"}"#),
    ] {
        talk.say(request(1, "resources/read", &read(uri)));
        assert_eq!(text_of(&mut talk), leads_to);
    }
}

/// RSC-03
#[test]
fn literals_of_templates_match_literally_and_bad_ones_are_refused() {
    let server = Server::new("s", "1")
        .raw_resource(echo("file://n/search?q={q}"))
        .raw_resource(echo("v1.0:{x}(draft)+[a]"));
    let mut talk = Talk::session(server, V2025_11);
    for uri in ["file://n/search?q=a", "v1.0:1(draft)+[a]"] {
        talk.say(request(1, "resources/read", &read(uri)));
        assert!(text_of(&mut talk).contains('{'));
    }
    for uri in ["file://n/searchXq=a", "v1X0:1(draft)+[a]", "v1.0:1draft+a"] {
        talk.say(request(1, "resources/read", &read(uri)));
        assert!(talk.heard()[0].contains("-32002"), "{uri}");
    }
    for uri in [
        "x://{",
        "x://}",
        "x://{}",
        "x://{a*}",
        "no scheme",
        "",
        "{x}",
        "x://a b",
        "x://%zz",
        "1x://a",
    ] {
        let built = Server::new("s", "1").raw_resource(echo(uri)).build();
        assert!(matches!(built, Err(BuildError::Uri { .. })), "{uri}");
    }
}

/// RSC-04, S61
#[test]
fn escapes_in_uris_are_decoded_once_and_never_split_a_segment() {
    let server = Server::new("s", "1")
        .raw_resource(echo("file:///docs/café/{name}"))
        .raw_resource(echo("tree://{+path}"));
    let mut talk = Talk::session(server, V2025_11);
    for (uri, values) in [
        ("file:///docs/caf%C3%A9/x", r#"{"name":"x"}"#),
        ("file:///docs/café/x", r#"{"name":"x"}"#),
        ("file:///docs/café/a%2Fb", r#"{"name":"a/b"}"#),
        ("file:///docs/café/%2e%2e%2fetc", r#"{"name":"../etc"}"#),
        ("tree://a/b/c", r#"{"path":"a/b/c"}"#),
    ] {
        talk.say(request(1, "resources/read", &read(uri)));
        let text = text_of(&mut talk);
        assert_eq!(text.split_once(' ').unwrap().1, values, "{uri}");
    }
    talk.say(request(1, "resources/read", &read("file:///docs/café/a/b")));
    assert!(talk.heard()[0].contains("-32002"));
    for uri in ["file:///docs/café/%zz", "a b", "x://{id}"] {
        for line in [
            request(1, "resources/read", &read(uri)),
            modern(1, "resources/read", &read(uri)),
        ] {
            talk.say(line).hears(&[error(1, -32602, "`uri` is no URI")]);
        }
    }
}

/// S60
#[test]
fn what_is_no_text_is_in_no_variable_so_there_is_no_such_resource() {
    let server = || Server::new("s", "1").raw_resource(echo("file:///docs/{name}"));
    for uri in [
        "file:///docs/%FF",
        "file:///docs/a%c3",
        "file:///docs/%ed%a0%80",
        "y:%ff",
    ] {
        let missing = |code: i64| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"resource not found","data":{{"uri":"{uri}"}}}}}}"#
            )
        };
        Talk::session(server(), V2025_11)
            .say(request(1, "resources/read", &read(uri)))
            .hears(&[missing(-32002)]);
        Talk::new(server())
            .say(modern(1, "resources/read", &read(uri)))
            .hears(&[missing(-32602)]);
    }
}

#[test]
fn the_case_of_scheme_and_host_does_not_count_and_all_other_does() {
    let server = Server::new("s", "1")
        .raw_resource(echo("Docs://Handbook/Start"))
        .raw_resource(echo("docs://handbook/p/{Page}"))
        .raw_resource(echo("greet://{name}"));
    let mut talk = Talk::session(server, V2025_11);
    for (uri, values) in [
        ("Docs://Handbook/Start", "{}"),
        ("docs://handbook/Start", "{}"),
        ("DOCS://HANDBOOK/%53tart", "{}"),
        ("DOCS://handBook/p/One", r#"{"Page":"One"}"#),
        ("Greet://Ann", r#"{"name":"Ann"}"#),
    ] {
        talk.say(request(1, "resources/read", &read(uri)));
        let text = text_of(&mut talk);
        assert_eq!(text.split_once(' ').unwrap().1, values, "{uri}");
    }
    for uri in [
        "docs://handbook/start",
        "docs://handbook/P/One",
        "docs://Ann@handbook/Start",
    ] {
        talk.say(request(1, "resources/read", &read(uri)));
        assert!(talk.heard()[0].contains("-32002"), "{uri}");
    }
}

#[test]
fn of_two_resources_whose_hosts_differ_in_case_each_is_itself() {
    let text = |uri: &'static str| {
        ResourceDefinition::new(uri, "r", move |call: Invocation| {
            Step::Done(call.contents(uri))
        })
    };
    let server = Server::new("s", "1")
        .raw_resource(text("x://README"))
        .raw_resource(text("x://readme"));
    let mut talk = Talk::session(server, V2025_11);
    for (asked, found) in [
        ("x://README", "x://README"),
        ("x://readme", "x://readme"),
        ("X://ReadMe", "x://README"),
    ] {
        talk.say(request(1, "resources/read", &read(asked)));
        assert_eq!(text_of(&mut talk), found);
    }
}

#[test]
fn a_uri_that_is_missing_or_no_string_or_too_long_is_refused() {
    let mut talk = Talk::new(server());
    let long = format!(r#""uri":"x://{}""#, "a".repeat(9000));
    for (members, why) in [
        (r#""x":1"#, "`uri` is missing"),
        (r#""uri":1"#, "`uri` must be a string"),
        (&*long, "`uri` is too long"),
    ] {
        talk.say(modern(1, "resources/read", members))
            .hears(&[error(1, -32602, why)]);
    }
}

/// S40, S42
#[test]
fn lists_say_all_that_the_revision_knows_of_a_resource() {
    let annotations = Annotations::default()
        .with_audience([Role::User])
        .with_priority(0.5)
        .with_last_modified("2026-01-01T00:00:00Z");
    let all = |definition: ResourceDefinition| {
        definition
            .with_title("A")
            .with_description("The first.")
            .with_mime_type("text/plain")
            .with_annotations(annotations.clone())
            .with_size(3)
            .with_icon(Icon::new("https://example.org/a.png"))
            .with_meta([("org.example/x", json!(1))].into_iter().collect())
    };
    let server = || {
        Server::new("s", "1")
            .raw_resource(all(echo("x://a")))
            .raw_resource(all(echo("x://{id}")))
    };
    let common = r#""name":"echo","#;
    let old = r#""description":"The first.","mimeType":"text/plain","annotations":{"audience":["user"],"priority":0.5}"#;
    let newer = r#""title":"A","description":"The first.","mimeType":"text/plain","annotations":{"audience":["user"],"priority":0.5,"lastModified":"2026-01-01T00:00:00Z"}"#;
    let icons = r#","icons":[{"src":"https://example.org/a.png"}]"#;
    let meta = r#","_meta":{"org.example/x":1}"#;
    for version in LEGACY {
        let mut talk = Talk::session(server(), version);
        let (described, extras) = match version {
            ProtocolVersion::V2025_11_25 => (newer, format!("{icons}{meta}")),
            ProtocolVersion::V2025_06_18 => (newer, meta.to_owned()),
            _ => (old, String::new()),
        };
        talk.say(request(1, "resources/list", "")).hears(&[result(
            1,
            &format!(r#""resources":[{{"uri":"x://a",{common}{described},"size":3{extras}}}]"#),
        )]);
        talk.say(request(2, "resources/templates/list", ""))
            .hears(&[result(
                2,
                &format!(
                    r#""resourceTemplates":[{{"uriTemplate":"x://{{id}}",{common}{described}{extras}}}]"#
                ),
            )]);
    }
    let mut talk = Talk::new(server());
    let list = format!(
        r#""resources":[{{"uri":"x://a",{common}{newer},"size":3{icons}{meta}}}],{UNCACHED}"#
    );
    talk.say(modern(1, "resources/list", ""))
        .hears(&[modern_result(1, &list)]);
}

/// S45, S46, S47
#[test]
fn lists_and_reads_say_how_long_they_may_be_kept() {
    let server = server().cache(std::time::Duration::from_secs(60), CacheScope::Public);
    let mut talk = Talk::new(server.page_size(1));
    for (method, members) in [
        ("resources/list", String::new()),
        ("resources/templates/list", String::new()),
        ("resources/read", read("x://a")),
    ] {
        let result = talk.say(modern(1, method, &members)).result();
        assert_eq!(
            (&result["ttlMs"], &result["cacheScope"]),
            (&json!(60_000), &json!("public"))
        );
    }
    let mut cursor = String::new();
    for _ in 0..2 {
        let page = talk.say(modern(1, "resources/list", &cursor)).result();
        assert_eq!(page["cacheScope"], "public");
        cursor = format!(r#""cursor":{}"#, page["nextCursor"]);
    }
}

/// S49, RSC-08
#[test]
fn a_cursor_is_good_for_its_own_list_only() {
    let server = || server().page_size(1);
    let mut talk = Talk::new(server());
    let first = talk.say(modern(1, "resources/list", "")).result();
    let cursor = first["nextCursor"].as_str().unwrap().to_owned();
    let last = talk
        .say(modern(
            2,
            "resources/list",
            &format!(r#""cursor":"{cursor}""#),
        ))
        .result();
    assert_eq!(last["resources"][0]["uri"], "x://blob");
    assert!(last.get("nextCursor").is_none(), "{last}");
    for (list, cursor) in [
        ("resources/templates/list", cursor.as_str()),
        ("resources/list", "garbage"),
        ("resources/list", ""),
        ("resources/list", "r1"),
    ] {
        talk.say(modern(3, list, &format!(r#""cursor":"{cursor}""#)))
            .hears(&[error(3, -32602, "no such cursor")]);
    }
}

#[test]
fn ten_thousand_resources_are_listed_page_by_page() {
    let mut server = Server::new("s", "1").page_size(1000);
    for n in 0..10_000 {
        let resource = ResourceDefinition::new(format!("x://{n}"), "n", |call: Invocation| {
            Step::Done(call.contents("n"))
        });
        server = server.raw_resource(resource);
    }
    let mut talk = Talk::new(server);
    let (mut cursor, mut seen, mut pages) = (String::new(), 0, 0);
    loop {
        let page = talk.say(modern(1, "resources/list", &cursor)).result();
        for resource in page["resources"].as_array().unwrap() {
            assert_eq!(resource["uri"], format!("x://{seen}"));
            seen += 1;
        }
        pages += 1;
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!(r#""cursor":"{next}""#),
            None => break,
        }
    }
    assert_eq!((seen, pages), (10_000, 10));
    talk.say(modern(2, "resources/read", &read("x://9999")));
    assert_eq!(text_of(&mut talk), "n");
}

#[test]
fn two_resources_at_one_place_are_a_mistake() {
    for uri in ["x://a", "x://{id}"] {
        let server = Server::new("s", "1")
            .raw_resource(echo(uri))
            .raw_resource(echo(uri));
        assert_eq!(
            server.build().unwrap_err(),
            BuildError::TwiceAt(uri.to_owned())
        );
    }
}

/// S40, S42
#[test]
fn a_server_without_resources_has_none_of_their_methods() {
    let mut talk = Talk::new(Server::new("s", "1"));
    let result = talk.say(modern(1, "server/discover", "")).result();
    assert!(result["capabilities"].get("resources").is_none());
    for method in [
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ] {
        talk.say(modern(1, method, &read("x://a")))
            .hears(&[error(1, -32601, "no such method")]);
    }
    let mut talk = Talk::new(Server::new("s", "1").expect_resources());
    talk.say(modern(1, "resources/list", ""))
        .hears(&[modern_result(1, &format!(r#""resources":[],{UNCACHED}"#))]);
}

/// S32 of the legacy era is the uri alone; a resource may hold several parts, each with a URI of its own.
#[test]
fn a_resource_may_hold_several_parts() {
    let folder = ResourceDefinition::new("x://folder", "folder", |call: Invocation| {
        Step::Done(call.contents(vec![
            ResourceContents::text("x://folder/a", "a"),
            ResourceContents::blob("x://folder/b", b"b").with_mime_type("image/png"),
        ]))
    });
    let mut talk = Talk::session(server().raw_resource(folder), V2025_11);
    talk.say(request(1, "resources/read", &read("x://folder")))
        .hears(&[result(
            1,
            r#""contents":[{"uri":"x://folder/a","text":"a"},{"uri":"x://folder/b","blob":"Yg==","mimeType":"image/png"}]"#,
        )]);
}

#[test]
fn an_optional_variable_may_be_left_out() {
    let search = ResourceDefinition::new("search://all{?q}", "search", |call: Invocation| {
        Step::now(&call, |call| {
            let query: Query = call.arguments()?;
            Ok(call.contents(query.q.unwrap_or_else(|| "everything".to_owned())))
        })
    })
    .with_variables::<Query>();
    let mut talk = Talk::session(Server::new("s", "1").raw_resource(search), V2025_11);
    for (uri, text) in [("search://all", "everything"), ("search://all?q=x", "x")] {
        talk.say(request(1, "resources/read", &read(uri)));
        assert_eq!(text_of(&mut talk), text);
    }
}
