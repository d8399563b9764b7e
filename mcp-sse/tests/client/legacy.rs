//! Sessions of 2025.

use mcp_core::ProtocolVersion;
use mcp_core::client::{Change, Client, Event};
use mcp_core::protocol::{Root, SubscriptionFilter};
use mcp_sse::Connect;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::say::{TEXT, builder, connecting, handshake, initialized, open_legacy};
use crate::{Server, connected, legacy, soon};

type Called = JoinHandle<Result<mcp_core::ToolResult, mcp_core::ClientError>>;

fn call(client: &Client) -> Called {
    let client = client.clone();
    tokio::spawn(async move { client.call_tool("t", json!({})).without_progress().await })
}

#[tokio::test]
async fn a_session_is_named_by_every_request_and_ended_once() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    server.post().await.answer("404 Not Found", "", "");
    let initialize = server.post().await;
    let expected = r#"POST /mcp
accept: application/json, text/event-stream
content-type: application/json

{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}
"#;
    assert_eq!(initialize.text(), expected);
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{}}}"#,
        initialized("2025-11-25")
    );
    // Servers may answer this by a stream, too.
    let events = initialize.events_with("mcp-session-id: s1\r\n");
    events.event(&answer).chunk("");
    events.end();
    let done = server.post().await;
    let expected = r#"POST /mcp
accept: application/json, text/event-stream
content-type: application/json
mcp-protocol-version: 2025-11-25
mcp-session-id: s1

{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}
"#;
    assert_eq!(done.text(), expected);
    let client = connected(connecting).await;
    let called = call(&client);
    tokio::task::yield_now().await;
    client.notify("notifications/x", None).unwrap();
    // The server is to know that the handshake is over before it sees a request; a notification need not wait.
    let told = server.post().await;
    assert_eq!(told.rpc(), "notifications/x");
    server.assert_quiet();
    told.accept();
    done.accept();
    let stream = server.next().await;
    let expected = "GET /mcp
accept: text/event-stream
mcp-protocol-version: 2025-11-25
mcp-session-id: s1
";
    assert_eq!(stream.text(), expected);
    let request = server.post().await;
    let expected = r#"POST /mcp
accept: application/json, text/event-stream
content-type: application/json
mcp-protocol-version: 2025-11-25
mcp-session-id: s1

{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{}}}
"#;
    assert_eq!(request.text(), expected);
    request.result(TEXT);
    soon(called).await.unwrap().unwrap();

    let closing = tokio::spawn(async move { client.close().await });
    let end = server.next().await;
    let expected = "DELETE /mcp
