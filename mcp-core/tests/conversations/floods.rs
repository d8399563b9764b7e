//! Peers that send too much, read too slowly, or go away in the middle.

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Gate, Pair, flood, splits};
use mcp_core::{Closed, Context, LoggingLevel, Server, tool};

use crate::talk::{
    INITIALIZED, Talk, call, initialize, modern_call, modern_text, request, result, text,
};
use crate::tools::{adder, server};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

#[test]
fn ten_thousand_requests_of_a_peer_that_reads_nothing_stay_bounded() {
    let (server, ..) = server();
    let mut talk = Talk::over(Pair::new(server).with_capacity(1 << 16)).opened(V2025_11);
    talk.pair.stop_reading();
    let text_of = "x".repeat(1000);
    let params = format!(r#""name":"echo","arguments":{{"text":"{text_of}"}}"#);
    for line in flood(10_000, 0, "tools/call", &format!("{{{params}}}")) {
        talk.put(line);
    }
    talk.pair.run();
    // About a thousand bytes each: what is read is bounded by the answers and by the calls that may wait.
    let taken = 10_000 - talk.pair.untaken();
    assert!((1_000..9_500).contains(&taken), "{taken}");
    assert_eq!(talk.pair.unread(), 1 << 16);
    talk.pair.resume_reading().run();
    let heard = talk.pair.take_sent();
    assert_eq!(heard.len(), 10_000);
    assert_eq!(heard[9_999], text(9_999, &text_of));
}

#[test]
fn a_flood_of_slow_calls_stays_within_the_limit() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_11);
    for line in flood(10_000, 0, "tools/call", r#"{"name":"wait"}"#) {
        talk.put(line);
    }
    talk.pair.run();
    assert_eq!((gate.waiting(), talk.pair.untaken()), (1024, 0));
    gate.open();
    talk.pair.run();
    assert_eq!(talk.heard().len(), 10_000);
}

#[test]
fn a_peer_that_reads_byte_by_byte_gets_every_line_whole() {
    let (server, ..) = server();
    let mut talk = Talk::over(Pair::new(server).with_capacity(1)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(call(1, "echo", r#"{"text":"é\n"}"#))
        .say(request(2, "ping", ""));
    let expected = [text(1, "é\n"), result(2, "")];
    let bytes: usize = expected.iter().map(|line| line.len() + 1).sum();
    for _ in 0..bytes {
        assert_eq!(talk.pair.read(1), 1);
        talk.pair.run();
    }
    assert_eq!(talk.pair.read(1), 0);
    talk.hears(&expected);
}

#[test]
fn every_cut_of_a_whole_conversation_gives_the_same_answers() {
    let lines = [
        initialize("i", "2025-11-25"),
        INITIALIZED.to_owned(),
        call(1, "echo", r#"{"text":"é"}"#),
        "{".to_owned(),
        modern_call(2, "echo", r#"{"text":"ü"}"#),
    ];
    let input = lines.join("\n") + "\n";
    let answers = |head: &[u8], tail: &[u8]| {
        let (server, ..) = server();
        let mut pair = Pair::new(server);
        pair.send_bytes(head).run();
        pair.send_bytes(tail).end_input().run();
        assert!(matches!(pair.closed(), Some(Ok(Closed::EndOfInput))));
        pair.take_sent()
    };
    let expected = answers(input.as_bytes(), b"");
    assert_eq!(expected[1..], [text(1, "é"), modern_text(2, "ü")]);
    for (head, tail) in splits(input.as_bytes()) {
        assert_eq!(answers(head, tail), expected);
    }
}

#[test]
fn a_peer_gone_at_any_byte_ends_the_session_and_its_calls() {
    let line = format!("{}\n", modern_call(2, "wait", "{}"));
    for (head, _) in splits(line.as_bytes()) {
        let (server, gate, _) = server();
        let mut pair = Pair::new(server);
        pair.send(modern_call(1, "wait", "{}")).run();
        pair.send_bytes(head).run();
        assert!(gate.waiting() > 0);
        pair.hang_up().run();
        assert!(matches!(pair.closed(), Some(Ok(Closed::PeerGone))));
        assert_eq!(gate.waiting(), 0);
    }
}

/// Says more than anyone can hear.
#[tool]
async fn chatter(cx: &Context) {
    for n in 0..100_000 {
        cx.progress(n, 100_000);
        cx.log(LoggingLevel::Info, "words, words, words");
    }
}

#[test]
fn progress_is_put_together_and_logs_are_counted_when_they_come_too_fast() {
    let mut talk = Talk::session(Server::new("s", "1").tool::<chatter>(), V2025_11);
    talk.say(request(
        1,
        "tools/call",
        r#""name":"chatter","_meta":{"progressToken":1}"#,
    ));
    let heard = talk.heard();
    assert!(heard.len() < 20_000, "{}", heard.len());
    let [.., dropped, progress, answer] = heard.as_slice() else {
        panic!("{} lines are too few", heard.len());
    };
    assert!(dropped.contains("log messages were dropped"), "{dropped}");
    assert!(
        progress.contains(r#""progress":99999,"#),
        "the last is never lost: {progress}"
    );
    assert_eq!(*answer, text(1, ""));
}

#[test]
fn cancelling_works_though_the_peer_reads_nothing() {
    let (server, gate, _) = server();
    let mut talk = Talk::over(Pair::new(server).with_capacity(16)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(call(1, "wait", "{}"))
        .say(request(2, "ping", ""))
        .say(crate::talk::cancel(1));
    assert_eq!(gate.waiting(), 0);
    talk.pair.resume_reading().run();
    talk.hears(&[result(2, "")]);
}

#[test]
fn answers_that_are_not_read_hold_the_end_up_until_the_drain_deadline_only() {
    let mut pair = Pair::new(adder()).with_capacity(8);
    pair.stop_reading();
    pair.send(modern_call(1, "add", r#"{"a":1,"b":2}"#))
        .end_input()
        .run();
    assert!(pair.closed().is_none());
    pair.advance(std::time::Duration::from_secs(5));
    assert!(pair.closed().is_some());
}

/// Reports each time it is let on.
#[tool]
async fn drip(cx: &Context, gate: &Gate) {
    for n in 1..=300 {
        cx.progress(n, 300);
        cx.log(LoggingLevel::Error, "x".repeat(10_000));
        gate.wait().await;
    }
}

#[test]
fn reports_to_a_peer_that_reads_nothing_stay_bounded_and_the_last_progress_comes() {
    let gate = Gate::new();
    let server = Server::new("s", "1").lend(gate.clone()).tool::<drip>();
    let mut talk = Talk::over(Pair::new(server).with_capacity(1 << 10)).opened(V2025_11);
    talk.pair.stop_reading();
    talk.say(request(
        1,
        "tools/call",
        r#""name":"drip","_meta":{"progressToken":1}"#,
    ));
    for _ in 0..300 {
        gate.pass_one();
        talk.pair.run();
    }
    talk.pair.resume_reading().run();
    let heard = talk.heard();
    let bytes: usize = heard.iter().map(String::len).sum();
    assert!(bytes < 2 << 20, "{bytes} bytes of three million were kept");
    let [.., dropped, progress, answer] = heard.as_slice() else {
        panic!("{} lines are too few", heard.len());
    };
    assert!(
        dropped.contains(r#""level":"error""#) && dropped.contains("dropped"),
        "{dropped}"
    );
    assert!(progress.contains(r#""progress":300,"#), "{progress}");
    assert_eq!(*answer, text(1, ""));
}
