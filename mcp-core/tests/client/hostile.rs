//! Servers that mean us harm: whatever they do is bounded, and ends in an error that says so.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use mcp_core::client::{Client, ClientErrorKind};
use mcp_core::protocol::{ElicitResult, ProtocolVersion};
use mcp_core::testing::TestRuntime;
use mcp_core::transport::{Incoming, Transport};

use crate::talk::{
    OFFERS, SECOND, Talk, builder, connecting, discovered, error, initialized, result, text, words,
};

const FORM: &str = r#"{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}"#;

fn asking(questions: usize) -> String {
    let all: Vec<_> = (0..questions).map(|n| format!(r#""{n}":{FORM}"#)).collect();
    format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#,
        all.join(",")
    )
}

#[test]
fn so_many_questions_are_asked_at_once_in_a_round_and_no_more() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let builder = builder().on_elicitation(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { ElicitResult::decline() }
    });
    let mut talk = Talk::modern_with(builder, OFFERS);
    let call = talk.call("t");
    talk.answer(&asking(256)).answer(&asking(257));
    assert_eq!(
        words(call.take()),
        "s: `tools/call`: the server asks more than 256 questions at once"
    );
    assert_eq!(asked.load(Ordering::Relaxed), 256);
}

/// A round that asks for nothing but another is no way around the deadline.
#[test]
fn rounds_share_a_total_time() {
    let mut talk = Talk::modern();
    let call = talk.start(|client| async move {
        let call = client.call_tool("t", ()).timeout(SECOND * 8);
        call.total_timeout(SECOND * 10).await
    });
    let again = r#"{"resultType":"input_required","requestState":"s"}"#;
    talk.answer(again);
    talk.server.advance(SECOND * 7);
    talk.answer(again);
    talk.server.advance(SECOND * 3 - SECOND / 1000);
    assert!(call.take().is_none());
    talk.server.advance(SECOND / 1000);
    assert_eq!(words(call.take()), "s: `tools/call`: no answer within 10s");
}

#[test]
fn a_state_of_megabytes_is_given_back_as_it_is() {
    let mut talk = Talk::modern();
    let call = talk.call("t");
    let state = "x".repeat(9 << 20);
    talk.answer(&format!(
        r#"{{"resultType":"input_required","requestState":"{state}"}}"#
    ));
    let sent = talk.server.run().take_sent();
    let again = format!(r#""requestState":"{state}""#);
    assert!(
        sent.iter().any(|line| line.contains(&again)),
        "{}",
        sent.len()
    );
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok());
}

