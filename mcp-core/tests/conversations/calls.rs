//! Calls that run: side by side, cancelled, too long, panicking, blocking, on other tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Gate, Pair, TestRuntime};
use mcp_core::{Closed, Context, Server, tool};
use serde_json::Value;

use crate::talk::{
    Talk, call, cancel, error, failure, modern, modern_call, modern_failure, modern_text,
    modern_with, request, result, text,
};
use crate::tools::{Done, adder, server};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
const SECOND: Duration = Duration::from_secs(1);
const TOO_LONG: &str = "The tool took too long and was stopped.";
const PANICKED: &str = "The tool failed unexpectedly.";

/// CON-01
#[test]
fn a_slow_call_holds_up_nobody_and_is_cancelled_at_once() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.put(call(2, "wait", "{}")).put(request(3, "ping", ""));
    talk.put(call(4, "add", r#"{"a":1,"b":2}"#)).put(cancel(2));
    talk.say(request(5, "ping", ""))
        .hears(&[result(3, ""), text(4, "3"), result(5, "")]);
    assert_eq!(gate.waiting(), 0);
}

/// CON-07
#[test]
fn an_id_under_way_is_refused_and_the_first_call_goes_on() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    let twice = "another request with this id is still under way";
    talk.say(call(5, "wait", "{}"));
    talk.pair
        .send(request(5, "tools/list", ""))
        .send(request(5, "ping", ""))
        .run();
    talk.pair
        .assert_sent(&[&error(5, -32600, twice), &error(5, -32600, twice)]);
    // The integer and the string are two ids.
    talk.say(request(r#""5""#, "ping", ""))
        .hears(&[result(r#""5""#, "")]);
    gate.open();
    talk.pair.run();
    talk.hears(&[text(5, "waited")]);
    talk.say(request(5, "ping", "")).hears(&[result(5, "")]);
}

#[test]
fn an_id_under_way_can_still_be_cancelled_after_it_was_refused() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.pair
        .send(call(5, "wait", "{}"))
        .send(request(5, "ping", ""))
        .run();
    assert_eq!(talk.pair.take_sent().len(), 1);
    talk.say(cancel(5)).is_silent();
    assert_eq!(gate.waiting(), 0);
}

/// CON-08
#[test]
fn big_answers_of_concurrent_calls_never_mix() {
    /// A mebibyte of one letter.
    #[tool]
    async fn big(letter: char, gate: &Gate) -> String {
        gate.wait().await;
        std::iter::repeat_n(letter, 1 << 20).collect()
    }
    let gate = Gate::new();
    let pair =
        Pair::new(Server::new("s", "1").lend(gate.clone()).tool::<big>()).with_capacity(4096);
    let mut talk = Talk::over(pair);
    for (id, letter) in ('a'..='t').enumerate() {
        talk.say(modern_call(
            id,
            "big",
            &format!(r#"{{"letter":"{letter}"}}"#),
        ));
    }
    gate.open();
    talk.pair.run();
    let mut heard = talk.heard();
    heard.sort_by_key(String::len);
    assert_eq!(heard.len(), 20);
    for line in heard {
        let message: Value = serde_json::from_str(&line).unwrap();
        let letter = char::from(b'a' + u8::try_from(message["id"].as_u64().unwrap()).unwrap());
        let text = message["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.len() == 1 << 20 && text.chars().all(|c| c == letter));
    }
}

/// CON-10
#[test]
fn a_panic_is_the_result_of_its_call_without_its_text() {
    let (server, gate, _) = server();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "wait", "{}"))
        .say(modern_call(2, "panic_later", "{}"))
        .is_silent();
    talk.say(modern_call(3, "panic_now", "{}"))
        .hears(&[modern_failure(3, PANICKED)]);
    gate.open();
    talk.pair.run();
    let mut heard = talk.heard();
    heard.sort();
    assert_eq!(
        heard,
        [modern_text(1, "waited"), modern_failure(2, PANICKED)]
    );
    talk.say(modern_call(4, "add", r#"{"a":1,"b":2}"#))
        .hears(&[modern_text(4, "3")]);
}

#[test]
fn a_panic_in_a_thread_or_a_task_is_the_same() {
    /// Panics where it blocks.
    #[tool(blocking)]
    fn explode() {
        panic!("the password is hunter2");
    }
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.spawn_handlers(true).tool::<explode>(), V2025_11);
    talk.say(call(1, "explode", "{}"))
        .hears(&[failure(1, PANICKED)]);
    talk.say(call(2, "panic_later", "{}")).is_silent();
    gate.open();
    talk.pair.run();
    talk.hears(&[failure(2, PANICKED)]);
}

/// CAN-01
#[test]
fn a_cancelled_call_is_dropped_and_never_heard_of_again() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":2}}"#;
    talk.say(request(
        7,
        "tools/call",
        r#""name":"wait","_meta":{"progressToken":7}"#,
    ))
    .hears(&[progress]);
    assert_eq!(gate.waiting(), 1);
    talk.say(cancel(7)).is_silent();
    assert_eq!(gate.waiting(), 0, "the handler is gone");
    gate.open();
    talk.pair.advance(SECOND * 12);
    talk.is_silent();
    talk.say(call(7, "add", r#"{"a":1,"b":2}"#))
        .hears(&[text(7, "3")]);
}

#[test]
fn a_context_kept_after_its_call_was_cancelled_or_answered_says_nothing() {
    /// Leaves its context behind.
    #[tool]
    async fn leak(cx: &Context, kept: &Kept, gate: &Gate) {
        kept.0.lock().unwrap().push(cx.clone());
        gate.wait().await;
    }
    #[derive(Clone, Default)]
    struct Kept(Arc<std::sync::Mutex<Vec<Context>>>);
    let (kept, gate) = (Kept::default(), Gate::new());
    let server = Server::new("s", "1")
        .lend(kept.clone())
        .lend(gate.clone())
        .tool::<leak>();
    let mut talk = Talk::session(server, V2025_11);
    let with_token = |id: u32| {
        let meta = format!(r#""name":"leak","_meta":{{"progressToken":{id}}}"#);
        request(id, "tools/call", &meta)
    };
    talk.say(with_token(1))
        .say(with_token(2))
        .say(cancel(1))
        .is_silent();
    let contexts = kept.0.lock().unwrap().clone();
    assert_eq!(
        [contexts[0].is_cancelled(), contexts[1].is_cancelled()],
        [true, false]
    );
    talk.pair.runtime().block_on(contexts[0].cancelled());
    gate.open();
    talk.pair.run();
    talk.hears(&[text(2, "")]);
    assert!(contexts[1].is_cancelled());
    for context in contexts {
        context.progress(1, 2);
        context.log(mcp_core::LoggingLevel::Error, "late");
    }
    talk.pair.run();
    talk.is_silent();
}

#[test]
fn a_tool_that_finishes_runs_on_when_it_is_cancelled_and_is_not_answered() {
    let (server, gate, done) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(call(1, "commit", "{}")).say(cancel(1)).is_silent();
    assert_eq!(gate.waiting(), 1, "it is still at it");
    gate.open();
    talk.pair.run();
    talk.is_silent();
    assert_eq!(done.count(), 1);
}

/// CAN-03
#[test]
fn cancelling_what_does_not_run_is_ignored() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(call(1, "wait", "{}"));
    talk.say(cancel(424_242))
        .say(cancel("null"))
        .say(cancel("1.0"))
        .say(cancel(r#""1""#));
    talk.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#);
    talk.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#);
    talk.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#)
        .is_silent();
    assert_eq!(gate.waiting(), 1);
}

/// Takes as long as it is told.
#[tool]
async fn sleep(seconds: u64, runtime: &TestRuntime) -> &'static str {
    runtime
        .sleep(SECOND * u32::try_from(seconds).unwrap())
        .await;
    "slept"
}

/// Takes as long as it is told, but five seconds at most.
#[tool(deadline = "5s")]
async fn nap(seconds: u64, runtime: &TestRuntime) -> &'static str {
    runtime
        .sleep(SECOND * u32::try_from(seconds).unwrap())
        .await;
    "napped"
}

/// Takes as long as it is told, and keeps everybody waiting.
#[tool]
fn dawdle(seconds: u64, runtime: &TestRuntime) -> &'static str {
    runtime.advance(SECOND * u32::try_from(seconds).unwrap());
    "at last"
}

fn sleepers() -> (Talk, TestRuntime) {
    let runtime = TestRuntime::new();
    let server = Server::new("s", "1")
        .lend(runtime.clone())
        .tool_deadline(SECOND * 10)
        .tool::<sleep>()
        .tool::<nap>()
        .tool::<dawdle>();
    (
        Talk::over(Pair::new(server).with_runtime(&runtime)),
        runtime,
    )
}

#[test]
fn a_slow_call_is_ended_at_its_deadline() {
    let (mut talk, runtime) = sleepers();
    talk.say(modern_call(1, "sleep", r#"{"seconds":11}"#));
    talk.say(modern_call(2, "nap", r#"{"seconds":6}"#));
    talk.say(modern_call(3, "nap", r#"{"seconds":4}"#))
        .is_silent();
    talk.pair.advance(SECOND * 4);
    talk.hears(&[modern_text(3, "napped")]);
    talk.pair.advance(SECOND - Duration::from_millis(1));
    talk.is_silent();
    talk.pair.advance(Duration::from_millis(1));
    talk.hears(&[modern_failure(2, TOO_LONG)]);
    talk.pair.advance(SECOND * 5);
    talk.hears(&[modern_failure(1, TOO_LONG)]);
    assert_eq!(
        runtime.next_timer(),
        None,
        "the handlers are gone with their timers"
    );
}

#[test]
fn what_runs_in_place_is_answered_though_the_deadline_of_the_server_has_passed() {
    let (mut talk, runtime) = sleepers();
    talk.say(modern_call(1, "dawdle", r#"{"seconds":11}"#))
        .hears(&[modern_text(1, "at last")]);
    assert_eq!(runtime.next_timer(), None);
}

#[test]
fn a_call_that_keeps_its_deadline_is_not_ended_by_it_later() {
    let (mut talk, _) = sleepers();
    talk.say(modern_call(1, "sleep", r#"{"seconds":9}"#));
    talk.pair.advance(SECOND * 9);
    talk.hears(&[modern_text(1, "slept")]);
    talk.pair.advance(SECOND * 100);
    talk.is_silent();
}

/// LIF-12
#[test]
fn the_end_of_input_lets_calls_finish_within_the_drain_deadline() {
    let (mut talk, _) = sleepers();
    talk.say(modern_call(1, "sleep", r#"{"seconds":3}"#));
    talk.pair.end_input().run();
    assert!(talk.pair.closed().is_none());
    talk.pair.advance(SECOND * 3);
    talk.hears(&[modern_text(1, "slept")]);
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
}

#[test]
fn what_is_not_done_at_the_drain_deadline_is_dropped() {
    let (mut talk, runtime) = sleepers();
    talk.say(modern_call(1, "sleep", r#"{"seconds":7}"#));
    talk.pair.end_input().advance(SECOND * 5);
    talk.is_silent();
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
    assert_eq!(runtime.next_timer(), None);
}

/// LIF-11
#[test]
fn a_cancelled_call_that_finishes_does_not_hold_the_end_up_for_ever() {
    let (server, gate, done) = server();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "commit", "{}")).say(cancel(1));
    talk.pair.end_input().run();
    assert!(talk.pair.closed().is_none(), "it has its time to finish");
    talk.pair.advance(SECOND * 5);
    talk.is_silent();
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
    assert_eq!((gate.waiting(), done.count()), (0, 0));
}

/// LIF-13
#[test]
fn a_server_told_to_stop_answers_what_is_under_way_and_takes_nothing_new() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(call(1, "wait", "{}"));
    talk.pair.shut_down().run();
    talk.say(request(2, "ping", "")).is_silent();
    gate.open();
    talk.pair.run();
    talk.hears(&[text(1, "waited")]);
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::Shutdown))));
}

#[test]
fn an_idle_server_stops_at_once() {
    let mut talk = Talk::session(adder(), V2025_11);
    talk.pair.shut_down().run();
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::Shutdown))));
    let mut talk = Talk::new(adder());
    talk.pair.end_input().run();
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
}

#[test]
fn a_drain_deadline_beyond_all_time_is_none() {
    let (server, gate, _) = server();
    let mut talk = Talk::new(server.drain_deadline(Duration::MAX));
    talk.say(modern_call(1, "wait", "{}"));
    talk.pair.end_input().advance(SECOND * 1_000_000);
    assert!(talk.pair.closed().is_none());
    gate.open();
    talk.pair.run();
    talk.hears(&[modern_text(1, "waited")]);
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
}

/// LIF-14
#[test]
fn a_peer_that_hangs_up_takes_its_calls_along() {
    let (server, gate, _) = server();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "wait", "{}"));
    talk.pair
        .send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"meth")
        .run();
    assert_eq!(gate.waiting(), 1);
    talk.pair.hang_up().run();
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::PeerGone))));
    assert_eq!(gate.waiting(), 0);
}

/// CON-02
#[test]
fn a_blocking_tool_runs_beside_and_holds_nobody_up() {
    /// Shouts.
    #[tool(blocking)]
    fn shout(text: &str, done: &Done) -> String {
        done.0.fetch_add(1, Ordering::Relaxed);
        text.to_uppercase()
    }
    let done = Done::default();
    let mut talk = Talk::session(
        Server::new("s", "1").lend(done.clone()).tool::<shout>(),
        V2025_11,
    );
    talk.pair.runtime().hold_jobs();
    for id in 0..4 {
        talk.say(call(id, "shout", r#"{"text":"a"}"#));
    }
    talk.say(request(9, "ping", "")).hears(&[result(9, "")]);
    assert_eq!(talk.pair.runtime().waiting_jobs(), 4);
    talk.say(cancel(0)).is_silent();
    talk.pair.runtime().release_jobs();
    talk.pair.run();
    let mut heard = talk.heard();
    heard.sort();
    assert_eq!(heard, [text(1, "A"), text(2, "A"), text(3, "A")]);
    assert_eq!(
        done.count(),
        4,
        "a job that was cancelled cannot be stopped"
    );
}

#[test]
fn spawned_handlers_are_answered_cancelled_and_ended_like_others() {
    let runtime = TestRuntime::new();
    let (server, gate, done) = server();
    let server = server
        .lend(runtime.clone())
        .tool::<nap>()
        .spawn_handlers(true);
    let mut talk = Talk::over(Pair::new(server).with_runtime(&runtime));
    talk.say(modern_call(1, "wait", "{}"))
        .say(modern_call(2, "wait", "{}"));
    talk.say(modern_call(3, "commit", "{}"))
        .say(modern_call(4, "nap", r#"{"seconds":6}"#))
        .is_silent();
    assert_eq!(gate.waiting(), 3);
    talk.say(cancel(2)).say(cancel(3)).is_silent();
    assert_eq!(gate.waiting(), 2);
    talk.pair.advance(SECOND * 5);
    talk.hears(&[modern_failure(4, TOO_LONG)]);
    gate.open();
    talk.pair.run();
    talk.hears(&[modern_text(1, "waited")]);
    assert_eq!(done.count(), 1);
    assert_eq!(runtime.next_timer(), None);
}

#[test]
fn a_connection_that_is_dropped_takes_its_spawned_handlers_along() {
    let (server, gate, _) = server();
    let mut pair = Pair::new(server.spawn_handlers(true));
    let runtime = pair.runtime().clone();
    pair.send(modern_call(1, "wait", "{}")).run();
    assert_eq!(gate.waiting(), 1);
    drop(pair);
    runtime.run();
    assert_eq!(gate.waiting(), 0);
}

#[test]
fn calls_beyond_the_limit_wait_for_others_in_the_order_they_came() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.in_flight_limit(2), V2025_11);
    for id in 0..5 {
        talk.say(call(id, "wait", "{}"));
    }
    assert_eq!((gate.waiting(), talk.pair.untaken()), (2, 0));
    for id in 0..2 {
        gate.pass_one();
        talk.pair.run();
        talk.hears(&[text(id, "waited")]);
        assert_eq!(gate.waiting(), 2);
    }
    gate.open();
    talk.pair.run();
    talk.hears(&[text(2, "waited"), text(3, "waited"), text(4, "waited")]);
}

#[test]
fn a_session_at_its_limit_goes_on_with_all_but_calls() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.in_flight_limit(1), V2025_11);
    for id in 0..3 {
        talk.say(call(id, "wait", "{}"));
    }
    talk.say(request(7, "ping", "")).hears(&[result(7, "")]);
    let twice = "another request with this id is still under way";
    talk.pair.send(call(2, "wait", "{}")).run();
    talk.pair.assert_sent(&[&error(2, -32600, twice)]);
    talk.say(cancel(1)).is_silent();
    talk.say(cancel(0)).is_silent();
    assert_eq!(gate.waiting(), 1, "the last of three");
    gate.open();
    talk.pair.run();
    talk.hears(&[text(2, "waited")]);
    talk.say(call(1, "wait", "{}")).hears(&[text(1, "waited")]);
}

#[test]
fn a_batch_of_more_calls_than_may_run_is_answered_whole() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.in_flight_limit(2), ProtocolVersion::V2025_03_26);
    let members: Vec<_> = (0..5).map(|id| call(id, "wait", "{}")).collect();
    talk.say(format!("[{},{}]", members.join(","), cancel(3)));
    assert_eq!(gate.waiting(), 2);
    gate.open();
    talk.pair.run();
    let answers: Vec<_> = [0, 1, 2, 4].map(|id| text(id, "waited")).into();
    talk.hears(&[format!("[{}]", answers.join(","))]);
}

