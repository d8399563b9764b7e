//! How connections end, and servers that read nothing or say too much.

use std::sync::{Arc, Mutex};

use futures_util::future::{AbortHandle, Abortable, Aborted};
use mcp_core::client::{ClientErrorKind, Disconnected, OverlongMessage};
use mcp_core::protocol::ProtocolVersion;
use mcp_core::runtime::{BoxFuture, Job, Runtime, Task};
use mcp_core::testing::{ScriptedServer, TestRuntime};
use mcp_core::transport::{Incoming, Transport};
use serde_json::json;

use crate::talk::{
    OFFERS, SECOND, Talk, builder, connecting, discovered, kind, modern_cancel, result, text, words,
};

#[track_caller]
fn why(kind: ClientErrorKind) -> (Disconnected, bool) {
    match kind {
        ClientErrorKind::Disconnected { why, sent } => (why, sent),
        other => panic!("{other:?}"),
    }
}

/// HST-06, HST-12: whoever waits is told at once, and that nobody knows what came of it.
#[test]
fn a_server_that_goes_away_fails_what_waits() {
    let mut talk = Talk::modern();
    let (first, second) = (talk.call("a"), talk.call("b"));
    talk.server
        .run()
        .send(result(2, &text("x")))
        .send("{\"jsonrpc\":\"2.0\",\"id\":3,")
        .end_output()
        .run();
    assert!(first.take().unwrap().is_ok());
    let failed = second.take().unwrap().unwrap_err();
    assert!(failed.is_disconnected() && failed.is_outcome_unknown());
    assert_eq!(
        failed.to_string(),
        "s: `tools/call`: the server has closed the connection; whether the request was carried out is unknown"
    );
    assert!(talk.client.is_closed() && talk.server.is_let_go());
    talk.runtime.block_on(talk.client.closed());
    talk.runtime.block_on(talk.client.close());
    let after = talk.call("c");
    talk.runtime.run();
    let failed = after.take().unwrap().unwrap_err();
    assert!(failed.is_disconnected() && !failed.is_outcome_unknown());
}

/// A transport that fails when it is told to.
struct Failing<T>(T, Arc<Mutex<bool>>);

