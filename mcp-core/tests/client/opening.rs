//! How a client finds out which revision its server speaks.

use mcp_core::Client;
use mcp_core::client::{ClientErrorKind, Disconnected};
use mcp_core::protocol::{Era, ProtocolVersion};
use mcp_core::testing::ScriptedServer;

use crate::talk::{
    Connecting, INITIALIZED, OFFERS, SECOND, builder, connecting, discovered, error, initialize,
    initialized, probe, result, words,
};

fn unsupported(id: u64, data: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32022,"message":"m"{data}}}}}"#)
}

/// The server is asked to open a session of 2025-11-25, and does.
#[track_caller]
fn expect_legacy(server: &mut ScriptedServer, connecting: &Connecting) -> Client {
    server
        .assert_sent(&[&initialize(2, "2025-11-25", "{}")])
        .send(initialized(2, "2025-11-25", OFFERS))
        .assert_sent(&[INITIALIZED]);
    let client = connecting.take().unwrap().unwrap();
    assert_eq!(client.server().version, ProtocolVersion::V2025_11_25);
    client
}

#[track_caller]
fn expect_let_go(server: &mut ScriptedServer) {
    server.assert_sent(&[]);
    assert!(server.is_let_go(), "the connection is still held");
}

/// C1, C5, C60.
#[test]
fn a_modern_server_is_known_by_its_answer_to_the_probe() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}}"#,
    ]);
    server.send(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2027-01-01","2026-07-28","2025-11-25"],"capabilities":{"tools":{},"new":{"x":1}},"instructions":"Be kind.","ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2","unknown":1}}}}"#);
    server.assert_sent(&[]);
    let client = connecting.take().unwrap().unwrap();
    let info = client.server();
    assert_eq!((info.name(), info.era()), ("s", Era::Modern));
    assert_eq!(info.instructions.as_deref(), Some("Be kind."));
    assert!(info.capabilities.tools.is_some() && info.capabilities.prompts.is_none());
}

/// S5 is a SHOULD.
#[test]
fn a_modern_server_need_not_say_who_it_is() {
    let (_, mut server, connecting) = connecting(builder());
    server.run().send(result(
        1,
        r#"{"supportedVersions":["2026-07-28"],"capabilities":{}}"#,
    ));
    server.assert_sent(&[&probe()]);
    assert_eq!(
        connecting.take().unwrap().unwrap().server().name(),
        "server"
    );
}

/// C3, S26-01: a modern server is never asked to `initialize`.
#[test]
fn a_server_of_other_modern_revisions_is_reported_with_both_lists() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]).send(unsupported(
        1,
        r#","data":{"supported":["2026-10-01","2027-\u001b[2Jx"],"requested":"2026-07-28"}"#,
    ));
    expect_let_go(&mut server);
    let words = words(connecting.take());
    assert!(
        words.contains("2026-10-01") && words.contains("2026-07-28"),
        "{words}"
    );
    assert!(!words.contains('\u{1b}'), "{words}");
}

/// S26-01.
#[test]
fn a_server_that_refuses_the_revision_and_names_none_is_reported() {
    for data in [
        "",
        r#","data":{}"#,
        r#","data":{"supported":[]}"#,
        r#","data":7"#,
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.run().send(unsupported(1, data)).run();
        assert_eq!(server.take_sent(), [probe()]);
        expect_let_go(&mut server);
        let words = words(connecting.take());
        assert_eq!(
            words,
            "server: `server/discover`: it speaks none of our revisions (2026-07-28 and older) and names none of its own"
        );
    }
}

/// C3, S26-01.
#[test]
fn a_server_that_names_the_revision_it_refuses_is_asked_once_more() {
    let supported = r#","data":{"supported":["2026-07-28"],"requested":"x"}"#;
    let (_, mut server, connecting) = connecting(builder());
    server
        .assert_sent(&[&probe()])
        .send(unsupported(1, supported));
    let again = probe().replace(r#""id":1"#, r#""id":2"#);
    server
        .assert_sent(&[&again])
        .send(unsupported(2, supported));
    expect_let_go(&mut server);
    let words = words(connecting.take());
    assert!(
        words.contains("it refuses the revision that it names"),
        "{words}"
    );

    let (_, mut server, connecting) = self::connecting(builder());
    server.run().send(unsupported(1, supported));
    server.run().send(discovered(2, OFFERS)).run();
    assert!(connecting.take().unwrap().is_ok());
}

/// 4.2 of the versioning page: what both know is a legacy revision, so it is opened by `initialize`.
#[test]
fn a_modern_server_that_shares_only_a_legacy_revision_is_opened_in_it() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]).send(unsupported(
        1,
        r#","data":{"supported":["2026-10-01","2025-11-25"],"requested":"2026-07-28"}"#,
    ));
    expect_legacy(&mut server, &connecting);
}