#[test]
fn the_end_of_input_is_seen_though_every_handler_hangs_and_more_wait() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server.in_flight_limit(4), V2025_11);
    for id in 0..1000 {
        talk.put(call(id, "wait", "{}"));
    }
    talk.pair.end_input().run();
    assert_eq!(gate.waiting(), 4);
    talk.pair.advance(Duration::from_secs(6));
    assert!(matches!(talk.pair.closed(), Some(Ok(Closed::EndOfInput))));
    assert_eq!(gate.waiting(), 0);
}

#[test]
fn calls_that_wait_for_others_get_their_turn_after_the_end_of_input() {
    /// Sleeps for three seconds.
    #[tool]
    async fn nap(runtime: &TestRuntime) -> &'static str {
        runtime.sleep(Duration::from_secs(3)).await;
        "rested"
    }
    for told_to_stop in [false, true] {
        let runtime = TestRuntime::new();
        let server = Server::new("s", "1")
            .lend(runtime.clone())
            .tool::<nap>()
            .in_flight_limit(1);
        let pair = Pair::new(server).with_runtime(&runtime);
        let mut talk = Talk::over(pair).opened(V2025_11);
        for id in 0..4 {
            talk.say(call(id, "nap", "{}"));
        }
        if told_to_stop {
            talk.pair.shut_down().run();
        } else {
            talk.pair.end_input().run();
        }
        talk.pair.advance(Duration::from_secs(20));
        assert!(talk.pair.closed().is_some());
        // Who tells a server to stop does not wait for everything that was ever asked of it.
        assert_eq!(talk.heard().len(), if told_to_stop { 1 } else { 4 });
    }
}