impl<T: Transport> Transport for Failing<T> {
    fn poll_receive(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<Option<Incoming>>> {
        if *self.1.lock().unwrap() {
            return std::task::Poll::Ready(Err(std::io::Error::other("of the test")));
        }
        self.0.poll_receive(cx)
    }

    fn poll_send(
        &mut self,
        cx: &mut std::task::Context<'_>,
        bytes: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        self.0.poll_send(cx, bytes)
    }

    fn poll_flush(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        self.0.poll_flush(cx)
    }

    fn poll_close(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        self.0.poll_close(cx)
    }
}

#[test]
fn a_transport_that_fails_is_named_as_the_cause() {
    let runtime = TestRuntime::new();
    let mut server = ScriptedServer::new(&runtime);
    let fails = Arc::new(Mutex::new(false));
    let transport = Failing(server.transport(), Arc::clone(&fails));
    let connecting = runtime.start(builder().connect(transport, runtime.clone()));
    server.run().send(discovered(1, OFFERS)).run();
    let client = connecting.take().unwrap().unwrap();
    let own = client.clone();
    let call = runtime.start(async move { own.call_tool("t", ()).await });
    server.run();
    *fails.lock().unwrap() = true;
    server.send("").run();
    let failed = call.take().unwrap().unwrap_err();
    assert!(
        failed
            .to_string()
            .starts_with("s: `tools/call`: the connection failed: of the test"),
        "{failed}"
    );
    assert_eq!(
        std::error::Error::source(&failed).unwrap().to_string(),
        "of the test"
    );
    assert!(matches!(
        why(failed.kind().clone()),
        (Disconnected::Failed(_), true)
    ));
}

/// A peer that is gone can't be written to; what it has said before still counts.
#[test]
fn the_last_words_of_a_server_that_hung_up_are_heard() {
    let mut talk = Talk::modern();
    let call = talk.call("a");
    talk.server.run().send(result(2, &text("last"))).hang_up();
    let next = talk.call("b");
    talk.server.run();
    assert_eq!(call.take().unwrap().unwrap().text(), "last");
    assert!(next.take().unwrap().unwrap_err().is_disconnected());
    assert!(talk.server.is_let_go());
}

/// FRM-13: the connection ends, and every error names the limit.
#[test]
fn an_overlong_message_ends_the_connection_unless_it_is_to_be_skipped() {
    let long = |id: u64| result(id, &text(&"x".repeat(10_000)));
    for policy in [OverlongMessage::Close, OverlongMessage::Skip] {
        let (runtime, server, connecting) = connecting(builder().overlong(policy));
        let server = server.with_line_limit(4_000);
        let mut talk = Talk::open(runtime, server, &connecting, &discovered(1, OFFERS));
        let (first, second) = (talk.call("a"), talk.call("b"));
        talk.server.run();
        talk.server.send(long(2)).send(result(3, &text("x"))).run();
        if policy == OverlongMessage::Close {
            for call in [first, second] {
                assert!(matches!(
                    why(kind(call.take())),
                    (Disconnected::Overlong(4_000), true)
                ));
            }
            assert!(talk.server.is_let_go());
            continue;
        }
        assert_eq!(
            words(first.take()),
            "s: `tools/call`: the answer is longer than 4000 bytes"
        );
        assert!(second.take().unwrap().is_ok());
        // Whose answer it is can't be seen: that request runs into its deadline.
        let hidden = talk.call("c");
        talk.server.run();
        talk.server
            .send(format!(
                r#"{{"result":{},"jsonrpc":"2.0","id":4}}"#,
                text(&"x".repeat(10_000))
            ))
            .send(format!("{{\"method\":\"{}\"}}", "m".repeat(9_000)))
            .send(long(99))
            .run();
        assert!(hidden.take().is_none());
        let next = talk.call("d");
        talk.server.run().send(result(5, &text("x"))).run();
        assert!(next.take().unwrap().is_ok());
        talk.server.advance(SECOND * 60);
        assert!(hidden.take().unwrap().unwrap_err().is_timeout());
    }
}

#[test]
fn an_overlong_answer_to_the_probe_is_reported() {
    let (_, server, connecting) = connecting(builder());
    let mut server = server.with_line_limit(100);
    server.run().send(discovered(1, OFFERS)).run();
    let failed = connecting.take().unwrap().unwrap_err();
    assert!(matches!(
        why(failed.kind().clone()),
        (Disconnected::Overlong(100), true)
    ));
}

#[test]
fn the_last_handle_closes_the_connection() {
    let mut talk = Talk::modern();
    let other = talk.client.clone();
    let events = talk.client.events();
    let asked = talk.start(|c| async move { drop(c) });
    talk.server.run();
    drop(talk.client);
    drop(events);
    talk.server.run();
    assert!(!talk.server.is_let_go() && asked.take().is_some());
    drop(other);
    talk.server.run();
    assert!(talk.server.is_let_go());
}

/// What was told before the end is still told, and what runs fails at once.
#[test]
fn closing_sends_the_rest_and_fails_what_runs() {
    let mut talk = Talk::modern();
    let call = talk.call("a");
    drop(talk.server.run().take_sent());
    talk.client.notify("n", None).unwrap();
    let closed = talk.start(|c| async move { c.close().await });
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","method":"n","params":{}}"#]);
    assert!(closed.take().is_some() && talk.server.is_let_go());
    let failed = call.take().unwrap().unwrap_err();
    assert!(matches!(
        why(failed.kind().clone()),
        (Disconnected::Closed, true)
    ));
    assert_eq!(failed.to_string(), "s: `tools/call`: the client was closed");
    let closed = talk.start(|c| async move { c.close().await });
    talk.runtime.run();
    assert!(closed.take().is_some());
}

/// HST-05: a server that reads nothing can't hold the end up.
#[test]
fn closing_takes_two_seconds_at_most() {
    let mut talk = Talk::modern();
    talk.server.stop_reading();
    let mut talk = Talk {
        server: talk.server.with_capacity(1_000),
        ..talk
    };
    let big = "x".repeat(2 << 20);
    let call = talk.start(|c| async move { c.call_tool("t", json!({"x": big})).await });
    talk.server.run();
    let closed = talk.start(|c| async move { c.close().await });
    talk.server.run();
    assert!(matches!(
        why(kind(call.take())),
        (Disconnected::Closed, true)
    ));
    talk.server.advance(SECOND * 2 - SECOND / 1000);
    assert!(closed.take().is_none() && !talk.server.is_let_go());
    talk.server.advance(SECOND / 1000);
    assert!(closed.take().is_some() && talk.server.is_let_go());
}

/// A runtime whose tasks can be ended, as when tokio's ends.
#[derive(Clone)]
struct Mortal(TestRuntime, Arc<Mutex<Vec<AbortHandle>>>);

impl Runtime for Mortal {
    fn now(&self) -> std::time::Instant {
        self.0.now()
    }