/// C5, S26-02: no one code means an older server.
#[test]
fn every_other_error_is_of_a_legacy_server() {
    for code in [-32601, -32602, -32600, -32603, -32700, -32000, -32002, 0, 1] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]).send(error(1, code));
        expect_legacy(&mut server, &connecting);
    }
}

/// The other errors that only a modern server can mean.
#[test]
fn a_modern_refusal_is_reported_and_no_reason_to_fall_back() {
    for code in [-32020, -32021] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]).send(error(1, code));
        expect_let_go(&mut server);
        let failed = connecting.take().unwrap().unwrap_err();
        assert_eq!(failed.error_object().unwrap().code.get(), i64::from(code));
    }
}

/// C5: answers that are none, and some that no modern server gives.
#[test]
fn an_answer_that_is_none_of_discover_is_of_a_legacy_server() {
    for answer in [
        "null",
        "{}",
        "[]",
        r#"{"tools":[]}"#,
        r#"{"supportedVersions":"2026-07-28","capabilities":{}}"#,
        r#"{"supportedVersions":["2025-06-18"],"capabilities":{}}"#,
        r#"{"resultType":"input_required","supportedVersions":["2026-07-28"],"capabilities":{}}"#,
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]).send(result(1, answer));
        expect_legacy(&mut server, &connecting);
    }
    for answer in [
        r#"{"jsonrpc":"2.0","id":1,"error":"what?"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
        // JRP-04.
        r#"{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"no"}}"#,
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]).send(answer);
        expect_legacy(&mut server, &connecting);
    }
}

/// S26-02, B6: an error whose sender could not read the id.
#[test]
fn an_error_without_an_id_answers_the_probe() {
    for id in ["", r#""id":null,"#] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]).send(format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32600,"message":"m"}}}}"#
        ));
        expect_legacy(&mut server, &connecting);
    }
}

/// C5.
#[test]
fn a_silent_server_is_a_legacy_one_after_the_probe_timeout() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]);
    server.advance(SECOND * 9).assert_sent(&[]);
    // A probe is not cancelled: who does not know it knows nothing of it.
    server.advance(SECOND);
    expect_legacy(&mut server, &connecting);

    let (_, mut server, connecting) = self::connecting(builder().probe_timeout(SECOND / 2));
    server.assert_sent(&[&probe()]);
    server.advance(SECOND / 2);
    expect_legacy(&mut server, &connecting);
}

/// The specification asks for it: the probe was abandoned.
#[test]
fn a_late_answer_to_the_probe_is_ignored() {
    for late in [
        discovered(1, OFFERS),
        error(1, -32601),
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}"#.to_owned(),
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.assert_sent(&[&probe()]);
        server.advance(SECOND * 10).send(&late).run();
        expect_legacy(&mut server, &connecting);
    }
}

/// What was late was the answer of a modern server.
#[test]
fn a_slow_modern_server_is_found_when_it_refuses_to_initialize() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]);
    server
        .advance(SECOND * 10)
        .assert_sent(&[&initialize(2, "2025-11-25", "{}")])
        .send(discovered(1, OFFERS))
        .send(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}"#)
        .assert_sent(&[&probe().replace(r#""id":1"#, r#""id":3"#)])
        .send(discovered(3, OFFERS))
        .assert_sent(&[]);
    assert_eq!(
        connecting.take().unwrap().unwrap().server().era(),
        Era::Modern
    );
}

/// S26-02, HST-07: what it has written is often why.
#[test]
fn a_server_that_closes_on_the_probe_is_reported_with_what_it_wrote() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]);
    server
        .send("\u{1b}[31mno database\u{1b}[0m at /x\r")
        .send("more")
        .end_output()
        .assert_sent(&[]);
    let failed = connecting.take().unwrap().unwrap_err();
    assert!(matches!(
        failed.kind(),
        ClientErrorKind::Disconnected {
            why: Disconnected::ByServer,
            sent: true
        }
    ));
    assert_eq!(
        failed.to_string(),
        r#"server: `server/discover`: the server has closed the connection; it has written what is no message: " [31mno database [0m at /x""#
    );
    assert!(server.is_let_go());
}