accept: */*
mcp-protocol-version: 2025-11-25
mcp-session-id: s1
";
    assert_eq!(end.text(), expected);
    end.answer("200 OK", "", "");
    soon(closing).await.unwrap();
    server.assert_quiet();
    let mut stream = stream;
    stream.gone().await;
}

/// HTP-17, of clients; and revisions without the header.
#[tokio::test]
async fn the_revision_is_named_in_those_that_do() {
    for (version, header) in [
        ("2025-06-18", Some("2025-06-18")),
        ("2025-03-26", None),
        ("2024-11-05", None),
    ] {
        let mut server = Server::start().await;
        let client = legacy(&mut server, version).await;
        assert_eq!(
            client.server().version,
            ProtocolVersion::parse(version).unwrap()
        );
        let called = call(&client);
        let request = server.post().await;
        assert_eq!(request.header("mcp-protocol-version"), header);
        assert_eq!(request.header("mcp-method"), None);
        request.result(TEXT);
        soon(called).await.unwrap().unwrap();
        let closing = tokio::spawn(async move { client.close().await });
        let end = server.next().await;
        assert_eq!(end.method, "DELETE");
        assert_eq!(end.header("mcp-protocol-version"), header);
        // HTP-13: whatever it says.
        end.answer("405 Method Not Allowed", "", "");
        soon(closing).await.unwrap();
    }
}

/// HTP-01 and HTP-15.
#[tokio::test]
async fn a_stream_that_is_refused_or_does_not_come_keeps_nobody_waiting() {
    for refusal in [
        "405 Method Not Allowed",
        "404 Not Found",
        "406 Not Acceptable",
        "400 Bad Request",
        "501 Not Implemented",
        "200 OK",
        "",
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        open_legacy(&mut server, "2025-11-25", "s1").await;
        let client = connected(connecting).await;
        let stream = server.next().await;
        let mut held = None;
        if refusal.is_empty() {
            held = Some(stream);
        } else {
            stream.answer(refusal, "content-type: application/json\r\n", "{}");
        }
        for _ in 0..2 {
            let called = call(&client);
            server.post().await.result(TEXT);
            soon(called).await.unwrap().unwrap();
        }
        server.assert_quiet();
        drop(held);
    }
}

/// HTP-03.
#[tokio::test]
async fn a_notification_may_be_taken_in_any_words() {
    for (status, headers, body) in [
        ("202 Accepted", "", ""),
        ("200 OK", "", ""),
        ("200 OK", "content-type: application/json\r\n", ""),
        ("204 No Content", "", ""),
        ("202 Accepted", "content-type: text/plain\r\n", "Accepted"),
        ("400 Bad Request", "", "no"),
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        server.post().await.answer("400 Bad Request", "", "");
        let initialize = server.post().await;
        initialize.result(&initialized("2025-11-25"));
        server.post().await.answer(status, headers, body);
        let client = connected(connecting).await;
        server.next().await.answer("405 Method Not Allowed", "", "");
        let called = call(&client);
        let request = server.post().await;
        // There is no session to name, or to end.
        assert_eq!(request.header("mcp-session-id"), None);
        request.result(TEXT);
        soon(called).await.unwrap().unwrap();
        soon(client.close()).await;
        server.assert_quiet();
    }
}

/// HTP-19.
#[tokio::test]
async fn a_session_of_an_impossible_name_is_refused() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    server.post().await.answer("400 Bad Request", "", "");
    let initialize = server.post().await;
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{}}}"#,
        initialized("2025-11-25")
    );
    initialize.answer(
        "200 OK",
        "content-type: application/json\r\nmcp-session-id: a b\r\n",
        &body,
    );
    let error = soon(connecting).await.unwrap().unwrap_err();
    assert!(
        error.to_string().contains("can't be the id of one"),
        "{error}"
    );
}

/// HTP-05.
#[tokio::test]
async fn a_lost_session_is_opened_anew_once_for_all_who_find_out() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let mut listening = {
        let client = client.clone();
        let filter =
            SubscriptionFilter::default().with_resource_subscriptions(vec!["a:b".to_owned()]);
        let listening = tokio::spawn(async move { client.listen(filter).await });
        let subscribe = server.post().await;
        assert_eq!(subscribe.rpc(), "resources/subscribe");
        subscribe.result("{}");
        soon(listening).await.unwrap().unwrap()
    };
    let mut events = client.events();
    let calls: Vec<_> = (0..10).map(|_| call(&client)).collect();
    let mut refused = Vec::new();
    for _ in &calls {
        let request = server.post().await;
        assert_eq!(request.header("mcp-session-id"), Some("s1"));
        refused.push(request);
    }
    for request in refused {
        let body =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;
        request.answer("404 Not Found", "content-type: application/json\r\n", body);
    }
    handshake(&mut server, "2025-11-25", "s2").await;
    let (mut again, mut streams) = (0, 0);
    let mut restored = Vec::new();
    for _ in 0..12 {
        let request = server.next().await;
        assert_eq!(request.header("mcp-session-id"), Some("s2"));
        if request.method == "GET" {
            streams += 1;
            request.answer("405 Method Not Allowed", "", "");
        } else if request.rpc() == "tools/call" {
            again += 1;
            request.result(TEXT);
        } else {
            restored.push(request.rpc());
            request.result("{}");
        }
    }
    assert_eq!((again, streams), (10, 1));
    assert_eq!(restored, ["resources/subscribe"]);
    for called in calls {
        soon(called).await.unwrap().unwrap();
    }
    assert_eq!(soon(listening.next()).await, Some(Change::Missed));
    assert_eq!(soon(events.next()).await, Some(Event::ToolsChanged));
    server.assert_quiet();
}

/// HTP-05, the second server.
#[tokio::test]
async fn a_server_that_knows_no_session_at_all_is_asked_once() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let called = call(&client);
    server.post().await.answer("404 Not Found", "", "");
    server.post().await.answer("404 Not Found", "", "");
    let error = soon(called).await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the server has lost the session"),
        "{error}"
    );
    assert!(!error.is_outcome_unknown());
    server.assert_quiet();

    let called = call(&client);
    server.post().await.answer("404 Not Found", "", "");
    handshake(&mut server, "2025-11-25", "s2").await;
    for _ in 0..2 {
        let request = server.next().await;
        request.answer("404 Not Found", "", "");
    }
    let error = soon(called).await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the server has lost the session"),
        "{error}"
    );
}

#[tokio::test]
async fn a_method_that_is_missing_is_no_lost_session() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let called = call(&client);
    let request = server.post().await;
    let id = request.id();
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#);
    request.answer("404 Not Found", "content-type: application/json\r\n", &body);
    let error = soon(called).await.unwrap().unwrap_err();
    let code = error.error_object().unwrap().code;
    assert_eq!(code, mcp_core::ErrorCode::METHOD_NOT_FOUND);
    server.assert_quiet();
}

#[tokio::test]
async fn a_server_that_agrees_to_something_else_in_its_second_session_is_not_spoken_with() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let called = call(&client);
    server.post().await.answer("404 Not Found", "", "");
    let again = server.post().await;
    assert_eq!(again.rpc(), "initialize");
    again.result(&initialized("2025-06-18"));
    let error = soon(called).await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it does not agree to the same as before"),
        "{error}"
    );
    server.assert_quiet();
}

#[tokio::test]
async fn a_stream_that_ends_before_the_answer_goes_on_where_it_broke() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let called = call(&client);
    let request = server.post().await;
    let id = request.id();
    let events = request.events();
    events.chunk("id: e1\nretry: 30\ndata:\n\n");
    let asked = std::time::Instant::now();
    events.end();
    let rest = server.next().await;
    assert!(asked.elapsed() >= std::time::Duration::from_millis(30));
    let expected = "GET /mcp
accept: text/event-stream
last-event-id: e1
mcp-protocol-version: 2025-11-25
mcp-session-id: s1
";
    assert_eq!(rest.text(), expected);
    let events = rest.events();
    events.chunk("id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n");
    events.0.hang_up();
    let rest = server.next().await;
    assert_eq!(rest.header("last-event-id"), Some("e2"));
    rest.answer("503 Service Unavailable", "", "");
    let rest = server.next().await;
    assert_eq!(rest.header("last-event-id"), Some("e2"));
    let events = rest.events();
    events.event(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#));
    soon(called).await.unwrap().unwrap();
    events.end();
    server.assert_quiet();
}

#[tokio::test]
async fn a_rest_that_can_not_be_had_fails_the_call_which_is_not_repeated() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    for refusal in ["405 Method Not Allowed", "404 Not Found"] {
        let called = call(&client);
        let events = server.post().await.events();
        events.chunk("id: e1\nretry: 1\n\n");
        events.end();
        server.next().await.answer(refusal, "", "");
        let error = soon(called).await.unwrap().unwrap_err();
        assert!(error.is_outcome_unknown(), "{error}");
        assert!(error.to_string().contains(refusal), "{error}");
    }
    server.assert_quiet();
}

#[tokio::test]
async fn what_the_server_asks_is_answered_by_a_post() {
    let mut server = Server::start().await;
    let connect = Connect::new(server.url("/mcp"));
    let connecting = tokio::spawn(async move {
        let builder = builder().roots([Root::new("file:///work")]);
        connect.connect_as(builder).await
    });
    open_legacy(&mut server, "2025-06-18", "s1").await;
    let client = connected(connecting).await;
    let standing = server.next().await.events();
    standing.event(r#"{"jsonrpc":"2.0","id":"q1","method":"ping"}"#);
    let answer = server.post().await;
    let expected = r#"POST /mcp
accept: application/json, text/event-stream
content-type: application/json
mcp-protocol-version: 2025-06-18
mcp-session-id: s1

{"jsonrpc":"2.0","id":"q1","result":{}}
"#;
    assert_eq!(answer.text(), expected);
    answer.accept();

    let called = call(&client);
    let events = server.post().await;
    let id = events.id();
    let events = events.events();
    events.event(r#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#);
    let answer = server.post().await;
    assert_eq!(
        answer.body,
        r#"{"jsonrpc":"2.0","id":7,"result":{"roots":[{"uri":"file:///work"}]}}"#
    );
    answer.accept();
    events.event(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#));
    soon(called).await.unwrap().unwrap();
}

#[tokio::test]
async fn dropping_a_call_tells_the_server() {
    let mut server = Server::start().await;
    let client = legacy(&mut server, "2025-11-25").await;
    let called = call(&client);
    let mut request = server.post().await;
    let id = request.id();
    called.abort();
    let cancelled = server.post().await;
    assert_eq!(
        cancelled.body,
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"the caller no longer waits"}}}}"#
        )
    );
    cancelled.accept();
    request.gone().await;
}

/// SSE-12.
#[tokio::test]
async fn a_standing_stream_that_keeps_ending_hinders_no_call() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    open_legacy(&mut server, "2025-11-25", "s1").await;
    let client = connected(connecting).await;
    let mut events = client.events();
    for round in 0..20 {
        let stream = server.next().await;
        assert_eq!(stream.method, "GET");
        let stream = stream.events();
        stream.chunk("retry: 1\n\n");
        stream.event(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        assert_eq!(soon(events.next()).await, Some(Event::ToolsChanged));
        let called = call(&client);
        let request = server.post().await;
        request.result(TEXT);
        soon(called).await.unwrap().unwrap();
        if round % 2 == 0 {
            stream.end();
        } else {
            stream.0.hang_up();
        }
    }
}

#[tokio::test]
async fn a_stream_that_waits_to_go_on_is_not_robbed_by_the_standing_one() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    open_legacy(&mut server, "2025-03-26", "s1").await;
    let client = connected(connecting).await;
    let standing = server.next().await.events();
    standing.chunk("retry: 1\n\n");
    let called = call(&client);
    let request = server.post().await;
    let id = request.id();
    let events = request.events();
    events.chunk("id: e1\nretry: 300\n\n");
    events.end();
    // Both are broken now; the one that comes first must be the call's.
    standing.end();
    let rest = server.next().await;
    assert_eq!(rest.header("last-event-id"), Some("e1"));
    let rest = rest.events();
    rest.event(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#));
    soon(called).await.unwrap().unwrap();
    let standing = server.next().await;
    assert_eq!(
        (&*standing.method, standing.header("last-event-id")),
        ("GET", None)
    );
}

#[tokio::test]
async fn a_stream_on_which_nothing_comes_is_given_up_where_that_is_asked_for() {
    let mut server = Server::start().await;
    let limit = std::time::Duration::from_millis(50);
    let connecting = connecting(&Connect::new(server.url("/mcp")).idle_limit(limit));
    open_legacy(&mut server, "2025-11-25", "s1").await;
    let client = connected(connecting).await;
    server.next().await.answer("405 Method Not Allowed", "", "");
    let called = call(&client);
    let events = server.post().await.events();
    let error = soon(called).await.unwrap().unwrap_err();
    assert!(
        error.to_string().contains("nothing has come for 50ms"),
        "{error}"
    );
    drop(events);
}