    fn unix_time(&self) -> std::time::Duration {
        self.0.unix_time()
    }

    fn fill_random(&self, buffer: &mut [u8]) -> std::io::Result<()> {
        self.0.fill_random(buffer)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> BoxFuture<'static, ()> {
        self.0.sleep_until(deadline)
    }

    fn spawn(&self, future: BoxFuture<'static, ()>) -> Task {
        let (handle, registration) = AbortHandle::new_pair();
        self.1.lock().unwrap().push(handle);
        let future = Abortable::new(future, registration);
        self.0.spawn(Box::pin(async move {
            let _: Result<(), Aborted> = future.await;
        }))
    }

    fn blocking(&self, job: Job) {
        self.0.blocking(job);
    }
}

/// HST-03: nothing hangs and nothing panics.
#[test]
fn a_runtime_that_ends_ends_the_connection() {
    let runtime = TestRuntime::new();
    let mut server = ScriptedServer::new(&runtime);
    let mortal = Mortal(runtime.clone(), Arc::default());
    let connecting = runtime.start(builder().connect(server.transport(), mortal.clone()));
    server.run().send(discovered(1, OFFERS)).run();
    let client = connecting.take().unwrap().unwrap();
    let own = client.clone();
    let call = runtime.start(async move { own.call_tool("t", ()).await });
    let mut events = client.events();
    server.run();
    mortal.1.lock().unwrap().iter().for_each(AbortHandle::abort);
    server.run();
    assert!(server.is_let_go() && client.is_closed());
    assert!(matches!(
        why(kind(call.take())),
        (Disconnected::RuntimeEnded, true)
    ));
    assert_eq!(runtime.block_on(events.next()), None);
    runtime.block_on(client.close());
    let failed = runtime
        .block_on(async { client.call_tool("t", ()).await })
        .unwrap_err();
    assert!(matches!(
        why(failed.kind().clone()),
        (Disconnected::RuntimeEnded, false)
    ));
}

/// HST-13: a server that writes before it reads and a client that writes a lot do not wait for each other.
#[test]
fn reading_never_waits_for_writing() {
    let mut talk = Talk::modern();
    talk.server.stop_reading();
    let mut talk = Talk {
        server: talk.server.with_capacity(1_000),
        ..talk
    };
    let big = "x".repeat(9 << 20);
    let first = talk.start(|c| async move { c.call_tool("t", json!({"x": big})).await });
    talk.server.run();
    let big = "x".repeat(9 << 20);
    let second = talk.start(|c| async move { c.call_tool("t", json!({"x": big})).await });
    let third = talk.call("t");
    talk.server.run();
    let mut events = talk.client.events();
    for _ in 0..3_000 {
        talk.server.send(r#"{"jsonrpc":"2.0","method":"n"}"#);
    }
    talk.server.run();
    assert!(matches!(
        talk.runtime.block_on(events.next()),
        Some(mcp_core::client::Event::Lagged(_))
    ));
    let mut talk = Talk {
        server: talk.server.with_capacity(usize::MAX),
        ..talk
    };
    talk.server.resume_reading().run();
    for id in 2..5 {
        talk.server.send(result(id, &text("x")));
    }
    talk.server.run();
    for call in [first, second, third] {
        assert!(call.take().unwrap().is_ok());
    }
}

/// Pings are answered as long as the peer takes the answers: beyond 4 MiB of them nothing more is read.
#[test]
fn a_server_that_floods_and_reads_nothing_bounds_itself() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, OFFERS);
    talk.server.stop_reading();
    let mut talk = Talk {
        server: talk.server.with_capacity(1_000),
        ..talk
    };
    // Each answer is as long as the id that it repeats.
    let ping = |n: usize| {
        let id = format!("{n:01000}");
        format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping"}}"#)
    };
    for n in 0..10_000 {
        talk.server.send(ping(n));
    }
    talk.server.run();
    talk.server.send(result(2, &text("x")));
    let call = talk.call("t");
    talk.server.run();
    assert!(call.take().is_none(), "it was read though 4 MiB wait");
    // It fails in time though the server reads nothing.
    talk.server.advance(SECOND * 60);
    assert!(call.take().unwrap().unwrap_err().is_timeout());
    let mut talk = Talk {
        server: talk.server.with_capacity(usize::MAX),
        ..talk
    };
    talk.server.resume_reading().run();
    let sent = talk.server.take_sent();
    let answers = sent.iter().filter(|line| line.ends_with(r#""result":{}}"#));
    assert_eq!(answers.count(), 10_000);
}

/// FRM-02, and floods of everything that asks for nothing.
#[test]
fn floods_of_noise_cost_nothing_and_change_nothing() {
    let mut talk = Talk::modern();
    talk.server.stop_reading();
    let before = talk.server.unread();
    let call = talk.call("t");
    talk.server.run();
    let after = talk.server.unread();
    assert!(after > before);
    for turn in 0..2_000 {
        talk.server
            .send("not a message")
            .send("{\"jsonrpc\":\"2.0\",")
            .send(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
            .send(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#)
            .send(format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{turn}}}}}"#))
            .send(format!(r#"{{"jsonrpc":"2.0","id":{turn},"method":"roots/list"}}"#))
            .send(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
    }
    talk.server.run();
    assert_eq!(talk.server.unread(), after);
    talk.server.send(result(2, &text("x"))).run();
    assert!(call.take().unwrap().is_ok());
}

/// Requests that were dropped leave nothing behind, though nothing is read.
#[test]
fn requests_that_nobody_waits_for_any_more_are_not_sent_later() {
    let mut talk = Talk::modern();
    talk.server.stop_reading();
    let mut talk = Talk {
        server: talk.server.with_capacity(1_000),
        ..talk
    };
    for _ in 0..2 {
        let big = "x".repeat(2 << 20);
        drop(talk.start(|c| async move { c.call_tool("t", json!({"x": big})).await }));
        let big = "x".repeat(2 << 20);
        let call = talk.start(|c| async move { c.call_tool("t", json!({"x": big})).await });
        talk.server.run();
        drop(call);
    }
    for _ in 0..5_000 {
        let call = talk.call("t");
        talk.server.run();
        drop(call);
    }
    let mut talk = Talk {
        server: talk.server.with_capacity(usize::MAX),
        ..talk
    };
    let _last = talk.call("last");
    talk.server.resume_reading().run();
    let sent = talk.server.take_sent();
    let cancelled = sent
        .iter()
        .filter(|line| line.contains("notifications/cancelled"))
        .count();
    let calls = sent
        .iter()
        .filter(|line| line.contains("tools/call"))
        .count();
    assert_eq!(calls, cancelled + 1);
    assert!(calls < 10, "{calls}");
}

/// The bound on what may wait has a name of its own.
#[test]
fn sixty_five_thousand_requests_wait_and_no_more() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, OFFERS);
    let client = talk.client.clone();
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let mut calls: Vec<_> = (0..65_536)
        .map(|_| Box::pin(client.call_tool("t", ())))
        .collect();
    for call in &mut calls {
        assert!(call.as_mut().poll(&mut cx).is_pending());
    }
    let more = talk.call("t");
    talk.server.run();
    let failed = more.take().unwrap().unwrap_err();
    assert_eq!(
        failed.to_string(),
        "s: `tools/call`: too many requests wait for an answer"
    );
    assert!(!failed.is_outcome_unknown());
    drop(calls.pop());
    let more = talk.call("t");
    talk.server.run();
    assert!(more.take().is_none());
    talk.server.advance(SECOND * 60);
    assert!(more.take().unwrap().unwrap_err().is_timeout());
    for call in &mut calls {
        assert!(call.as_mut().poll(&mut cx).is_ready());
    }
}

/// CON-08.
#[test]
fn a_thousand_calls_at_once_are_answered_in_any_order() {
    let mut talk = Talk::modern();
    let calls: Vec<_> = (0..1_000).map(|_| talk.call("t")).collect();
    drop(talk.server.run().take_sent());
    for id in (2..1_002).rev() {
        talk.server.send(result(id, &text(&id.to_string())));
    }
    talk.server.run();
    for (id, call) in (2..).zip(calls) {
        assert_eq!(call.take().unwrap().unwrap().text(), id.to_string());
    }
    talk.server.assert_sent(&[]);
}

/// A client that is dropped with calls under way says so before it goes.
#[test]
fn a_call_dropped_with_the_last_handle_is_still_cancelled() {
    let mut talk = Talk::modern();
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    drop(talk.client);
    drop(call);
    talk.server
        .assert_sent(&[&modern_cancel(2, "the caller no longer waits")]);
    assert!(talk.server.is_let_go());
}