#[test]
fn subscriptions_do_not_count_as_calls_under_way() {
    let mut talk = Talk::new(adder().in_flight_limit(1));
    for id in 0..3 {
        talk.say(modern(id, "subscriptions/listen", r#""notifications":{}"#));
        assert_eq!(talk.heard().len(), 1);
    }
    talk.say(modern_call(9, "add", r#"{"a":1,"b":2}"#))
        .hears(&[modern_text(9, "3")]);
}

/// CON-02
#[test]
fn a_tool_that_holds_the_session_is_warned_of_once_by_name() {
    /// Sees to it that time passes.
    #[tool]
    fn linger(runtime: &TestRuntime) {
        runtime.advance(Duration::from_millis(11));
    }
    /// Is fast enough.
    #[tool]
    fn hurry(runtime: &TestRuntime) {
        runtime.advance(Duration::from_millis(10));
    }
    let warnings = Warnings::default();
    let runtime = TestRuntime::new();
    let server = Server::new("s", "1")
        .lend(runtime.clone())
        .tool::<linger>()
        .tool::<hurry>();
    tracing::subscriber::with_default(warnings.clone(), || {
        let mut talk = Talk::over(Pair::new(server).with_runtime(&runtime));
        for id in 0..3 {
            talk.say(modern_call(id, "linger", "{}"));
            talk.say(modern_call(id + 10, "hurry", "{}"));
        }
        assert_eq!(talk.heard().len(), 6);
    });
    assert_eq!(*warnings.slow.lock().unwrap(), ["linger"]);
}

/// Collects the names of the tools that are warned of.
#[derive(Clone, Default)]
struct Warnings {
    slow: Arc<std::sync::Mutex<Vec<String>>>,
    spans: Arc<AtomicUsize>,
}

impl tracing::Subscriber for Warnings {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        let n = self.spans.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::span::Id::from_u64(n as u64)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Tool<'w>(&'w Warnings);
        impl tracing::field::Visit for Tool<'_> {
            fn record_str(&mut self, field: &tracing::field::Field, value: &str) {
                if field.name() == "name" {
                    self.0.slow.lock().unwrap().push(value.to_owned());
                }
            }

            fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}
        }
        event.record(&mut Tool(self));
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn progress_of_a_modern_call_is_told_before_it_is_answered() {
    let (server, gate, _) = server();
    let mut talk = Talk::new(server);
    talk.say(modern_with(
        1,
        "tools/call",
        r#""name":"wait""#,
        r#""progressToken":0"#,
    ));
    assert_eq!(talk.heard().len(), 1);
    gate.open();
    talk.pair.run();
    let heard = talk.heard();
    assert!(heard[0].contains("notifications/progress") && heard[1].contains(r#""id":1"#));
}
