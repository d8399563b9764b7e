//! What can't be seen from outside: that memory is given back; and what leaves message by message.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::protocol::{ClientCapabilities, Implementation};
use crate::transport::{Incoming, Outgoing};

fn session() -> ClientSession {
    let facts = ClientFacts {
        info: Implementation::new("c", "1"),
        capabilities: ClientCapabilities::new(),
    };
    let mut session = ClientSession::new(Arc::new(facts));
    session.open();
    session
}

/// A server that reads nothing, and an application that gives up and asks again for ever.
#[test]
fn requests_in_line_that_were_given_up_are_forgotten() {
    let mut session = session();
    let big = format!(r#"{{"x":"{}"}}"#, "x".repeat(FULL));
    let minute = Duration::from_secs(60);
    let patience = Some(Patience {
        idle: minute,
        total: minute,
    });
    let first = session.request(&Outline::new("m", big.as_bytes(), patience), None);
    for _ in 0..10_000 {
        let id = session.request(&Outline::new("m", b"{}", patience), None);
        session.abandon(id.unwrap(), "it is a test");
    }
    assert!(session.unsent.len() < 200, "{}", session.unsent.len());
    let kept = session.request(&Outline::new("kept", b"{}", patience), None);
    session.abandon(first.unwrap(), "it is a test");
    let (mut sent, mut rest) = (Vec::new(), Vec::new());
    session.take_output(&mut sent);
    session.take_output(&mut rest);
    let rest = String::from_utf8(rest).unwrap();
    let id = format!(
        r#"{{"jsonrpc":"2.0","id":{},"method":"kept""#,
        kept.unwrap()
    );
    assert!(rest.starts_with(&id), "{rest}");
    assert_eq!((rest.lines().count(), session.pending.len()), (1, 1));
}

fn parted(version: ProtocolVersion) -> ClientSession {
    let mut session = session();
    session.part_messages();
    session.speak(version);
    session
}

fn ask(session: &mut ClientSession, method: &str, params: &str) -> u64 {
    let minute = Duration::from_secs(60);
    let patience = Patience {
        idle: minute,
        total: minute,
    };
    let outline = Outline::new(method, params.as_bytes(), Some(patience));
    session.request(&outline, None).unwrap()
}

/// What leaves, in short.
fn departures(session: &mut ClientSession, has_room: bool) -> Vec<String> {
    std::iter::from_fn(|| session.next_departure(has_room))
        .map(|message| match message {
            Outgoing::Request { id, heading, frame } => {
                assert!(!frame.ends_with(b"\n"));
                format!("{id} {}", heading.method())
            }
            Outgoing::Notification { heading, .. } => heading.method().to_owned(),
            Outgoing::Answer { frame, .. } => String::from_utf8(frame.to_vec()).unwrap(),
            Outgoing::Abandon { id } => format!("let go of {id}"),
        })
        .collect()
}

#[test]
fn requests_wait_for_room_and_everything_else_does_not() {
    let mut session = parted(ProtocolVersion::V2025_11_25);
    let first = ask(&mut session, "tools/list", "{}");
    session.notify("notifications/x", b"{}").unwrap();
    session.receive(&Bytes::from_static(
        br#"{"jsonrpc":"2.0","id":"q","method":"ping"}"#,
    ));
    assert!(!session.is_full() && session.has_departure(false));
    let answer = r#"{"jsonrpc":"2.0","id":"q","result":{}}"#;
    assert_eq!(departures(&mut session, false), ["notifications/x", answer]);
    assert!(!session.has_departure(false) && session.has_departure(true));
    assert_eq!(
        departures(&mut session, true),
        [format!("{first} tools/list")]
    );
    assert!(!session.has_departure(true));
}

#[test]
fn letting_go_cancels_in_the_modern_era_and_follows_the_notification_before() {
    let cancelled = Cancelled::METHOD.to_owned();
    for (version, told) in [
        (ProtocolVersion::V2026_07_28, None),
        (ProtocolVersion::V2025_11_25, Some(cancelled)),
    ] {
        let mut session = parted(version);
        let sent = ask(&mut session, "tools/call", r#"{"name":"t"}"#);
        departures(&mut session, true);
        let unsent = ask(&mut session, "tools/call", r#"{"name":"t"}"#);
        let answered = sent + 2;
        assert_eq!(ask(&mut session, "tools/list", "{}"), answered);
        for id in [sent, unsent] {
            session.abandon(id, "it is a test");
        }
        let expected: Vec<_> = (told.into_iter())
            .chain([format!("let go of {sent}")])
            .collect();
        assert_eq!(departures(&mut session, false), expected);
        assert_eq!(
            departures(&mut session, true),
            [format!("{answered} tools/list")]
        );
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{answered},"result":{{}}}}"#);
        session.receive(&answer.into());
        session.abandon(answered, "it is a test");
        assert_eq!(departures(&mut session, true), [""; 0]);
    }
}

#[test]
fn a_heading_names_what_a_request_is_applied_to() {
    let mut session = parted(ProtocolVersion::V2026_07_28);
    for (method, params, expected) in [
        (
            "tools/call",
            r#"{"arguments":{"name":"x"},"name":"a\u00e9"}"#,
            Some("aé"),
        ),
        ("resources/read", r#"{"uri":"a:b"}"#, Some("a:b")),
        ("tasks/update", r#"{"taskId":"1"}"#, Some("1")),
        ("tools/call", r#"{"name":5}"#, None),
        ("tools/list", r#"{"name":"x"}"#, None),
    ] {
        ask(&mut session, method, params);
        let Some(Outgoing::Request { heading, .. }) = session.next_departure(true) else {
            panic!("no request");
        };
        let mut name = None;
        heading.headers(|header, value| {
            if header == crate::protocol::http_headers::NAME {
                name = crate::protocol::http_headers::decode_value(value.as_bytes())
                    .ok()
                    .map(std::borrow::Cow::into_owned);
            }
        });
        assert_eq!(name.as_deref(), expected, "{method}");
    }
}

#[test]
fn what_comes_last_for_a_request_ends_it() {
    let mut session = parted(ProtocolVersion::V2026_07_28);
    let waker = Waker::noop();
    let answer = |session: &mut ClientSession, frame: &'static str| {
        let id = ask(session, "tools/list", "{}");
        departures(session, true);
        let frame = frame.replace("ID", &id.to_string());
        session.take_last(id, &Incoming::Frame(frame.into()));
        session.poll_answer(id, waker)
    };
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}"#;
    assert!(matches!(
        answer(&mut session, error),
        Poll::Ready(Answer::Error(_))
    ));
    let result = r#"{"jsonrpc":"2.0","id":ID,"result":{}}"#;
    assert!(matches!(
        answer(&mut session, result),
        Poll::Ready(Answer::Result(_))
    ));
    for other in [r#"{"jsonrpc":"2.0","id":9999,"result":{}}"#, "{}", "x", ""] {
        let ended = answer(&mut session, other);
        assert!(
            matches!(ended, Poll::Ready(Answer::Malformed(_))),
            "{ended:?}"
        );
    }
}
