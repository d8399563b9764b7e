//! Progress and log messages.

use mcp_core::protocol::ProtocolVersion;
use mcp_core::{Context, LoggingLevel, Server, tool};

use crate::talk::{
    Talk, call, error, modern_call, modern_text, modern_with, request, result, text,
};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// Reports its progress three times.
#[tool]
fn count(cx: &Context) {
    for n in 1..=3 {
        cx.progress(n, 3);
    }
}

/// Reports progress of every kind.
#[tool]
fn report(cx: &Context) {
    cx.progress_without_total(0.5);
    cx.progress_message(1, 10, "one");
    cx.progress(1, 10);
    cx.progress(0, 10);
    cx.progress(f64::NAN, 10);
    cx.progress(2, f64::INFINITY);
    cx.progress(9_007_199_254_740_993_u64, 1e300);
}

/// Logs at three levels.
#[tool]
fn log(cx: &Context) {
    cx.log(LoggingLevel::Debug, "d");
    cx.log_from(
        "db",
        LoggingLevel::Info,
        serde_json::json!({"rows": [1, null]}),
    );
    cx.progress(1, 2);
    cx.log(LoggingLevel::Error, "e\n");
}

/// Says what the client wants to hear.
#[tool]
fn wants(cx: &Context) -> String {
    let levels = [
        LoggingLevel::Debug,
        LoggingLevel::Info,
        LoggingLevel::Emergency,
    ];
    let wanted = levels.map(|level| cx.wants_log(&level));
    format!("{wanted:?} {}", cx.wants_progress())
}

fn server() -> Server {
    Server::new("s", "1")
        .tool::<count>()
        .tool::<report>()
        .tool::<log>()
        .tool::<wants>()
}

fn progress(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{{members}}}}}"#)
}

fn message(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{{members}}}}}"#)
}