/// FRM-16: noise is no reason to fail.
#[test]
fn banners_before_the_answer_are_skipped() {
    let (_, mut server, connecting) = connecting(builder());
    server
        .send("Server mode: STDIO")
        .send("")
        .send_bytes(b"\xff\xfe\n")
        .send(r#"{"level":"info","msg":"started"}"#)
        .send("{\"jsonrpc\":\"2.0\",\"id\":1,\"resu")
        .assert_sent(&[&probe()])
        .send(discovered(1, OFFERS))
        .assert_sent(&[]);
    assert!(connecting.take().unwrap().is_ok());
}

/// FRM-16.
#[test]
fn what_was_written_instead_of_an_answer_is_shown_shortened_and_clean() {
    let (_, mut server, connecting) = connecting(builder().label("notes"));
    let long = format!("Usage:\t{} end", "ü".repeat(5_000));
    server.assert_sent(&[&probe()]).send(long);
    server.advance(SECOND * 10);
    server.assert_sent(&[&initialize(2, "2025-11-25", "{}")]);
    // C10: it is not cancelled, and the connection is closed instead (CAN-04).
    server.advance(SECOND * 60);
    expect_let_go(&mut server);
    let failed = connecting.take().unwrap().unwrap_err();
    assert!(failed.is_timeout());
    let words = failed.to_string();
    let expected =
        "notes: `initialize`: no answer within 60s; it has written what is no message: \"Usage: üü";
    assert!(words.starts_with(expected), "{words}");
    assert_eq!(words.matches('ü').count(), 200 - "Usage: ".len());
}

/// LIF-09, C9.
#[test]
fn an_older_revision_that_the_server_answers_with_is_agreed_on() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let (_, mut server, connecting) = connecting(builder());
        server.run().send(error(1, -32601)).run();
        drop(server.take_sent());
        server
            .send(initialized(2, version, OFFERS))
            .assert_sent(&[INITIALIZED]);
        let client = connecting.take().unwrap().unwrap();
        assert_eq!(client.server().version.as_str(), version);
    }
}

/// LIF-09, C9, B39.
#[test]
fn a_revision_that_nobody_knows_ends_the_connection() {
    for version in [
        "2031-01-01",
        "2026-07-28",
        "",
        "\\u001b]52;c;x\\u0007 and so on, for long, longer than anybody reads",
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.run().send(error(1, -32601)).run();
        drop(server.take_sent());
        server.send(initialized(2, version, OFFERS));
        expect_let_go(&mut server);
        let words = words(connecting.take());
        let start = "server: `initialize`: it was offered revision 2025-11-25 and answers with";
        assert!(words.starts_with(start), "{words}");
        assert!(
            !words.contains(char::is_control) && words.len() < 130,
            "{words}"
        );
    }
}

/// The refusal that older servers give (4.1 of the digest): data with what they support.
#[test]
fn a_refused_initialize_is_sent_again_in_a_revision_that_the_server_names() {
    let (_, mut server, connecting) = connecting(builder());
    server.run().send(error(1, -32601)).run();
    drop(server.take_sent());
    let refused = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05","2025-03-26"],"requested":"2025-11-25"}}}"#;
    server
        .send(refused)
        .assert_sent(&[&initialize(3, "2025-03-26", "{}")])
        .send(initialized(3, "2025-03-26", OFFERS))
        .assert_sent(&[INITIALIZED]);
    let client = connecting.take().unwrap().unwrap();
    assert_eq!(client.server().version, ProtocolVersion::V2025_03_26);
}

#[test]
fn an_initialize_that_is_refused_for_good_is_reported() {
    for refused in [
        error(2, -32603),
        r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no","data":{"supported":["2025-11-25","x"],"requested":"2025-11-25"}}}"#.to_owned(),
    ] {
        let (_, mut server, connecting) = connecting(builder());
        server.run().send(error(1, -32601)).run();
        drop(server.take_sent());
        server.send(refused);
        expect_let_go(&mut server);
        let failed = connecting.take().unwrap().unwrap_err();
        assert!(failed.error_object().is_some(), "{failed}");
        assert_eq!(failed.method(), "initialize");
    }
}

