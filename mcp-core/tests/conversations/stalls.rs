//! What must not stall, spin or grow, whatever holds it up.

use std::future::{Future, pending};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Gate, Pair, TestRuntime};
use mcp_core::transport::{Incoming, Transport};
use mcp_core::{Closed, Context, LoggingLevel, Server, tool};

use crate::talk::{Talk, call, cancel, error, request, result, text};
use crate::tools::server;

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// Never ends, not even when it is stopped.
#[tool(deadline = "1s", finishes)]
async fn hang() {
    pending::<()>().await;
}

/// Says a lot when it may.
#[tool]
async fn recite(gate: &Gate) -> String {
    gate.wait().await;
    "x".repeat(1 << 17)
}

#[test]
fn a_session_that_drains_ends_in_time_though_the_peer_stopped_reading_and_a_call_was_overdue() {
    let gate = Gate::new();
    let server = Server::new("s", "1")
        .lend(gate.clone())
        .tool::<hang>()
        .tool::<recite>();
    let mut talk = Talk::over(Pair::new(server).with_capacity(64)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(call(1, "hang", "{}")).say(call(2, "recite", "{}"));
    talk.pair.end_input().run();
    gate.open();
    talk.pair.run();
    assert!(talk.pair.closed().is_none());
    talk.pair.advance(Duration::from_secs(6));
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
}

/// Says more than a session lets wait.
#[tool]
async fn recite_much(gate: &Gate) -> String {
    gate.wait().await;
    "x".repeat(3 << 20)
}

/// A gate of its own.
struct Second(Gate);

/// Logs when it may, and hangs.
#[tool(deadline = "1s")]
async fn log_and_hang(cx: &Context, second: &Second) {
    second.0.wait().await;
    cx.log(LoggingLevel::Error, "stuck");
    pending::<()>().await;
}

#[test]
fn what_an_overdue_call_has_logged_comes_before_its_answer_though_the_peer_reads_late() {
    let (gate, second) = (Gate::new(), Gate::new());
    let server = Server::new("s", "1")
        .lend(gate.clone())
        .lend(Second(second.clone()))
        .tool::<log_and_hang>()
        .tool::<recite>();
    let mut talk = Talk::over(Pair::new(server).with_capacity(64)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(call(1, "log_and_hang", "{}"))
        .say(call(2, "recite", "{}"));
    gate.open();
    talk.pair.run();
    second.open();
    talk.pair.run().advance(Duration::from_secs(1));
    talk.pair.resume_reading().run();
    let heard = talk.heard();
    assert_eq!(heard.len(), 3);
    assert!(heard[1].contains("stuck") && heard[2].contains(r#""id":1"#));
}

#[test]
fn what_was_held_back_is_told_as_soon_as_the_peer_reads_again() {
    let (gate, second) = (Gate::new(), Gate::new());
    let server = Server::new("s", "1")
        .lend(gate.clone())
        .lend(Second(second.clone()))
        .tool::<log_and_hang>()
        .tool::<recite_much>();
    let mut talk = Talk::over(Pair::new(server).with_capacity(1 << 16)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(call(1, "log_and_hang", "{}"))
        .say(call(2, "recite_much", "{}"))
        .say(call(3, "recite_much", "{}"));
    gate.pass_one();
    talk.pair.run();
    second.open();
    talk.pair.run();
    gate.pass_one();
    talk.pair.run().resume_reading().run();
    let heard = talk.heard();
    assert_eq!(heard.len(), 3, "the call that logged still runs");
    assert!(heard[2].contains("notifications/message") && heard[2].contains("dropped"));
    talk.pair.advance(Duration::from_secs(1));
    assert_eq!(talk.heard().len(), 1);
}

#[test]
fn calls_that_finish_though_they_were_cancelled_count_against_the_limit() {
    let (server, gate, done) = server();
    let mut talk = Talk::session(server.in_flight_limit(8), V2025_11);
    for id in 0..100 {
        talk.put(call(id, "commit", "{}")).put(cancel(id));
    }
    talk.put(call("\"last\"", "echo", r#"{"text":"x"}"#));
    talk.pair.run();
    assert_eq!(gate.waiting(), 8, "handlers that run");
    gate.open();
    talk.pair.run();
    assert_eq!(
        done.count(),
        8,
        "the others were cancelled before they began"
    );
    assert_eq!(talk.heard().last(), Some(&text("\"last\"", "x")));
}

/// Wants a thread.
#[tool(blocking)]
fn block() -> &'static str {
    "blocked"
}

#[test]
fn blocking_calls_that_were_cancelled_before_there_was_a_thread_never_run() {
    let mut talk = Talk::session(Server::new("s", "1").tool::<block>(), V2025_11);
    talk.pair.runtime().hold_jobs();
    for id in 0..1000 {
        talk.put(call(id, "block", "{}")).put(cancel(id));
    }
    talk.say(call(1000, "block", "{}")).is_silent();
    assert_eq!(talk.pair.runtime().waiting_jobs(), 64);
    talk.pair.runtime().release_jobs();
    talk.pair.run();
    talk.hears(&[text(1000, "blocked")]);
}

#[test]
fn a_call_that_its_own_batch_cancels_never_begins() {
    let server = Server::new("s", "1").tool::<block>();
    let mut talk = Talk::session(server, ProtocolVersion::V2025_03_26);
    talk.pair.runtime().hold_jobs();
    let batch = [call(1, "block", "{}"), cancel(1), request(2, "ping", "")].join(",");
    talk.say(format!("[{batch}]"));
    assert_eq!(talk.pair.runtime().waiting_jobs(), 0);
    talk.hears(&[format!("[{}]", result(2, ""))]);
}

#[test]
fn so_many_calls_may_wait_and_no_more_is_read() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.in_flight_limit(1), V2025_11);
    for id in 0..16_484 {
        talk.pair.send(call(id, "wait", "{}"));
    }
    talk.pair.run();
    assert_eq!((gate.waiting(), talk.pair.untaken()), (1, 99));
    gate.pass_one();
    talk.pair.run();
    assert_eq!((gate.waiting(), talk.pair.untaken()), (1, 98));
    gate.open();
    talk.pair.run();
    assert_eq!(talk.pair.take_sent().len(), 16_484);
}

/// Waits for its client.
#[tool]
async fn count_roots(cx: &Context) -> String {
    cx.roots().await.len().to_string()
}

#[test]
fn answers_are_read_though_as_many_calls_wait_as_may() {
    let server = (Server::new("s", "1").in_flight_limit(2)).tool::<count_roots>();
    let mut talk = Talk::new(server).opened_as(V2025_11, r#"{"roots":{}}"#);
    for id in 0..2 + 16_384 {
        talk.put(call(id, "count_roots", "{}"));
    }
    talk.pair.run();
    assert_eq!(talk.heard().len(), 2, "questions");
    let full = "this connection has as many calls under way as it may";
    talk.say(call(20_000, "count_roots", "{}"))
        .hears(&[error(20_000, -32603, full)]);
    talk.say(request(20_001, "tools/list", ""))
        .hears(&[error(20_001, -32603, full)]);
    (talk.say(request(20_002, "ping", ""))).hears(&[result(20_002, "")]);
    let again = "another request with this id is still under way";
    (talk.say(call(7, "count_roots", "{}"))).hears(&[error(7, -32600, again)]);
    talk.say(result(1, r#""roots":[]"#));
    let heard = talk.heard();
    assert_eq!(heard[0], text(0, "0"));
    assert!(heard[1].contains("roots/list") && heard.len() == 2);
    // There is room for one more.
    talk.say(call(20_003, "count_roots", "{}")).is_silent();
    talk.say(call(20_004, "count_roots", "{}"))
        .hears(&[error(20_004, -32603, full)]);
    talk.say(cancel(20_003)).is_silent();
    talk.say(call(20_005, "count_roots", "{}")).is_silent();
}

#[test]
fn answers_are_read_though_the_messages_of_calls_are_as_long_as_may() {
    let server = Server::new("s", "1").tool::<count_roots>();
    let mut talk = Talk::new(server).opened_as(V2025_11, r#"{"roots":{}}"#);
    let filler = "x".repeat(8 << 20);
    let members = format!(r#""name":"count_roots","arguments":{{}},"_meta":{{"x":"{filler}"}}"#);
    for id in 0..9 {
        talk.pair.send(request(id, "tools/call", &members));
    }
    talk.pair.run();
    let heard = talk.pair.take_sent();
    assert_eq!(heard.len(), 9);
    assert!(heard[8].contains(r#""id":8,"error":{"code":-32603"#));
    talk.pair.send(result(1, r#""roots":[]"#)).run();
    assert_eq!(talk.pair.take_sent(), [text(0, "0")]);
}

#[test]
fn a_peer_that_reads_nothing_is_heard_all_the_same() {
    let (server, gate, _) = server();
    let mut talk = Talk::over(Pair::new(server).with_capacity(64)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.pair.send(call(0, "wait", "{}"));
    let text_of = "x".repeat(1 << 16);
    for id in 1..100 {
        talk.pair
            .send(call(id, "echo", &format!(r#"{{"text":"{text_of}"}}"#)));
    }
    talk.pair.run();
    assert_eq!(gate.waiting(), 1);
    talk.pair.send(cancel(0));
    talk.pair.run();
    assert_eq!((gate.waiting(), talk.pair.untaken()), (0, 0));
    talk.pair.resume_reading().run();
    assert_eq!(talk.pair.take_sent().len(), 99);

    talk.pair.stop_reading();
    for id in 1..100 {
        talk.pair
            .send(call(id, "echo", &format!(r#"{{"text":"{text_of}"}}"#)));
    }
    talk.pair.end_input().run();
    talk.pair.advance(Duration::from_secs(6));
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
}

#[test]
fn pings_of_a_peer_that_reads_nothing_are_bounded() {
    let mut talk = Talk::over(Pair::new(Server::new("s", "1")).with_capacity(64)).opened(V2025_11);
    talk.pair.stop_reading();
    for id in 0..200_000 {
        talk.pair.send(request(id, "ping", ""));
    }
    talk.pair.run();
    let answered = 200_000 - talk.pair.untaken();
    let bytes = answered * result(100_000, "").len();
    assert!(bytes > 1 << 20 && bytes < 3 << 20, "{bytes}");
    talk.pair.resume_reading().run();
    assert_eq!(talk.pair.take_sent().len(), 200_000);
}

#[test]
fn answers_that_wait_for_the_rest_of_their_batch_are_bounded() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, ProtocolVersion::V2025_03_26);
    let text_of = "x".repeat(4 << 20);
    for id in 0..12 {
        let slow = call(format!("\"slow {id}\""), "wait", "{}");
        let big = call(id, "echo", &format!(r#"{{"text":"{text_of}"}}"#));
        talk.pair.send(format!("[{slow},{big}]"));
    }
    talk.pair.run();
    assert_eq!(
        gate.waiting(),
        8,
        "batches of four megabytes that were taken in"
    );
    gate.open();
    talk.pair.run();
    assert_eq!(talk.pair.take_sent().len(), 12);
}

#[test]
fn long_messages_of_calls_under_way_are_bounded() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    let filler = "x".repeat(8 << 20);
    for id in 0..12 {
        let members = format!(r#""name":"wait","arguments":{{}},"_meta":{{"x":"{filler}"}}"#);
        talk.pair.send(request(id, "tools/call", &members));
    }
    talk.pair.run();
    assert_eq!(gate.waiting(), 8, "messages of eight megabytes");
    gate.pass_one();
    talk.pair.run();
    assert_eq!(gate.waiting(), 8, "one ended and one began");
    gate.open();
    talk.pair.run();
    assert_eq!(talk.pair.take_sent().len(), 12);
}

/// A peer that always has something to say, up to a million things, and always listens.
struct Chatty {
    left: u32,
}

impl Transport for Chatty {
    fn poll_receive(&mut self, _cx: &mut TaskContext<'_>) -> Poll<io::Result<Option<Incoming>>> {
        let frame = (self.left > 0).then(|| Incoming::Frame(request(1, "ping", "").into()));
        self.left = self.left.saturating_sub(1);
        Poll::Ready(Ok(frame))
    }

    fn poll_send(&mut self, _cx: &mut TaskContext<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }
}

#[test]
fn a_peer_that_never_pauses_does_not_keep_the_thread() {
    let server = Server::new("s", "1").build().unwrap();
    let runtime = Arc::new(TestRuntime::new());
    let mut session = pin!(server.serve(Chatty { left: 1 << 20 }, runtime, pending()));
    let mut cx = TaskContext::from_waker(Waker::noop());
    let mut polls = 0;
    while session.as_mut().poll(&mut cx).is_pending() {
        polls += 1;
    }
    assert!(polls > 100, "{polls}");
}

/// Panics when it is dropped, too.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the destructor failed");
    }
}

/// Holds what must not be dropped.
#[tool(deadline = "1s")]
async fn arm() {
    let _bomb = Bomb;
    pending::<()>().await;
}

#[test]
fn a_handler_whose_destructor_panics_takes_nobody_along() {
    for spawn in [false, true] {
        let server = Server::new("s", "1").tool::<arm>().spawn_handlers(spawn);
        let mut talk = Talk::session(server, V2025_11);
        talk.say(call(1, "arm", "{}")).say(cancel(1)).is_silent();
        talk.say(call(2, "arm", "{}"));
        talk.pair.advance(Duration::from_secs(1));
        assert_eq!(talk.heard().len(), 1);
        talk.say(call(3, "arm", "{}")).pair.end_input().run();
        talk.pair.advance(Duration::from_secs(6));
        assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
    }
}

/// Logs JSON that was written over several lines.
#[tool]
fn log_raw(cx: &Context) {
    let raw = serde_json::value::RawValue::from_string("{\n\"a\":\r\n1}".to_owned()).unwrap();
    cx.log(LoggingLevel::Error, raw);
}

#[test]
fn log_data_of_several_lines_is_sent_on_one() {
    let mut talk = Talk::session(Server::new("s", "1").tool::<log_raw>(), V2025_11);
    talk.say(call(1, "log_raw", "{}"));
    let heard = talk.heard();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].contains(r#""data":{"a":1}"#), "{heard:?}");
}
