//! Handshakes, revisions, and both eras on one connection.

use mcp_core::Server;
use mcp_core::protocol::ProtocolVersion;
use serde_json::Value;

use crate::schemas;
use crate::talk::{
    INITIALIZED, MODERN, Talk, call, error, initialize, modern, modern_call, modern_text, request,
    result, text,
};
use crate::tools::{adder, server};

const SUPPORTED: &str = r#"["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]"#;

fn before_initialize(id: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"send `initialize` first, or name the revision in `_meta`; supported: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28","data":{{"supported":{SUPPORTED}}}}}}}"#
    )
}

fn initialized(id: &str, version: &str) -> String {
    result(
        format!("\"{id}\""),
        &format!(
            r#""protocolVersion":"{version}","capabilities":{{"logging":{{}},"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"s","version":"1"}}"#
        ),
    )
}

/// LIF-01
#[test]
fn ping_is_answered_before_initialize() {
    let mut talk = Talk::new(adder());
    talk.say(request(1, "ping", "")).hears(&[result(1, "")]);
    talk.say(initialize("2", "2025-06-18"))
        .hears(&[initialized("2", "2025-06-18")]);
}

#[test]
fn other_requests_before_initialize_are_told_the_revisions() {
    let mut talk = Talk::new(adder());
    talk.say(request(1, "tools/list", ""))
        .hears(&[before_initialize(1)]);
    talk.say(request(2, "server/discover", ""))
        .hears(&[before_initialize(2)]);
    talk.say(INITIALIZED).is_silent();
    talk.say(request(3, "tools/list", ""))
        .hears(&[before_initialize(3)]);
    talk.say(initialize("4", "2025-11-25"))
        .hears(&[initialized("4", "2025-11-25")]);
}

/// LIF-02
#[test]
fn requests_between_the_answer_and_initialized_are_answered() {
    let mut talk = Talk::new(adder());
    talk.say(initialize("1", "2025-11-25"))
        .hears(&[initialized("1", "2025-11-25")]);
    talk.say(request(2, "logging/setLevel", r#""level":"error""#))
        .hears(&[result(2, "")]);
    talk.say(request(3, "ping", "")).hears(&[result(3, "")]);
    talk.say(call(4, "add", r#"{"a":1,"b":2}"#))
        .hears(&[text(4, "3")]);
    talk.say(INITIALIZED).say(INITIALIZED).is_silent();
    talk.say(request(5, "ping", "")).hears(&[result(5, "")]);
}

/// LIF-05
#[test]
fn the_first_line_may_be_a_call_that_reports_progress() {
    let (server, gate, _) = server();
    gate.open();
    let mut talk = Talk::new(server);
    let progress = |n: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"p","progress":{n},"total":2}}}}"#
        )
    };
    talk.say(crate::talk::modern_with(
        1,
        "tools/call",
        r#""name":"wait""#,
        r#""progressToken":"p""#,
    ))
    .hears(&[progress(1), progress(2), modern_text(1, "waited")]);
}