#[test]
fn a_pinned_legacy_revision_is_offered_without_a_probe_and_nothing_else_accepted() {
    let pinned = builder().protocol(ProtocolVersion::V2025_03_26);
    let (_, mut server, connecting) = connecting(pinned.clone());
    server
        .assert_sent(&[&initialize(1, "2025-03-26", "{}")])
        .send(initialized(1, "2025-03-26", OFFERS))
        .assert_sent(&[INITIALIZED]);
    assert!(connecting.take().unwrap().is_ok());

    let (_, mut server, connecting) = self::connecting(pinned);
    server
        .run()
        .send(initialized(1, "2025-06-18", OFFERS))
        .run();
    drop(server.take_sent());
    expect_let_go(&mut server);
    assert_eq!(
        words(connecting.take()),
        "server: `initialize`: it was offered revision 2025-03-26 and answers with 2025-06-18"
    );
}

#[test]
fn a_pinned_modern_revision_never_falls_back() {
    let (_, mut server, connecting) = connecting(builder().protocol(ProtocolVersion::V2026_07_28));
    server.assert_sent(&[&probe()]).send(error(1, -32601));
    expect_let_go(&mut server);
    let words = words(connecting.take());
    assert!(words.contains("it does not speak 2026-07-28"), "{words}");

    let (_, mut server, connecting) =
        self::connecting(builder().protocol(ProtocolVersion::V2026_07_28));
    server.assert_sent(&[&probe()]).advance(SECOND * 60);
    expect_let_go(&mut server);
    assert!(connecting.take().unwrap().unwrap_err().is_timeout());
}

/// LIF-04, B40: the answer is the one with the id.
#[test]
fn notifications_and_pings_before_the_answer_disturb_nothing() {
    let pinned = builder().protocol(ProtocolVersion::V2025_11_25);
    let (_, mut server, connecting) = connecting(pinned);
    server
        .assert_sent(&[&initialize(1, "2025-11-25", "{}")])
        .send(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hi"}}"#)
        .send(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
        .send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .send(r#"{"jsonrpc":"2.0","id":"a","method":"roots/list"}"#)
        .assert_sent(&[
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"this client does not support roots/list"}}"#,
        ])
        .send(initialized(1, "2025-11-25", OFFERS))
        .assert_sent(&[INITIALIZED]);
    assert!(connecting.take().unwrap().is_ok());
}

/// JRP-13: capabilities as they are met.
#[test]
fn odd_capabilities_of_a_server_do_not_spoil_the_opening() {
    let (_, mut server, connecting) = connecting(builder());
    server.run().send(error(1, -32601)).run();
    server.send(r#"{"jsonrpc":"2.0","id":2,"trace":"z","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":true,"prompts":false,"resources":null,"logging":false,"extensions":{"com.ex/a":{}},"futureThing":{"x":1}},"serverInfo":{"name":"s","version":"1","icons":[{"src":"x"}],"websiteUrl":"u"},"new":1}}"#).run();
    let client = connecting.take().unwrap().unwrap();
    let offered = &client.server().capabilities;
    assert!(offered.tools.is_some() && offered.prompts.is_none() && offered.logging.is_none());
}

/// C60: what there are handlers for is declared, and nothing else.
#[test]
fn handlers_declare_what_they_can_do() {
    use mcp_core::protocol::{CreateMessageResult, ElicitResult, Root, SamplingContent};
    let with_all = builder()
        .on_elicitation(|_| async { ElicitResult::decline() })
        .elicits_by_url()
        .on_sampling(|_| async {
            CreateMessageResult::new("assistant", [SamplingContent::text("x")], "m")
        })
        .samples_with_tools()
        .roots([Root::new("file:///x")]);
    let declared = r#"{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}"#;
    let (_, mut server, _connecting) = connecting(with_all.clone());
    server.run();
    let line = server.take_sent().remove(0);
    assert!(
        line.contains(&format!(
            r#""io.modelcontextprotocol/clientCapabilities":{declared},"#
        )),
        "{line}"
    );
    let (_, mut server, _connecting) = connecting(with_all.protocol(ProtocolVersion::V2025_11_25));
    server.assert_sent(&[&initialize(1, "2025-11-25", declared)]);
}

/// Dropping the future closes the connection, and cancels nothing (C10).
#[test]
fn a_connection_that_nobody_wants_any_more_is_let_go() {
    let (_, mut server, connecting) = connecting(builder());
    server.assert_sent(&[&probe()]);
    drop(connecting);
    expect_let_go(&mut server);
}