/// A list that changes with every page is fetched once, and not kept.
#[test]
fn a_list_that_changes_while_it_is_fetched_is_fetched_once() {
    let mut talk = Talk::legacy();
    let listing =
        talk.start(|client| async move { client.list_all_tools().await.map(|list| list.len()) });
    for turn in 0..3 {
        talk.server.run();
        for _ in 0..1_000 {
            talk.server
                .send(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        }
        let more = if turn < 2 {
            format!(r#","nextCursor":"{turn}""#)
        } else {
            String::new()
        };
        talk.answer(&format!(
            r#"{{"tools":[{{"name":"a","inputSchema":{{}}}}]{more}}}"#
        ));
    }
    assert_eq!(listing.take().unwrap().unwrap(), 3);
    assert_eq!(talk.methods(), ["tools/list"; 3]);
}

/// HST-15: what a server says is data, also in its errors.
#[test]
fn errors_are_lines_that_no_terminal_obeys() {
    let (runtime, mut server, connecting) = connecting(builder());
    let name = "evil\\u001b]52;c;aGk=\\u0007\\n".to_owned() + &"n".repeat(1_000_000);
    let answer = discovered(1, OFFERS).replace(r#""name":"s""#, &format!(r#""name":"{name}""#));
    server.run().send(answer).run();
    let client = connecting.take().unwrap().unwrap();
    let long = "\\u001b[2J\\u202e\\n".to_owned() + &"m".repeat(1_000_000);
    let answers = [
        format!(r#"{{"jsonrpc":"2.0","id":2,"error":{{"code":1,"message":"{long}"}}}}"#),
        result(3, &format!(r#"{{"resultType":"{long}"}}"#)),
        result(
            4,
            &format!(r#"{{"content":[{{"type":"image","data":"","mimeType":{{"{long}":1}}}}]}}"#),
        ),
        result(
            5,
            &format!(r#"{{"isError":true,"content":[{{"type":"text","text":"{long}"}}]}}"#),
        ),
        result(
            6,
            &format!(
                r#"{{"resultType":"input_required","inputRequests":{{"a":{{"method":"{long}"}}}}}}"#
            ),
        ),
        result(
            7,
            &format!(r#"{{"content":[],"structuredContent":"{long}"}}"#),
        ),
    ];
    for answer in answers {
        let own = client.clone();
        let call = runtime.start(async move { own.call_tool("t", ()).into_typed::<i64>().await });
        server.run().send(answer).run();
        let said = words(call.take());
        assert!(said.starts_with("evil ]52;c;aGk=  nnn"), "{said:?}");
        assert!(said.chars().count() < 3_000, "{}", said.len());
        assert!(
            !said.contains(|c: char| c.is_control() || c == '\u{202e}'),
            "{said:?}"
        );
    }
}

/// A transport that can't be written to and has always something to read.
struct Endless;

impl Transport for Endless {
    fn poll_receive(&mut self, _: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        let frame = Bytes::from_static(br#"{"jsonrpc":"2.0","method":"n"}"#);
        Poll::Ready(Ok(Some(Incoming::Frame(frame))))
    }

    fn poll_send(&mut self, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn a_server_that_hung_up_and_talks_on_is_left() {
    let runtime = TestRuntime::new();
    let connecting = runtime.start(builder().connect(Endless, runtime.clone()));
    runtime.run();
    let failed = connecting.take().unwrap().unwrap_err();
    assert!(matches!(
        failed.kind(),
        ClientErrorKind::Disconnected { .. }
    ));
}

/// Nobody may take back what is ours, and least of all the handshake.
#[test]
fn a_server_can_not_cancel_our_requests() {
    let cancel = |id: u64| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"no"}}}}"#
        )
    };
    let (runtime, mut server, connecting) = connecting(builder());
    server.run().send(cancel(1)).send(error(1, -32601)).run();
    server.send(cancel(2)).run();
    assert!(connecting.take().is_none());
    server.send(initialized(2, "2025-11-25", OFFERS)).run();
    let client = connecting.take().unwrap().unwrap();
    let own = client.clone();
    let call = runtime.start(async move { own.call_tool("t", ()).await });
    server.run().send(cancel(3)).run();
    assert!(call.take().is_none());
    server.send(result(3, &text("x"))).run();
    assert!(call.take().unwrap().is_ok());

    let mut talk = Talk::modern();
    let call = talk.call("t");
    talk.server.run().send(cancel(2)).run();
    assert!(call.take().is_none());
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok());
}

type Held = Arc<Mutex<Option<Client>>>;

/// The last handle may go wherever code of a user's runs.
#[test]
fn the_last_handle_may_be_dropped_by_any_handler() {
    let held = Held::default();
    let dropping = || {
        let held = Arc::clone(&held);
        move || drop(held.lock().unwrap().take())
    };
    let (on_log, on_question, on_progress) = (dropping(), dropping(), dropping());
    let builder = builder()
        .on_log(move |_| on_log())
        .on_elicitation(move |_| {
            on_question();
            async { ElicitResult::decline() }
        });
    let log =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
    let question = FORM.replacen('{', r#"{"jsonrpc":"2.0","id":"q","#, 1);
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}"#;
    for line in [log, &*question, progress] {
        let mut talk = Talk::legacy_with(builder.clone(), ProtocolVersion::V2025_11_25, OFFERS);
        let told = on_progress.clone();
        let caller = talk.client.clone();
        let call = talk.runtime.start(async move {
            // The call lends a handle, so this one goes with the first that is dropped after it.
            let weak = caller.call_tool("t", ()).on_progress(move |_| told());
            weak.await.map(drop)
        });
        *held.lock().unwrap() = Some(talk.client);
        talk.server.run().send(line).run();
        assert!(held.lock().unwrap().is_none(), "{line}");
        talk.server.send(result(2, &text("x"))).run();
        assert!(call.take().unwrap().is_ok(), "{line}");
        assert!(talk.server.is_let_go(), "{line}");
    }
}

/// Progress for calls that are over, or never were, is nobody's.
#[test]
fn progress_of_ended_calls_is_passed_over() {
    let mut talk = Talk::modern();
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&seen);
    let call = talk.start(|client| async move {
        let call = client.call_tool("t", ());
        call.on_progress(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
        })
        .await
    });
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok());
    for token in ["2", "3", "99", "\"2\"", "-1", "1e300"] {
        for n in 0..1_000 {
            talk.server.send(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{n}}}}}"#
            ));
        }
    }
    talk.server.run();
    assert_eq!(seen.load(Ordering::Relaxed), 0);
    let next = talk.call("t");
    talk.answer(&text("x"));
    assert!(next.take().unwrap().is_ok());
}

/// Questions that are asked and taken back at once leave nothing.
#[test]
fn questions_that_are_withdrawn_at_once_are_forgotten() {
    let builder = builder().on_elicitation(|_| std::future::pending::<ElicitResult>());
    let mut talk = Talk::legacy_with(builder, ProtocolVersion::V2025_11_25, OFFERS);
    for n in 0..10_000 {
        talk.server
            .send(FORM.replacen('{', &format!(r#"{{"jsonrpc":"2.0","id":{n},"#), 1))
            .send(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{n}}}}}"#
            ));
    }
    talk.server.assert_sent(&[]);
    // As many as may be open are.
    for n in 0..257 {
        talk.server
            .send(FORM.replacen('{', &format!(r#"{{"jsonrpc":"2.0","id":{n},"#), 1));
    }
    assert_eq!(talk.server.run().take_sent().len(), 1);
}

/// Nor is progress that nobody has asked for a sign of life.
#[test]
fn progress_that_nobody_asked_for_extends_no_deadline() {
    let mut talk = Talk::modern();
    let call = talk.start(|client| async move {
        let call = client.call_tool("t", ()).without_progress();
        call.timeout(SECOND * 2).await
    });
    for n in 1..=2 {
        assert!(call.take().is_none());
        talk.server.send(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{n}}}}}"#
        ));
        talk.server.advance(SECOND);
    }
    assert_eq!(words(call.take()), "s: `tools/call`: no answer within 2s");
}
