//! How long a client waits, and what it does when nobody waits any more.

use std::time::Duration;

use mcp_core::client::ClientErrorKind;
use mcp_core::testing::Gate;

use crate::talk::{SECOND, Talk, builder, kind, legacy_cancel, modern_cancel, result, text, words};

const SLOW: &str = "it took too long";
const LEFT: &str = "the caller no longer waits";

fn progress(token: u64, progress: f64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{progress}}}}}"#
    )
}

#[track_caller]
fn assert_timeout(kind: &ClientErrorKind, after: Duration, was_sent: bool) {
    match kind {
        ClientErrorKind::Timeout { after: is, sent } => assert_eq!((*is, *sent), (after, was_sent)),
        other => panic!("{other:?}"),
    }
}

/// B27, CAN-04, C12: one cancellation, and the slot is free.
#[test]
fn a_request_that_is_not_answered_is_cancelled() {
    let mut talk = Talk::legacy();
    let call = talk.call("t");
    talk.server.assert_sent(&[&talk.called(2, "t")]);
    talk.server.advance(SECOND * 59).assert_sent(&[]);
    talk.server
        .advance(SECOND)
        .assert_sent(&[&legacy_cancel(2, SLOW)]);
    let failed = call.take().unwrap().unwrap_err();
    assert!(failed.is_timeout() && failed.is_outcome_unknown());
    assert_eq!(failed.to_string(), "s: `tools/call`: no answer within 60s");
    // B28, C11, B42: it has answered after all.
    talk.server.send(result(2, &text("late"))).assert_sent(&[]);
    talk.server.advance(SECOND * 600).assert_sent(&[]);

    let mut talk = Talk::modern();
    let call = talk.start(|c| async move { c.call_tool("t", ()).timeout(SECOND / 5).await });
    talk.server.assert_sent(&[&talk.called(2, "t")]);
    talk.server
        .advance(SECOND / 5)
        .assert_sent(&[&modern_cancel(2, SLOW)]);
    assert_timeout(&kind(call.take()), SECOND / 5, true);
}

/// B27, PRG-04: a token is sent though nobody wants to see progress.
#[test]
fn progress_extends_the_deadline() {
    let mut talk = Talk::modern();
    let call = talk.start(|c| async move { c.call_tool("t", ()).timeout(SECOND).await });
    talk.server.assert_sent(&[&talk.called(2, "t")]);
    for step in 1..=8 {
        talk.server
            .send(progress(2, f64::from(step)))
            .advance(SECOND / 2)
            .assert_sent(&[]);
    }
    talk.server.send(result(2, &text("x"))).run();
    assert!(call.take().unwrap().is_ok());
}

/// B32: what does not grow is no sign of life, nor is progress of others (PRG-02).
#[test]
fn progress_that_does_not_grow_extends_nothing() {
    for line in [
        progress(2, 1.0),
        progress(2, 0.5),
        progress(3, 2.0),
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"never","progress":9}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":"9"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#.to_owned(),
    ] {
        let mut talk = Talk::modern();
        let call = talk.start(|c| async move { c.call_tool("t", ()).timeout(SECOND).await });
        drop(talk.server.run().take_sent());
        talk.server.send(progress(2, 1.0)).advance(SECOND / 2).send(&line).advance(SECOND / 2);
        talk.server.assert_sent(&[&modern_cancel(2, SLOW)]);
        assert_timeout(&kind(call.take()), SECOND, true);
    }
}

/// B27, PRG-05.
#[test]
fn a_total_time_holds_whatever_is_reported() {
    let mut talk = Talk::modern();
    let call = talk.start(|c| async move {
        let call = c
            .call_tool("t", ())
            .timeout(SECOND)
            .total_timeout(SECOND * 3);
        call.await
    });
    drop(talk.server.run().take_sent());
    for step in 1..=5 {
        talk.server
            .send(progress(2, f64::from(step)))
            .advance(SECOND / 2)
            .assert_sent(&[]);
    }
    talk.server.send(progress(2, 6.0)).advance(SECOND / 2);
    talk.server.assert_sent(&[&modern_cancel(2, SLOW)]);
    assert_timeout(&kind(call.take()), SECOND * 3, true);
}

/// The defaults are those that the documentation names.
#[test]
fn without_other_words_an_answer_has_a_minute_and_ten_in_all() {
    let mut talk = Talk::modern();
    let call = talk.call("t");
    talk.server.run();
    for step in 1..=11 {
        talk.server
            .send(progress(2, f64::from(step)))
            .advance(SECOND * 54);
        assert!(call.take().is_none());
    }
    talk.server.send(progress(2, 12.0)).advance(SECOND * 6);
    assert_timeout(&kind(call.take()), SECOND * 600, true);
}

#[test]
fn deadlines_of_the_builder_hold_for_all_requests() {
    let patient = builder().timeout(SECOND * 5).total_timeout(SECOND * 2);
    let mut talk = Talk::modern_with(patient, crate::talk::OFFERS);
    let read = talk.start(|c| async move { c.read_resource("u").await });
    let raw = talk.start(|c| async move { c.request_raw("m", None).await });
    drop(talk.server.run().take_sent());
    talk.server.advance(SECOND * 2);
    assert_timeout(&kind(read.take()), SECOND * 2, true);
    assert_timeout(&kind(raw.take()), SECOND * 2, true);
    talk.server
        .assert_sent(&[&modern_cancel(2, SLOW), &modern_cancel(3, SLOW)]);
}

