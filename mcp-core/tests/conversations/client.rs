//! What people test their servers with, tested.

use std::time::Duration;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Gate, Pair, TestClient};
use mcp_core::{Closed, Context, ErrorCode, Json, LoggingLevel, Server, data, tool};
use serde_json::{Value, json};

use crate::tools::{add, adder, server};

#[data]
#[derive(Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

/// A point.
#[tool]
fn point() -> Json<Point> {
    Json(Point { x: 1, y: 2 })
}

/// Points.
#[tool]
fn points() -> Json<Vec<Point>> {
    Json(vec![Point { x: 1, y: 2 }])
}

/// Tells of itself.
#[tool]
fn tell(cx: &Context) {
    cx.progress(1, 2);
    cx.log(LoggingLevel::Debug, "hm");
    cx.log(LoggingLevel::Error, "oh");
}

#[test]
fn results_are_decoded_in_every_revision() {
    let server = || {
        Server::new("s", "1")
            .tool::<point>()
            .tool::<points>()
            .tool::<add>()
    };
    for version in ProtocolVersion::ALL {
        let mut client = TestClient::new(server());
        if !version.is_modern() {
            assert_eq!(
                client.initialize(version).protocol_version,
                version.as_str()
            );
        }
        assert_eq!(client.version(), version);
        assert_eq!(
            client.call(point::with()).decode::<Point>(),
            Point { x: 1, y: 2 }
        );
        assert_eq!(
            client.call(points::with()).decode::<Vec<Point>>(),
            [Point { x: 1, y: 2 }]
        );
        assert_eq!(client.call(add::with(1, 2)).decode::<i64>(), 3);
        assert_eq!(client.list_tools().len(), 3);
    }
}

#[test]
fn a_client_goes_on_in_the_revision_that_was_answered() {
    let mut client = TestClient::new(adder());
    let answered = client.initialize(ProtocolVersion::V2026_07_28);
    assert_eq!(answered.protocol_version, "2025-11-25");
    assert_eq!(client.version(), ProtocolVersion::V2025_11_25);
}

#[test]
fn a_list_is_followed_over_all_its_pages() {
    let (server, ..) = server();
    let mut client = TestClient::new(server.page_size(2));
    let names: Vec<_> = client
        .list_tools()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    assert_eq!(
        names,
        [
            "add",
            "echo",
            "help",
            "wait",
            "commit",
            "panic_now",
            "panic_later"
        ]
    );
}

#[test]
fn messages_are_kept_until_they_are_taken() {
    let mut client = TestClient::new(Server::new("s", "1").tool::<tell>());
    client.call(tell::with());
    assert_eq!((client.progress().len(), client.logs().len()), (1, 2));
    client.set_log_level(LoggingLevel::Error);
    assert_eq!(client.take_messages().len(), 3);
    client.call(tell::with());
    assert_eq!(client.logs()[0].data.get(), r#""oh""#);
    assert_eq!(client.take_messages().len(), 2);
    assert!(client.progress().is_empty());
}

#[test]
fn a_client_sees_the_changes_it_listens_to() {
    let server = adder();
    let live = server.live();
    let mut client = TestClient::new(server);
    let listening = client.listen();
    live.remove("add");
    assert_eq!(client.poll_request(&listening), None);
    let messages = client.take_messages();
    let methods: Vec<&Value> = messages.iter().map(|message| &message["method"]).collect();
    assert_eq!(
        methods,
        [
            "notifications/subscriptions/acknowledged",
            "notifications/tools/list_changed"
        ]
    );
}

#[test]
fn finishing_winds_the_clock_to_the_drain_deadline_and_no_further() {
    let (server, gate, _) = server();
    let mut client = TestClient::new(server.drain_deadline(Duration::from_secs(3)));
    let runtime = client.pair().runtime().clone();
    client.start_call("wait", json!({}));
    assert!(matches!(client.finish(), Ok(Closed::EndOfInput)));
    assert_eq!(runtime.elapsed(), Duration::from_secs(3));
    assert_eq!(gate.waiting(), 0);
    assert!(matches!(
        TestClient::new(adder()).finish(),
        Ok(Closed::EndOfInput)
    ));
    assert!(matches!(
        TestClient::new(adder()).shut_down(),
        Ok(Closed::Shutdown)
    ));
}

#[test]
fn an_outcome_says_which_kind_of_error_it_is() {
    let mut client = TestClient::new(adder());
    let wrong = client.call_tool("add", json!({}));
    assert!(wrong.is_error() && wrong.error().is_none() && wrong.error_code().is_none());
    let unknown = client.call_tool("sub", json!({}));
    assert!(!unknown.is_error());
    assert_eq!(unknown.error_code(), Some(ErrorCode::INVALID_PARAMS));
    let method = client.request("no/such", json!({})).unwrap_err();
    assert_eq!(method.code, ErrorCode::METHOD_NOT_FOUND);
}

#[test]
fn a_small_pipe_and_raw_lines_make_no_difference_to_a_client() {
    let mut client = TestClient::from(Pair::new(adder()).with_capacity(7));
    client.send_line("no json");
    assert_eq!(client.call(add::with(1, 2)).text(), "3");
    assert_eq!(client.lines().len(), 1);
}

#[test]
#[should_panic(expected = "there is no answer yet")]
fn a_call_that_waits_is_reported_rather_than_waited_for() {
    let (server, ..) = server();
    TestClient::new(server).call_tool("wait", json!({}));
}

#[test]
#[should_panic(expected = "the call ended in error -32602")]
fn the_text_of_a_call_that_was_refused_is_a_mistake() {
    let outcome = TestClient::new(adder()).call_tool("sub", json!({}));
    drop(outcome.text());
}

#[test]
fn a_gate_lets_pass_in_order_and_forgets_who_went_away() {
    let (server, gate, _) = server();
    let mut client = TestClient::new(server);
    let calls = [0, 1, 2].map(|_| client.start_call("wait", json!({})));
    gate.pass_one();
    gate.pass_one();
    assert!(client.poll(&calls[0]).is_some() && client.poll(&calls[1]).is_some());
    assert_eq!((client.poll(&calls[2]), gate.waiting()), (None, 1));
    client.cancel(&calls[2]);
    assert_eq!(gate.waiting(), 0);
    let ahead = Gate::new();
    ahead.pass_one();
    client.pair().runtime().block_on(ahead.wait());
}
