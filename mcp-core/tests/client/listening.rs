//! Changes: events of the client, and subscriptions in both eras.

use std::sync::{Arc, Mutex};

use mcp_core::client::{Change, ClientErrorKind, Event, Subscription};
use mcp_core::protocol::{ProtocolVersion, SubscriptionFilter};
use mcp_core::testing::Started;
use mcp_core::{ClientError, LoggingLevel};

use crate::talk::{
    OFFERS, SECOND, Talk, builder, error, kind, modern_cancel, modern_request, result, words,
};

const CHANGES: &str = r#"{"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{"subscribe":true,"listChanged":true},"logging":{}}"#;
const LEFT: &str = "nobody listens any more";

fn tagged(id: u64, method: &str, params: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{params}{comma}"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

fn agreed(id: u64, filter: &str) -> String {
    tagged(
        id,
        "subscriptions/acknowledged",
        &format!(r#""notifications":{{{filter}}}"#),
    )
}

fn bare(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{params}}}}}"#)
}

fn listen(id: u64, filter: &str) -> String {
    modern_request(
        id,
        "subscriptions/listen",
        &format!(r#""notifications":{{{filter}}}"#),
        "",
    )
}

fn tools() -> SubscriptionFilter {
    SubscriptionFilter::default().with_tools_list_changed(true)
}

type Listening = Started<Result<Subscription, ClientError>>;

fn listening(talk: &Talk, filter: SubscriptionFilter) -> Listening {
    talk.start(|c| async move { c.listen(filter).await })
}

/// A subscription to the list of tools, with the id 2.
fn subscribed(talk: &mut Talk) -> Subscription {
    let listening = listening(talk, tools());
    talk.server
        .assert_sent(&[&listen(2, r#""toolsListChanged":true"#)]);
    talk.server
        .send(agreed(2, r#""toolsListChanged":true"#))
        .run();
    listening.take().unwrap().unwrap()
}

/// Whatever is there to be taken.
#[track_caller]
fn taken(talk: &Talk, subscription: &mut Subscription) -> Vec<Change> {
    talk.runtime.run();
    let mut changes = Vec::new();
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        // The future is made anew each time: nothing is lost with it.
        let next = std::pin::pin!(subscription.next());
        match next.poll(&mut cx) {
            std::task::Poll::Ready(Some(change)) => changes.push(change),
            std::task::Poll::Ready(None) | std::task::Poll::Pending => return changes,
        }
    }
}

fn is_over(subscription: &mut Subscription) -> bool {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let next = std::pin::pin!(subscription.next());
    matches!(next.poll(&mut cx), std::task::Poll::Ready(None))
}

fn events(talk: &Talk) -> (Arc<Mutex<Vec<Event>>>, Started<()>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let mut events = talk.client.events();
    let task = talk.runtime.start(async move {
        while let Some(event) = events.next().await {
            sink.lock().unwrap().push(event);
        }
    });
    (seen, task)
}

/// C24, C25, S30: the stream begins when the server agrees, to less perhaps.
#[test]
fn a_stream_tells_what_the_server_has_agreed_to() {
    let mut talk = Talk::modern();
    let filter = tools().with_resource_subscriptions(["file:///x".to_owned()]);
    let listening = listening(&talk, filter);
    talk.server.assert_sent(&[&listen(
        2,
        r#""toolsListChanged":true,"resourceSubscriptions":["file:///x"]"#,
    )]);
    assert!(listening.take().is_none());
    talk.server
        .send(agreed(
            2,
            r#""resourceSubscriptions":["file:///x"],"new":1"#,
        ))
        .run();
    let mut subscription = listening.take().unwrap().unwrap();
    let acknowledged = subscription.acknowledged().unwrap();
    assert_eq!(acknowledged.tools_list_changed, None);
    assert_eq!(acknowledged.resource_subscriptions.unwrap(), ["file:///x"]);
    talk.server
        .send(tagged(2, "resources/updated", r#""uri":"file:///x/y""#))
        .send(tagged(3, "resources/updated", r#""uri":"file:///other""#))
        .send(tagged(2, "resources/updated", r#""uri":7"#))
        .send(tagged(2, "tools/list_changed", ""))
        .send(tagged(2, "prompts/list_changed", ""))
        .send(tagged(2, "resources/list_changed", ""))
        // Once is enough.
        .send(tagged(2, "tools/list_changed", ""));
    let changes = taken(&talk, &mut subscription);
    let expected = [
        Change::Resource("file:///x/y".to_owned()),
        Change::Tools,
        Change::Prompts,
        Change::Resources,
    ];
    assert_eq!(changes, expected);
    // C12.
    drop(subscription);
    talk.server.assert_sent(&[&modern_cancel(2, LEFT)]);
    talk.server
        .send(tagged(2, "tools/list_changed", ""))
        .assert_sent(&[]);
}

/// An id that came back as text is still ours; two streams are told apart by it.
#[test]
fn streams_are_told_apart() {
    let mut talk = Talk::modern();
    let mut one = subscribed(&mut talk);
    let second = listening(
        &talk,
        SubscriptionFilter::default().with_prompts_list_changed(true),
    );
    drop(talk.server.run().take_sent());
    talk.server
        .send(agreed(3, "").replace(r#"subscriptionId":3"#, r#"subscriptionId":"3""#))
        .run();
    let mut two = second.take().unwrap().unwrap();
    talk.server
        .send(tagged(3, "prompts/list_changed", ""))
        .send(tagged(2, "tools/list_changed", ""));
    assert_eq!(taken(&talk, &mut one), [Change::Tools]);
    assert_eq!(taken(&talk, &mut two), [Change::Prompts]);
    drop(one);
    talk.server.assert_sent(&[&modern_cancel(2, LEFT)]);
}

#[test]
fn a_stream_that_is_not_opened_is_an_error() {
    let mut talk = Talk::modern();
    let refused = listening(&talk, tools());
    let ended = listening(&talk, tools());
    let withdrawn = listening(&talk, tools());
    let silent = listening(&talk, tools());
    let dropped = listening(&talk, tools());
    let lost = listening(&talk, tools());
    drop(talk.server.run().take_sent());
    talk.server
        .send(error(2, -32601))
        .send(result(3, "{}"))
        .send(bare("cancelled", r#""requestId":4"#))
        .run();
    assert!(matches!(kind(refused.take()), ClientErrorKind::Refused(_)));
    for ended in [ended, withdrawn] {
        let words = words(ended.take());
        assert!(
            words.ends_with("the stream ended before it began"),
            "{words}"
        );
    }
    drop(dropped);
    talk.server.assert_sent(&[&modern_cancel(6, LEFT)]);
    talk.server.advance(SECOND * 60);
    assert!(silent.take().unwrap().unwrap_err().is_timeout());
    assert!(lost.take().unwrap().unwrap_err().is_timeout());
    let lost = listening(&talk, tools());
    talk.server.run().end_output().run();
    assert!(lost.take().unwrap().unwrap_err().is_disconnected());
}

/// An agreed stream may be silent for as long as it likes.
#[test]
fn a_stream_has_no_deadline() {
    let mut talk = Talk::modern();
    let mut subscription = subscribed(&mut talk);
    talk.server.advance(SECOND * 100_000).assert_sent(&[]);
    talk.server.send(tagged(2, "tools/list_changed", ""));
    assert_eq!(taken(&talk, &mut subscription), [Change::Tools]);
}

/// C25, S10, S33: in whichever of its two ways the server ends it, the stream is opened anew, and no change is lost unsaid.
#[test]
fn a_stream_that_the_server_ends_is_opened_anew_later_each_time() {
    let mut talk = Talk::modern();
    let mut subscription = subscribed(&mut talk);
    let mut delay = SECOND / 10;
    for id in 2..14 {
        if id % 2 == 0 {
            talk.server.send(result(id, r#"{"resultType":"complete"}"#));
        } else {
            talk.server
                .send(bare("cancelled", &format!(r#""requestId":{id}"#)));
        }
        assert_eq!(taken(&talk, &mut subscription), []);
        talk.server.advance(delay - SECOND / 1000);
        assert_eq!(taken(&talk, &mut subscription), []);
        talk.server.assert_sent(&[]);
        talk.server.advance(SECOND / 1000);
        assert_eq!(taken(&talk, &mut subscription), []);
        talk.server
            .assert_sent(&[&listen(id + 1, r#""toolsListChanged":true"#)]);
        assert_eq!(subscription.acknowledged(), None);
        talk.server
            .send(agreed(id + 1, r#""toolsListChanged":true"#));
        assert_eq!(taken(&talk, &mut subscription), [Change::Missed]);
        assert!(subscription.acknowledged().is_some());
        delay = (delay * 2).min(SECOND * 30);
    }
    // A stream that has lived, or told something, begins at the beginning.
    talk.server.advance(SECOND * 30).send(result(14, "{}"));
    assert_eq!(taken(&talk, &mut subscription), []);
    talk.server.advance(SECOND / 10);
    assert_eq!(taken(&talk, &mut subscription), []);
    talk.server
        .assert_sent(&[&listen(15, r#""toolsListChanged":true"#)]);
    // What is refused is asked for again as well, and not told as a change each time.
    talk.server.send(error(15, -32603));
    assert_eq!(taken(&talk, &mut subscription), []);
    talk.server.advance(SECOND / 5);
    assert_eq!(taken(&talk, &mut subscription), []);
    talk.server
        .send(agreed(16, ""))
        .send(tagged(16, "tools/list_changed", ""));
    assert_eq!(
        taken(&talk, &mut subscription),
        [Change::Missed, Change::Tools]
    );
    drop(talk.server.run().take_sent());
    talk.server.send(result(16, "{}"));
    assert_eq!(taken(&talk, &mut subscription), []);
    // While it waits, there is nothing to cancel.
    drop(subscription);
    talk.server.assert_sent(&[]);
}

#[test]
fn a_stream_ends_with_the_connection() {
    for mut talk in [Talk::modern(), Talk::legacy()] {
        let mut subscription = if talk.client.server().version.is_modern() {
            subscribed(&mut talk)
        } else {
            let listening = listening(&talk, tools());
            talk.server.run();
            listening.take().unwrap().unwrap()
        };
        talk.server.end_output().run();
        assert!(is_over(&mut subscription) && is_over(&mut subscription));
    }
}

/// Memory that a peer could fill: watched resources have as many names as it likes.
#[test]
fn changes_that_nobody_takes_are_bounded() {
    let mut talk = Talk::modern();
    let mut subscription = subscribed(&mut talk);
    for n in 0..3_000 {
        talk.server.send(tagged(
            2,
            "resources/updated",
            &format!(r#""uri":"file:///{n}""#),
        ));
    }
    let changes = taken(&talk, &mut subscription);
    assert_eq!(
        (changes.len(), changes.last()),
        (1_025, Some(&Change::Missed))
    );
    let big = "x".repeat(600 << 10);
    for n in 0..4 {
        talk.server.send(tagged(
            2,
            "resources/updated",
            &format!(r#""uri":"{n}{big}""#),
        ));
    }
    let changes = taken(&talk, &mut subscription);
    assert_eq!((changes.len(), changes.last()), (2, Some(&Change::Missed)));
}

/// Up to 2025-11-25 each resource is subscribed to by all who watch it, for the server may not have agreed yet; it is
/// unsubscribed from when nobody does any more.
#[test]
fn older_servers_are_asked_for_each_resource_until_nobody_watches_it() {
    let line = |id: u64, method: &str, uri: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/{method}","params":{{"uri":"{uri}"}}}}"#
        )
    };
    let mut talk = Talk::legacy();
    let first = talk.start(|c| async move { c.subscribe(["file:///x", "file:///y/"]).await });
    talk.server
        .assert_sent(&[&line(3, "subscribe", "file:///x")]);
    talk.next = 3;
    talk.answer("{}");
    talk.server
        .assert_sent(&[&line(4, "subscribe", "file:///y/")]);
    talk.answer("{}");
    let mut first = first.take().unwrap().unwrap();
    let second = talk.start(|c| async move { c.subscribe(["file:///x"]).await });
    talk.server
        .assert_sent(&[&line(6, "subscribe", "file:///x")])
        .send(result(6, "{}"))
        .run();
    let mut second = second.take().unwrap().unwrap();
    talk.server
        .send(bare("resources/updated", r#""uri":"file:///x""#))
        .send(bare("resources/updated", r#""uri":"file:///x#part""#))
        .send(bare("resources/updated", r#""uri":"file:///xy""#))
        .send(bare("resources/updated", r#""uri":"file:///y/z""#))
        .send(bare("tools/list_changed", ""));
    let resource = |uri: &str| Change::Resource(uri.to_owned());
    assert_eq!(
        taken(&talk, &mut first),
        [
            resource("file:///x"),
            resource("file:///x#part"),
            resource("file:///y/z")
        ]
    );
    assert_eq!(
        taken(&talk, &mut second),
        [resource("file:///x"), resource("file:///x#part")]
    );
    drop(first);
    talk.server
        .assert_sent(&[&line(7, "unsubscribe", "file:///y/")]);
    drop(second);
    talk.server
        .assert_sent(&[&line(8, "unsubscribe", "file:///x")]);
    // Nobody waits for these answers, and they are taken all the same.
    talk.server
        .send(result(7, "{}"))
        .send(error(8, -32601))
        .assert_sent(&[]);
    let again = talk.start(|c| async move { c.subscribe(["file:///x"]).await });
    talk.server
        .assert_sent(&[&line(10, "subscribe", "file:///x")]);
    talk.server.send(error(10, -32002)).run();
    assert!(matches!(kind(again.take()), ClientErrorKind::Refused(_)));
    assert_eq!(talk.methods(), ["resources/unsubscribe"]);
}

/// C24: nothing is sent for lists, which older servers tell of by themselves.
#[test]
fn older_servers_tell_of_their_lists_by_themselves() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2024_11_05, "{}");
    let listening = listening(&talk, tools().with_resources_list_changed(true));
    talk.server.assert_sent(&[]);
    let mut subscription = listening.take().unwrap().unwrap();
    talk.server
        .send(bare("tools/list_changed", ""))
        .send(bare("prompts/list_changed", ""))
        .send(r#"{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}"#);
    assert_eq!(
        taken(&talk, &mut subscription),
        [Change::Tools, Change::Resources]
    );
    drop(subscription);
    talk.server.assert_sent(&[]);
}

/// C66, JRP-11: in the order in which they came, known or not.
#[test]
fn events_come_in_order() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, CHANGES);
    // What came before anybody wanted to know is not kept.
    talk.server.send(bare("tools/list_changed", "")).run();
    let (seen, task) = events(&talk);
    talk.server.assert_sent(&[]);
    talk.server
        .send(bare("tools/list_changed", ""))
        .send(bare(
            "message",
            r#""level":"warning","logger":"l","data":{"a":[1]}"#,
        ))
        .send(bare("message", r#""data":1"#))
        .send(bare("prompts/list_changed", ""))
        .send(bare("resources/updated", r#""uri":"u""#))
        .send(bare("elicitation/complete", r#""elicitationId":"e""#))
        .send(bare("elicitation/complete", ""))
        .send(r#"{"jsonrpc":"2.0","method":"notifications/x/y","params":{"deep":[1,{"a":null}]}}"#)
        .send(r#"{"jsonrpc":"2.0","method":"n"}"#)
        .send(bare("tools/list_changed", ""))
        .run();
    let seen = seen.lock().unwrap().clone();
    assert!(
        matches!(&seen[1], Event::Log(log) if log.level == LoggingLevel::Warning && log.data.get() == r#"{"a":[1]}"#)
    );
    assert_eq!(
        [&seen[..1], &seen[2..]].concat(),
        [
            Event::ToolsChanged,
            Event::PromptsChanged,
            Event::ResourceUpdated("u".to_owned()),
            Event::ElicitationComplete("e".to_owned()),
            Event::Other {
                method: "notifications/x/y".to_owned(),
                params: Some(r#"{"deep":[1,{"a":null}]}"#.parse().unwrap())
            },
            Event::Other {
                method: "n".to_owned(),
                params: None
            },
            Event::ToolsChanged,
        ]
    );
    assert!(task.take().is_none());
    talk.server.end_output().run();
    assert!(task.take().is_some());
}

#[test]
fn events_that_nobody_takes_are_bounded_and_counted() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, CHANGES);
    let mut events = talk.client.events();
    for n in 0..3_000 {
        talk.server
            .send(bare("resources/updated", &format!(r#""uri":"{n}""#)));
    }
    talk.server.run();
    assert_eq!(
        talk.runtime.block_on(events.next()),
        Some(Event::Lagged(3_000 - 1_024))
    );
    assert_eq!(
        talk.runtime.block_on(events.next()),
        Some(Event::ResourceUpdated("1976".to_owned()))
    );
    let big = "x".repeat(3 << 20);
    for n in 0..4 {
        talk.server
            .send(bare("x", &format!(r#""n":{n},"big":"{big}""#)));
    }
    talk.server.run();
    assert!(matches!(
        talk.runtime.block_on(events.next()),
        Some(Event::Lagged(1_025))
    ));
    // All that is kept is told before the end.
    talk.server.end_output().run();
    assert!(matches!(
        talk.runtime.block_on(events.next()),
        Some(Event::Other { .. })
    ));
    assert!(matches!(
        talk.runtime.block_on(events.next()),
        Some(Event::Other { .. })
    ));
    assert_eq!(talk.runtime.block_on(events.next()), None);
    assert_eq!(talk.runtime.block_on(events.next()), None);
}

/// Two who take share what there is.
#[test]
fn each_event_is_handed_out_once() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, CHANGES);
    let (first, second) = (events(&talk), events(&talk));
    for _ in 0..10 {
        talk.server.send(bare("tools/list_changed", "")).run();
    }
    assert_eq!(
        first.0.lock().unwrap().len() + second.0.lock().unwrap().len(),
        10
    );
}

/// In 2026-07-28 nothing is told unasked: what the server offers to tell is asked for.
#[test]
fn events_ask_a_modern_server_to_tell_of_its_lists() {
    let filter = r#""toolsListChanged":true,"resourcesListChanged":true"#;
    let mut talk = Talk::modern_with(builder(), CHANGES);
    let (seen, task) = events(&talk);
    talk.server.assert_sent(&[&listen(2, filter)]);
    let _more = events(&talk);
    talk.server.assert_sent(&[]);
    talk.server
        .send(agreed(2, filter))
        .send(tagged(2, "tools/list_changed", ""))
        .send(tagged(2, "resources/list_changed", ""))
        .send(bare("message", r#""level":"info","data":1"#))
        .run();
    assert_eq!(
        seen.lock().unwrap().len() + _more.0.lock().unwrap().len(),
        3
    );
    drop(_more);
    seen.lock().unwrap().clear();
    // C25: when the server ends the stream, all of it may have changed in the meantime.
    talk.server.send(result(2, "{}")).run().advance(SECOND / 10);
    talk.server.assert_sent(&[&listen(3, filter)]);
    assert!(seen.lock().unwrap().is_empty());
    talk.server.send(agreed(3, filter)).run();
    assert_eq!(
        *seen.lock().unwrap(),
        [Event::ToolsChanged, Event::ResourcesChanged]
    );
    drop(task);
    talk.server.assert_sent(&[]);

    // One that refuses is not asked again and again.
    let mut talk = Talk::modern_with(builder(), CHANGES);
    let _events = events(&talk);
    drop(talk.server.run().take_sent());
    talk.server
        .send(error(2, -32601))
        .advance(SECOND * 1_000)
        .assert_sent(&[]);
    // And one that tells of nothing is not asked at all.
    let mut talk = Talk::modern_with(builder(), OFFERS);
    let _events = events(&talk);
    talk.server.assert_sent(&[]);
}

#[test]
fn log_messages_go_to_their_handler_and_one_that_panics_disturbs_nobody() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let builder = builder().on_log(move |message| {
        sink.lock().unwrap().push(message.data.get().to_owned());
        assert_ne!(message.level, LoggingLevel::Error, "of the test");
    });
    let mut talk = Talk::legacy_with(builder, ProtocolVersion::V2025_11_25, CHANGES);
    let mut events = talk.client.events();
    for (level, data) in [("info", "1"), ("error", "2"), ("odd", "3")] {
        talk.server.send(bare(
            "message",
            &format!(r#""level":"{level}","data":{data}"#),
        ));
    }
    talk.server.run();
    assert_eq!(*seen.lock().unwrap(), ["1", "2", "3"]);
    for _ in 0..3 {
        assert!(matches!(
            talk.runtime.block_on(events.next()),
            Some(Event::Log(_))
        ));
    }
    assert!(!talk.client.is_closed());
}
