//! Frames that are no messages, messages that are no requests, and ids.

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Pair, splits};

use crate::talk::{
    INITIALIZED, Talk, error, error_without_id, initialize, modern, modern_call, modern_text,
    request, result, text,
};
use crate::tools::{adder, server};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// FRM-01
#[test]
fn a_line_that_is_no_json_is_skipped_and_the_next_is_answered() {
    let mut talk = Talk::new(adder());
    talk.say("not json").is_silent();
    talk.say(initialize("a", "2025-11-25"));
    assert_eq!(talk.result()["protocolVersion"], "2025-11-25");
}

/// FRM-03
#[test]
fn notifications_are_never_answered_whether_they_are_known_or_not() {
    for version in ProtocolVersion::ALL.into_iter().filter(|v| !v.is_modern()) {
        let mut talk = Talk::session(adder(), version);
        talk.say(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#)
            .say(r#"{"jsonrpc":"2.0","method":"x/unknown_note","params":{"a":1}}"#)
            .say(r#"{"jsonrpc":"2.0","method":"tools/list"}"#)
            .is_silent();
    }
}

/// FRM-07
#[test]
fn line_ends_of_unicode_come_back_as_they_were() {
    let (server, ..) = server();
    let mut talk = Talk::new(server);
    let odd = "a\u{2028}b\u{2029}c\u{85}d";
    talk.say(modern_call(1, "echo", &format!(r#"{{"text":"{odd}"}}"#)))
        .hears(&[modern_text(1, odd)]);
}

/// FRM-08
#[test]
fn a_line_that_is_not_utf8_is_skipped() {
    let mut talk = Talk::session(adder(), V2025_11);
    talk.pair.send_bytes(b"\xff\xfe\n").run();
    talk.is_silent();
    talk.say(request(1, "ping", "")).hears(&[result(1, "")]);
}

#[test]
fn a_request_that_is_not_utf8_is_answered_when_its_id_can_be_read() {
    let mut talk = Talk::session(adder(), V2025_11);
    talk.pair
        .send_bytes(
            b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}\n",
        )
        .run();
    talk.hears(&[error(5, -32700, "the text is not JSON")]);
}

/// FRM-11
#[test]
fn line_breaks_in_texts_and_errors_never_break_a_line() {
    let (server, ..) = server();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "echo", r#"{"text":"l1\nl2\r\nl3"}"#))
        .hears(&[modern_text(1, "l1\nl2\r\nl3")]);
    talk.say(modern(2, "tools/call", r#""name":"a\nb""#))
        .hears(&[error(2, -32602, "there is no tool `a\nb`")]);
}

#[test]
fn a_frame_may_be_cut_anywhere() {
    let line = format!("{}\n", modern_call("\"é\"", "add", r#"{"a":1,"b":2}"#));
    for (head, tail) in splits(line.as_bytes()) {
        let mut pair = Pair::new(adder());
        pair.send_bytes(head).run();
        pair.send_bytes(tail).run();
        pair.assert_sent(&[&modern_text("\"é\"", "3")]);
    }
}

#[test]
fn a_line_over_the_limit_is_refused_by_its_id_if_that_can_be_read() {
    let mut talk = Talk::over(Pair::new(adder()).with_line_limit(200)).opened(V2025_11);
    talk.pair
        .send(request(7, "ping", &format!(r#""x":"{}""#, "y".repeat(300))))
        .run();
    talk.hears(&[error(
        7,
        -32600,
        "the message is longer than the limit of 200 bytes",
    )]);
    talk.pair.send(format!("[{}]", "1,".repeat(300))).run();
    talk.is_silent();
    talk.say(request(8, "ping", "")).hears(&[result(8, "")]);
}

#[test]
fn a_message_nested_too_deeply_is_an_error_and_the_session_goes_on() {
    let mut talk = Talk::session(adder(), V2025_11);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    talk.pair
        .send(request(1, "ping", &format!(r#""x":{deep}"#)))
        .run();
    talk.hears(&[error(1, -32600, "the message is nested too deeply")]);
    talk.say(request(2, "ping", "")).hears(&[result(2, "")]);
}

/// JRP-01
#[test]
fn a_null_id_is_an_error_without_id_and_silence_where_errors_need_one() {
    let line = r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{}}"#;
    let why = "`id` must be a string or an integer";
    Talk::session(adder(), V2025_11)
        .say(line)
        .hears(&[error_without_id(-32600, why)]);
    Talk::new(adder())
        .say(line)
        .hears(&[error_without_id(-32600, why)]);
    for version in [
        ProtocolVersion::V2024_11_05,
        ProtocolVersion::V2025_03_26,
        ProtocolVersion::V2025_06_18,
    ] {
        Talk::session(adder(), version).say(line).is_silent();
    }
}

/// JRP-02, JRP-03
#[test]
fn ids_come_back_with_the_same_value_and_type() {
    let ids = [
        "0",
        "-1",
        r#""""#,
        r#""00""#,
        r#""1""#,
        "1",
        r#""b7f0-uuid""#,
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        r#""é\"\\\n""#,
    ];
    let mut talk = Talk::session(adder(), V2025_11);
    for id in ids {
        talk.say(request(id, "ping", "")).hears(&[result(id, "")]);
    }
}

/// JRP-07
#[test]
fn an_id_that_is_no_string_or_integer_is_refused() {
    let mut talk = Talk::session(adder(), V2025_11);
    for id in [
        "20050.5",
        "true",
        "{}",
        "[1]",
        "1e3",
        "18446744073709551616",
    ] {
        talk.say(request(id, "ping", "")).hears(&[error_without_id(
            -32600,
            "`id` must be a string or an integer",
        )]);
    }
}

/// JRP-08
#[test]
fn a_wrong_envelope_is_refused_by_its_id_saying_what_is_wrong() {
    let mut talk = Talk::session(adder(), V2025_11);
    for (line, answer) in [
        (
            r#"{"jsonrpc":"2.0","id":"1","request":{"method":"ping"}}"#,
            error(r#""1""#, -32600, "`method` is missing"),
        ),
        (
            r#"{"id":2,"method":"ping"}"#,
            error(2, -32600, "`jsonrpc` must be \"2.0\""),
        ),
        (
            r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#,
            error(3, -32600, "`jsonrpc` must be \"2.0\""),
        ),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":17}"#,
            error(4, -32600, "`method` must be a string"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}"#,
            error(6, -32600, "a member of the message occurs twice"),
        ),
    ] {
        talk.pair.send(line).run();
        talk.hears(&[answer]);
    }
    talk.say(request(9, "ping", "")).hears(&[result(9, "")]);
}

/// JRP-09
#[test]
fn params_may_be_absent_or_null_but_not_an_array() {
    let mut talk = Talk::session(
        mcp_core::Server::new("s", "1").tool::<crate::tools::help>(),
        V2025_11,
    );
    let list = r#""tools":[{"name":"help","description":"Helps.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]"#;
    talk.say(INITIALIZED).is_silent();
    talk.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .hears(&[result(2, list)]);
    talk.say(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":null}"#)
        .hears(&[result(3, list)]);
    talk.say(r#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":[]}"#)
        .hears(&[error(4, -32602, "`params` must be an object")]);
    talk.say(r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":[]}}"#)
        .hears(&[error(5, -32602, "`_meta` must be an object")]);
}

/// JRP-10
#[test]
fn an_unknown_method_is_refused_and_the_session_goes_on() {
    let mut talk = Talk::session(adder(), V2025_11);
    talk.say(request(2, "no/such", ""))
        .hears(&[error(2, -32601, "no such method")]);
    talk.say(modern(3, "ping", ""))
        .hears(&[error(3, -32601, "no such method")]);
    talk.say(modern(4, "initialize", ""))
        .hears(&[error(4, -32601, "no such method")]);
    talk.say(request(5, "server/discover", ""))
        .hears(&[error(5, -32601, "no such method")]);
    talk.say(request(6, "ping", "")).hears(&[result(6, "")]);
}

/// JRP-11
#[test]
fn notifications_of_any_name_and_answers_to_nothing_are_ignored() {
    let mut talk = Talk::session(adder(), V2025_11);
    talk.say(r#"{"jsonrpc":"2.0","method":""}"#)
        .say(r#"{"jsonrpc":"2.0","method":"notifications/x/y","params":{"deep":[1,{"a":null}]}}"#)
        .say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .say(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#)
        .is_silent();
    talk.say(crate::talk::call(1, "add", r#"{"a":1,"b":2}"#))
        .hears(&[text(1, "3")]);
}

#[test]
fn what_looks_like_a_response_is_never_answered_however_wrong_it_is() {
    let deep = "[".repeat(200);
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{deep}"#);
    let mut talk = Talk::session(adder(), V2025_11);
    for line in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#,
        &deep,
    ] {
        talk.say(line).is_silent();
    }
    talk.say(request(1, "ping", "")).hears(&[result(1, "")]);
}

#[test]
fn params_that_say_something_twice_are_refused() {
    let mut talk = Talk::session(adder(), V2025_11);
    let twice = |id| error(id, -32602, "a member of `params` occurs twice");
    talk.say(request(1, "tools/call", r#""name":"add","name":"other""#))
        .hears(&[twice(1)]);
    let arguments = r#""name":"add","arguments":{"a":1,"b":2},"arguments":{"a":3,"b":4}"#;
    talk.say(request(2, "tools/call", arguments))
        .hears(&[twice(2)]);
    let meta = format!(r#""_meta":{{{}}},"_meta":{{}}"#, crate::talk::MODERN);
    talk.say(request(3, "tools/list", &meta)).hears(&[twice(3)]);
    let token = r#""_meta":{"progressToken":1,"progressToken":2}"#;
    talk.say(request(4, "ping", token)).hears(&[twice(4)]);
}

/// JRP-13
#[test]
fn unknown_members_anywhere_in_initialize_are_ignored() {
    let mut talk = Talk::new(adder());
    talk.say(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","trace":"z","params":{"protocolVersion":"2025-11-25","capabilities":{"tools":true,"prompts":false,"resources":true,"logging":false,"roots":{"listChanged":false},"futureThing":{"x":1},"extensions":{"com.ex/a":{}}},"clientInfo":{"name":"t","version":"0","icons":[],"websiteUrl":"https://example.com","odd":1}}}"#,
    );
    assert_eq!(talk.result()["serverInfo"]["name"], "s");
}