/// PRG-01
#[test]
fn the_token_is_echoed_as_it_came_and_without_one_there_is_no_progress() {
    let mut talk = Talk::session(server(), V2025_11);
    let tokens = [
        "0",
        r#""7""#,
        "7",
        "-1",
        r#""""#,
        r#""a\u00e9\"""#,
        "18446744073709551615",
    ];
    for token in tokens {
        let counted = |n: u32| {
            progress(&format!(
                r#""progressToken":{token},"progress":{n},"total":3"#
            ))
        };
        let params = format!(r#""name":"count","_meta":{{"progressToken":{token}}}"#);
        talk.say(request(1, "tools/call", &params)).hears(&[
            counted(1),
            counted(2),
            counted(3),
            text(1, ""),
        ]);
        let params = r#""name":"count""#;
        talk.say(modern_with(
            2,
            "tools/call",
            params,
            &format!(r#""progressToken":{token}"#),
        ))
        .hears(&[counted(1), counted(2), counted(3), modern_text(2, "")]);
    }
    talk.say(call(1, "count", "{}")).hears(&[text(1, "")]);
    talk.say(modern_call(1, "count", "{}"))
        .hears(&[modern_text(1, "")]);
    for token in ["null", "1.5", "true", "{}", "[1]"] {
        let params = format!(r#""name":"count","_meta":{{"progressToken":{token}}}"#);
        talk.say(request(1, "tools/call", &params))
            .hears(&[text(1, "")]);
    }
}

#[test]
fn progress_only_grows_and_numbers_are_what_they_were() {
    let mut talk = Talk::session(server(), V2025_11);
    let params = r#""name":"report","_meta":{"progressToken":"t"}"#;
    talk.say(request(1, "tools/call", params)).hears(&[
        progress(r#""progressToken":"t","progress":0.5"#),
        progress(r#""progressToken":"t","progress":1,"total":10,"message":"one""#),
        progress(r#""progressToken":"t","progress":2"#),
        progress(r#""progressToken":"t","progress":9007199254740992,"total":1e+300"#),
        text(1, ""),
    ]);
}

#[test]
fn the_first_revision_has_no_message_with_progress() {
    let mut talk = Talk::session(server(), ProtocolVersion::V2024_11_05);
    talk.say(request(
        1,
        "tools/call",
        r#""name":"report","_meta":{"progressToken":1}"#,
    ));
    let heard = talk.heard();
    assert_eq!(
        heard[1],
        progress(r#""progressToken":1,"progress":1,"total":10"#)
    );
}

fn logged(progress_too: Option<String>) -> Vec<String> {
    [
        Some(message(r#""level":"debug","data":"d""#)),
        Some(message(
            r#""level":"info","logger":"db","data":{"rows":[1,null]}"#,
        )),
        progress_too,
        Some(message(r#""level":"error","data":"e\n""#)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// S68, S69
#[test]
fn set_level_says_which_messages_a_session_gets() {
    let mut talk = Talk::session(server(), V2025_11);
    let all = logged(None);
    talk.say(call(1, "log", "{}"))
        .hears(&[all[1].clone(), all[2].clone(), text(1, "")]);
    for (level, from) in [("debug", 0), ("info", 1), ("error", 2), ("critical", 3)] {
        talk.say(request(
            2,
            "logging/setLevel",
            &format!(r#""level":"{level}""#),
        ));
        talk.hears(&[result(2, "")]);
        let mut expected = all[from..].to_vec();
        expected.push(text(3, ""));
        talk.say(call(3, "log", "{}")).hears(&expected);
    }
    for level in [r#""level":"loud""#, r#""level":3"#, r#""level":"Debug""#] {
        talk.say(request(4, "logging/setLevel", level))
            .hears(&[error(4, -32602, "no such log level")]);
    }
    talk.say(request(5, "logging/setLevel", ""))
        .hears(&[error(5, -32602, "`level` is missing")]);
}

/// S67, S68, S69, S26-12
#[test]
fn a_request_of_2026_07_28_gets_messages_only_if_it_asks_for_them() {
    let mut talk = Talk::new(server());
    talk.say(modern_call(1, "log", "{}"))
        .hears(&[modern_text(1, "")]);
    let all = logged(Some(progress(
        r#""progressToken":"p","progress":1,"total":2"#,
    )));
    let mut expected = all.clone();
    expected.push(modern_text(2, ""));
    let meta = r#""io.modelcontextprotocol/logLevel":"debug","progressToken":"p""#;
    talk.say(modern_with(2, "tools/call", r#""name":"log""#, meta))
        .hears(&expected);
    let meta = r#""io.modelcontextprotocol/logLevel":"error""#;
    talk.say(modern_with(3, "tools/call", r#""name":"log""#, meta))
        .hears(&[all[3].clone(), modern_text(3, "")]);
    let meta = r#""io.modelcontextprotocol/logLevel":"loud""#;
    talk.say(modern_with(4, "tools/call", r#""name":"log""#, meta))
        .hears(&[error(4, -32602, "no such log level")]);
}

#[test]
fn the_level_of_a_session_says_nothing_of_modern_requests() {
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "logging/setLevel", r#""level":"debug""#))
        .hears(&[result(1, "")]);
    talk.say(modern_call(2, "log", "{}"))
        .hears(&[modern_text(2, "")]);
    talk.say(modern_call(3, "wants", "{}"))
        .hears(&[modern_text(3, "[false, false, false] false")]);
    talk.say(call(4, "wants", "{}"))
        .hears(&[text(4, "[true, true, true] false")]);
}

/// S26-06
#[test]
fn set_level_is_no_method_of_2026_07_28() {
    Talk::new(server())
        .say(crate::talk::modern(
            1,
            "logging/setLevel",
            r#""level":"info""#,
        ))
        .hears(&[error(1, -32601, "no such method")]);
}

#[test]
fn a_server_that_declares_no_logging_sends_no_logs() {
    let mut talk = Talk::session(server().logging(false), V2025_11);
    talk.say(call(1, "log", "{}")).hears(&[text(1, "")]);
    let level = r#""io.modelcontextprotocol/logLevel":"debug""#;
    talk.say(modern_with(2, "tools/call", r#""name":"log""#, level))
        .hears(&[modern_text(2, "")]);
}
