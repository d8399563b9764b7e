//! Batches, which 2025-03-26 has and no other revision.

use mcp_core::protocol::ProtocolVersion;

use crate::talk::{
    Talk, call, cancel, error, error_without_id, initialize, modern, request, result, text,
};
use crate::tools::{adder, server};

const V2025_03: ProtocolVersion = ProtocolVersion::V2025_03_26;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;

fn batch(members: &[String]) -> String {
    format!("[{}]", members.join(","))
}

/// JRP-12
#[test]
fn a_batch_is_answered_as_one_array() {
    let mut talk = Talk::session(adder(), V2025_03);
    talk.say(batch(&[request(2, "ping", ""), NOTE.into()]))
        .hears(&[batch(&[result(2, "")])]);
    talk.say(batch(&[
        call(3, "add", r#"{"a":1,"b":2}"#),
        request(4, "no/such", ""),
        request(5, "ping", ""),
    ]))
    // What is answered by the session itself comes first: the order in a batch means nothing.
    .hears(&[batch(&[
        error(4, -32601, "no such method"),
        result(5, ""),
        text(3, "3"),
    ])]);
}

/// JRP-12
#[test]
fn other_revisions_refuse_batches_as_a_whole() {
    let why = "batches are not part of this revision of the protocol";
    let line = batch(&[request(2, "ping", ""), NOTE.into()]);
    let late = Talk::session(adder(), ProtocolVersion::V2025_11_25);
    for mut talk in [late, Talk::new(adder())] {
        talk.pair.send(&line).run();
        talk.hears(&[error_without_id(-32600, why)]);
        talk.say("[]")
            .hears(&[error_without_id(-32600, "a batch may not be empty")]);
        talk.say(request(3, "ping", "")).hears(&[result(3, "")]);
    }
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_06_18] {
        let mut talk = Talk::session(adder(), version);
        talk.pair.send(&line).send("[]").run();
        talk.is_silent();
        talk.say(request(3, "ping", "")).hears(&[result(3, "")]);
    }
}

/// JRP-12
#[test]
fn an_empty_batch_and_members_that_are_no_messages_get_nothing() {
    let mut talk = Talk::session(adder(), V2025_03);
    talk.say("[]").is_silent();
    talk.say("[1,2]").is_silent();
    talk.say(batch(&[
        "1".into(),
        request(2, "ping", ""),
        r#"{"id":3}"#.into(),
    ]))
    .hears(&[batch(&[
        result(2, ""),
        error(3, -32600, "`jsonrpc` must be \"2.0\""),
    ])]);
}

#[test]
fn a_batch_of_notifications_gets_nothing() {
    let mut talk = Talk::session(adder(), V2025_03);
    talk.say(batch(&[NOTE.into(), NOTE.into()])).is_silent();
}

/// JRP-12
#[test]
fn initialize_may_not_be_in_a_batch() {
    let mut talk = Talk::session(adder(), V2025_03);
    talk.say(batch(&[
        initialize("a", "2025-11-25"),
        request(1, "ping", ""),
    ]))
    .hears(&[batch(&[
        error(
            r#""a""#,
            -32600,
            "`initialize` comes once, alone, and first",
        ),
        result(1, ""),
    ])]);
    // As the first message it opens no session either.
    let mut talk = Talk::new(adder());
    talk.pair
        .send(batch(&[initialize("a", "2025-03-26")]))
        .run();
    talk.hears(&[error_without_id(
        -32600,
        "batches are not part of this revision of the protocol",
    )]);
}

#[test]
fn requests_of_2026_07_28_may_not_be_in_a_batch() {
    let mut talk = Talk::session(adder(), V2025_03);
    talk.say(batch(&[
        modern(1, "tools/list", ""),
        request(2, "ping", ""),
    ]))
    .hears(&[batch(&[
        error(
            1,
            -32600,
            "a request of this revision may not be in a batch",
        ),
        result(2, ""),
    ])]);
}

#[test]
fn a_batch_waits_for_its_slowest_member_and_holds_nobody_else_up() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_03);
    talk.say(batch(&[call(1, "wait", "{}"), request(2, "ping", "")]))
        .is_silent();
    talk.say(request(3, "ping", "")).hears(&[result(3, "")]);
    gate.open();
    talk.pair.run();
    talk.hears(&[batch(&[result(2, ""), text(1, "waited")])]);
}

#[test]
fn a_cancelled_member_is_left_out() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_03);
    talk.say(batch(&[call(1, "wait", "{}"), request(2, "ping", "")]))
        .is_silent();
    talk.say(cancel(1)).hears(&[batch(&[result(2, "")])]);
    // When it was all there is, nothing is sent.
    talk.say(batch(&[call(3, "wait", "{}"), NOTE.into()]))
        .say(cancel(3))
        .is_silent();
    assert_eq!(gate.waiting(), 0);
}

#[test]
fn an_id_twice_in_a_batch_is_refused_the_second_time() {
    let (server, gate, _) = server();
    let mut talk = Talk::session(server, V2025_03);
    talk.pair
        .send(batch(&[call(1, "wait", "{}"), request(1, "ping", "")]))
        .run();
    gate.open();
    talk.pair.run();
    assert_eq!(
        talk.pair.take_sent(),
        [batch(&[
            error(1, -32600, "another request with this id is still under way"),
            text(1, "waited"),
        ])]
    );
}

#[test]
fn a_hundred_members_are_answered_and_more_are_refused() {
    let mut talk = Talk::session(adder(), V2025_03);
    let pings = |count: u32| {
        batch(
            &(0..count)
                .map(|id| request(id, "ping", ""))
                .collect::<Vec<_>>(),
        )
    };
    talk.say(pings(100));
    let heard = talk.heard();
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].matches(r#""result":{}"#).count(), 100);
    talk.pair.send(pings(101)).run();
    talk.is_silent();
    talk.say(request(1, "ping", "")).hears(&[result(1, "")]);
}