/// Deadlines may be as long as a `Duration` can be.
#[test]
fn a_deadline_without_end_never_comes() {
    let mut talk = Talk::modern();
    let call = talk.start(|c| async move {
        let call = c
            .call_tool("t", ())
            .timeout(Duration::MAX)
            .total_timeout(Duration::MAX);
        call.await
    });
    talk.server
        .run()
        .advance(SECOND * 1_000_000)
        .send(result(2, &text("x")))
        .run();
    assert!(call.take().unwrap().is_ok());
    let call = talk.start(|c| async move { c.call_tool("t", ()).timeout(Duration::ZERO).await });
    talk.server.run();
    assert_timeout(&kind(call.take()), Duration::ZERO, true);
}

/// C12, HST-11.
#[test]
fn dropping_a_call_cancels_it_and_no_other() {
    for (mut talk, cancel) in [
        (Talk::modern(), modern_cancel(2, LEFT)),
        (Talk::legacy(), legacy_cancel(2, LEFT)),
    ] {
        let (first, second) = (talk.call("a"), talk.call("b"));
        drop(talk.server.run().take_sent());
        drop(first);
        talk.server.assert_sent(&[&cancel]);
        talk.server
            .send(result(2, &text("late")))
            .send(result(3, &text("x")))
            .assert_sent(&[]);
        assert!(second.take().unwrap().is_ok());
    }
}

/// B28: there is nothing to cancel any more.
#[test]
fn an_answered_call_is_not_cancelled() {
    let mut talk = Talk::modern();
    let client = talk.client.clone();
    let mut call = Box::pin(client.call_tool("t", ()));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    drop(talk.server.run().take_sent());
    talk.server.send(result(2, &text("x"))).run();
    drop(call);
    talk.server.assert_sent(&[]);

    // One that was never polled was never sent.
    drop(client.call_tool("t", ()));
    talk.server.assert_sent(&[]);
}

#[test]
fn a_call_can_be_cancelled_from_elsewhere() {
    let mut talk = Talk::modern();
    let gate = Gate::new();
    let token = gate.clone();
    let call = talk.start(|c| async move {
        c.call_tool("t", ())
            .cancelled_by(async move { token.wait().await })
            .await
    });
    drop(talk.server.run().take_sent());
    gate.open();
    talk.server
        .assert_sent(&[&modern_cancel(2, "the caller has cancelled it")]);
    assert_eq!(words(call.take()), "s: `tools/call`: cancelled");
    // Who is too early sends nothing at all.
    let call = talk.start(|c| async move {
        c.call_tool("t", ())
            .cancelled_by(std::future::ready(()))
            .await
    });
    talk.server.assert_sent(&[]);
    assert!(matches!(kind(call.take()), ClientErrorKind::Cancelled));
}

/// B28: both at once.
#[test]
fn a_cancellation_and_an_answer_may_cross() {
    let mut talk = Talk::modern();
    let gate = Gate::new();
    let token = gate.clone();
    let call = talk.start(|c| async move {
        c.call_tool("t", ())
            .cancelled_by(async move { token.wait().await })
            .await
    });
    drop(talk.server.run().take_sent());
    gate.open();
    talk.server.send(result(2, &text("x"))).assert_sent(&[]);
    // What is awaited is over in one way or the other, and the server is not told of what it knows.
    assert!(call.take().is_some());
}

/// What never left is neither cancelled nor of unknown outcome.
#[test]
fn a_request_that_could_not_be_sent_was_not_carried_out() {
    let mut talk = Talk::legacy();
    talk.server.stop_reading();
    let mut talk = Talk {
        server: talk.server.with_capacity(1 << 16),
        ..talk
    };
    let big = "x".repeat(3 << 20);
    let first =
        talk.start(|c| async move { c.call_tool("big", serde_json::json!({"x": big})).await });
    talk.server.run();
    let big = "x".repeat(3 << 20);
    let second =
        talk.start(|c| async move { c.call_tool("big", serde_json::json!({"x": big})).await });
    let third = talk.call("t");
    let fourth = talk.call("t");
    talk.server.run();
    drop(fourth);
    talk.server.advance(SECOND * 60);
    assert_timeout(&kind(first.take()), SECOND * 60, true);
    assert_timeout(&kind(second.take()), SECOND * 60, true);
    let failed = third.take().unwrap().unwrap_err();
    assert!(!failed.is_outcome_unknown());
    assert_eq!(
        failed.to_string(),
        "s: `tools/call`: not sent within 60s: the server takes nothing in"
    );
    let _last = talk.call("last");
    talk.server.resume_reading().run();
    let sent: Vec<_> = talk
        .server
        .take_sent()
        .into_iter()
        .map(|line| line.chars().take(80).collect::<String>())
        .collect();
    assert_eq!(sent.len(), 5, "{sent:#?}");
    assert!(
        sent[4].starts_with(r#"{"jsonrpc":"2.0","id":6,"method":"tools/call""#),
        "{sent:#?}"
    );
}