/// LIF-06, LIF-08
#[test]
fn initialize_is_answered_with_the_revision_offered_or_the_latest_of_its_era() {
    for (offered, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("2023-01-01", "2025-11-25"),
        ("1.0.0", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        Talk::new(adder())
            .say(initialize("1", offered))
            .hears(&[initialized("1", answered)]);
    }
    Talk::new(adder())
        .say(request(r#""1""#, "initialize", r#""capabilities":{}"#))
        .hears(&[initialized("1", "2025-11-25")]);
}

/// LIF-15
#[test]
fn a_second_initialize_is_refused_and_the_session_keeps_its_state() {
    let mut talk = Talk::session(adder(), ProtocolVersion::V2025_03_26);
    talk.say(initialize("2", "2025-11-25")).hears(&[error(
        r#""2""#,
        -32600,
        "`initialize` comes once, alone, and first",
    )]);
    // Bad arguments are still errors of the protocol, as 2025-03-26 has it.
    talk.say(call(3, "add", r#"{"a":1}"#));
    assert!(talk.heard()[0].contains(r#""code":-32602"#));
}

#[test]
fn discover_says_what_the_server_is_and_can() {
    let mut talk = Talk::new(adder().instructions("Add, do not subtract."));
    talk.say(modern(1, "server/discover", "")).hears(&[crate::talk::modern_result(
        1,
        r#""supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"instructions":"Add, do not subtract.","ttlMs":0,"cacheScope":"private""#,
    )]);
}

#[test]
fn what_a_server_says_of_itself_is_cut_down_to_the_revision() {
    let server = || {
        Server::new("s", "1")
            .title("S")
            .description("A server.")
            .website_url("https://example.com")
            .logging(false)
    };
    for (version, info) in [
        ("2025-03-26", r#"{"name":"s","version":"1"}"#),
        ("2025-06-18", r#"{"name":"s","version":"1","title":"S"}"#),
        (
            "2025-11-25",
            r#"{"name":"s","version":"1","title":"S","description":"A server.","websiteUrl":"https://example.com"}"#,
        ),
    ] {
        let expected =
            format!(r#""protocolVersion":"{version}","capabilities":{{}},"serverInfo":{info}"#);
        Talk::new(server())
            .say(initialize("1", version))
            .hears(&[result(r#""1""#, &expected)]);
    }
}

#[test]
fn a_server_without_tools_or_logging_does_not_know_their_methods() {
    let mut talk = Talk::session(
        Server::new("s", "1").logging(false),
        ProtocolVersion::V2025_11_25,
    );
    for (id, method) in ["tools/list", "tools/call", "logging/setLevel"]
        .iter()
        .enumerate()
    {
        talk.say(request(id, method, r#""name":"a","level":"info""#))
            .hears(&[error(id, -32601, "no such method")]);
    }
    talk.say(modern(9, "tools/list", ""))
        .hears(&[error(9, -32601, "no such method")]);
}

#[test]
fn an_unsupported_revision_in_a_request_is_refused_with_those_supported() {
    let mut talk = Talk::new(adder());
    for requested in ["2025-11-25", "2099-01-01"] {
        let meta = MODERN.replace("2026-07-28", requested);
        talk.say(request(1, "tools/list", &format!(r#""_meta":{{{meta}}}"#))).hears(&[format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"unsupported protocol version","data":{{"supported":["2026-07-28"],"requested":"{requested}"}}}}}}"#
        )]);
        let line = serde_json::from_str(talk.pair.lines().last().unwrap()).unwrap();
        schemas::check(
            ProtocolVersion::LATEST,
            "UnsupportedProtocolVersionError",
            &line,
        );
    }
    let meta = MODERN.replace("\"2026-07-28\"", "20260728");
    talk.say(request(2, "tools/list", &format!(r#""_meta":{{{meta}}}"#)))
        .hears(&[error(
            2,
            -32602,
            "`_meta` must hold `io.modelcontextprotocol/protocolVersion`, a string",
        )]);
}

#[test]
fn a_request_must_say_what_the_client_can_do() {
    let why = "`_meta` must hold `io.modelcontextprotocol/clientCapabilities`, an object";
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    let mut talk = Talk::new(adder());
    for (id, capabilities) in ["", "null", "[]", "true"].iter().enumerate() {
        let member = match *capabilities {
            "" => String::new(),
            value => format!(r#","io.modelcontextprotocol/clientCapabilities":{value}"#),
        };
        talk.say(request(
            id,
            "tools/list",
            &format!(r#""_meta":{{{version}{member}}}"#),
        ))
        .hears(&[error(id, -32602, why)]);
    }
}

/// S3, S26-06
#[test]
fn what_a_stateless_request_lacks_has_the_code_of_the_revision() {
    let able = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    let version =
        |version: &str| format!(r#""io.modelcontextprotocol/protocolVersion":"{version}""#);
    let of = |meta: &str| format!(r#""name":"add","arguments":{{}},"_meta":{{{meta}}}"#);
    let mut talk = Talk::new(adder());
    for (members, code) in [
        (of(&version("2026-07-28")), -32602),
        (of(able), -32602),
        (of(""), -32602),
        (r#""name":"add","arguments":{}"#.to_owned(), -32602),
        (of(&format!("{},{able}", version("1900-01-01"))), -32022),
    ] {
        let said: Value =
            serde_json::from_str(&talk.say(request(1, "tools/call", &members)).heard()[0]).unwrap();
        assert_eq!(said["error"]["code"], code, "{members}");
    }
    for gone in [
        "no/such",
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
    ] {
        talk.say(modern(2, gone, r#""level":"info","uri":"x:///a""#))
            .hears(&[error(2, -32601, "no such method")]);
    }
}

#[test]
fn both_eras_share_a_connection_each_in_its_own_way() {
    let mut talk = Talk::new(adder());
    let one_and_two = r#"{"a":1,"b":2}"#;
    talk.say(modern_call(1, "add", one_and_two))
        .hears(&[modern_text(1, "3")]);
    talk.say(initialize("2", "2024-11-05"))
        .hears(&[initialized("2", "2024-11-05")]);
    talk.say(modern_call(3, "add", one_and_two))
        .hears(&[modern_text(3, "3")]);
    talk.say(call(4, "add", one_and_two)).hears(&[text(4, "3")]);
    // Wrong arguments: an error of the protocol here, a result there.
    talk.say(call(5, "add", "{}"))
        .say(modern_call(6, "add", "{}"));
    let heard: Vec<Value> = talk
        .heard()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(heard[0]["error"]["code"], -32602);
    assert_eq!(heard[1]["result"]["isError"], true);
}

#[test]
fn a_session_of_one_connection_is_none_of_another() {
    let built = adder().build().unwrap();
    let mut first = Talk::connect(&built).opened(ProtocolVersion::V2025_11_25);
    let mut second = Talk::connect(&built);
    second
        .say(request(1, "tools/list", ""))
        .hears(&[before_initialize(1)]);
    first.say(request(1, "ping", "")).hears(&[result(1, "")]);
}
