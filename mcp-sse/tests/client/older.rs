//! Servers of 2024-11-05, with one stream and a place that messages are sent to.

use mcp_core::ToolResult;
use mcp_core::client::{Client, ClientError, Event};
use mcp_sse::Connect;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::say::{TEXT, connecting, initialized};
use crate::wire::Events;
use crate::{Server, connected, soon};

/// Calls a tool beside the test.
fn call(client: &Client) -> JoinHandle<Result<ToolResult, ClientError>> {
    let client = client.clone();
    tokio::spawn(async move { client.call_tool("t", json!({})).await })
}

/// A server that refuses POSTs, and opens its stream.
async fn refuse(server: &mut Server) -> Events {
    for method in ["server/discover", "initialize"] {
        let request = server.post().await;
        assert_eq!(request.rpc(), method);
        request.answer("405 Method Not Allowed", "allow: GET\r\n", "");
    }
    stream(server).await
}

async fn stream(server: &mut Server) -> Events {
    let stream = server.next().await;
    assert_eq!(stream.text(), "GET /a/sse?k=1\naccept: text/event-stream\n");
    stream.events()
}

/// The handshake, in which everything is answered on the stream.
async fn shake_hands(server: &mut Server, stream: &Events) {
    let initialize = server.post().await;
    let (path, rpc) = (initialize.path.clone(), initialize.rpc());
    assert_eq!((&*path, &*rpc), ("/messages?sid=1", "initialize"));
    let id = initialize.id();
    initialize.answer("202 Accepted", "", "Accepted");
    let answer = initialized("2024-11-05");
    stream.chunk(&format!(
        "event: message\r\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{answer}}}\r\n\r\n"
    ));
    let done = server.post().await;
    assert_eq!(done.rpc(), "notifications/initialized");
    done.accept();
}

#[tokio::test]
async fn everything_comes_on_the_stream_and_goes_where_it_says() {
    let mut server = Server::start().await;
    let connect = Connect::new(server.url("/a/sse?k=1"));
    let first = connecting(&connect);
    let stream = refuse(&mut server).await;
    stream.chunk("event: endpoint\r\ndata: /messages?sid=1\r\n\r\n");
    shake_hands(&mut server, &stream).await;
    let client = connected(first).await;
    let mut events = client.events();
    stream.event(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
    assert_eq!(soon(events.next()).await, Some(Event::ToolsChanged));
    stream.event(r#"{"jsonrpc":"2.0","id":"q","method":"ping"}"#);
    let answer = server.post().await;
    let expected = r#"POST /messages?sid=1
accept: application/json, text/event-stream
content-type: application/json

{"jsonrpc":"2.0","id":"q","result":{}}
"#;
    assert_eq!(answer.text(), expected);
    answer.accept();
    let calling = call(&client);
    let call = server.post().await;
    let id = call.id();
    call.accept();
    stream.event(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#));
    assert_eq!(soon(calling).await.unwrap().unwrap().text(), "done");
    soon(client.close()).await;
    let mut stream = stream.0;
    stream.gone().await;

    // It is known from now on.
    let second = connecting(&connect.clone());
    let stream = self::stream(&mut server).await;
    stream.chunk("event: endpoint\ndata: ../messages?sid=1\n\n");
    shake_hands(&mut server, &stream).await;
    connected(second).await;
}

#[tokio::test]
async fn the_server_sees_no_request_before_it_knows_that_the_handshake_is_over() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/a/sse?k=1")));
    let stream = refuse(&mut server).await;
    stream.chunk("event: endpoint\ndata: /messages?sid=1\n\n");
    let initialize = server.post().await;
    let (id, answer) = (initialize.id(), initialized("2024-11-05"));
    initialize.accept();
    stream.event(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{answer}}}"#
    ));
    let done = server.post().await;
    let client = connected(connecting).await;
    let calling = call(&client);
    tokio::task::yield_now().await;
    client.notify("notifications/x", None).unwrap();
    let told = server.post().await;
    assert_eq!(told.rpc(), "notifications/x");
    server.assert_quiet();
    told.accept();
    done.accept();
    assert_eq!(server.post().await.rpc(), "tools/call");
    calling.abort();
}

/// LEG-02.
#[tokio::test]
async fn messages_go_nowhere_else_than_to_the_origin() {
    for place in [
        "https://evil.test/collect?sid=1",
        "//evil.test/x",
        "http://[",
        "https://127.0.0.1/x",
    ] {
        let mut server = Server::start().await;
        let connect = Connect::new(server.url("/a/sse?k=1")).header("x-key", "secret");
        let connecting = connecting(&connect);
        for _ in 0..2 {
            server.post().await.answer("404 Not Found", "", "");
        }
        let stream = server.next().await.events();
        stream.chunk(&format!("event: endpoint\ndata: {place}\n\n"));
        let error = soon(connecting).await.unwrap().unwrap_err();
        assert!(error.to_string().contains("initialize"), "{error}");
        let mut request = stream.0;
        request.gone().await;
        server.assert_quiet();
    }
}

/// LEG-04.
#[tokio::test]
async fn a_stream_that_is_gone_takes_the_connection_along() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/a/sse?k=1")));
    let stream = refuse(&mut server).await;
    stream.chunk("event: endpoint\ndata: /messages?sid=1\n\n");
    shake_hands(&mut server, &stream).await;
    let client = connected(connecting).await;
    let calling = call(&client);
    server.post().await.accept();
    stream.end();
    let error = soon(calling).await.unwrap().unwrap_err();
    assert!(
        error.is_disconnected() && error.is_outcome_unknown(),
        "{error}"
    );
    let error = soon(client.call_tool("t", json!({}))).await.unwrap_err();
    assert!(
        error.is_disconnected() && !error.is_outcome_unknown(),
        "{error}"
    );
    server.assert_quiet();
}

/// LEG-06, the first case.
#[tokio::test]
async fn a_message_that_is_refused_fails_its_request() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/a/sse?k=1")));
    let stream = refuse(&mut server).await;
    stream.chunk("event: endpoint\ndata: /messages?sid=1\n\n");
    shake_hands(&mut server, &stream).await;
    let client = connected(connecting).await;
    for (status, expected) in [
        (
            "404 Not Found",
            "the server has lost the session; connect again",
        ),
        ("400 Bad Request", "HTTP 400 Bad Request: no such session"),
    ] {
        let calling = call(&client);
        server.post().await.answer(status, "", "no such session");
        let error = soon(calling).await.unwrap().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!error.is_outcome_unknown());
    }
}

#[tokio::test]
async fn what_is_no_such_server_either_fails_with_what_was_said_first() {
    for status in ["405 Method Not Allowed", "200 OK", "401 Unauthorized"] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        for _ in 0..2 {
            server
                .post()
                .await
                .answer("404 Not Found", "", "nothing here");
        }
        let stream = server.next().await;
        assert_eq!(stream.method, "GET");
        stream.answer(status, "content-type: text/html\r\n", "<html>");
        let error = soon(connecting).await.unwrap().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("HTTP 404 Not Found: nothing here"),
            "{error}"
        );
        server.assert_quiet();
    }
}

/// LEG-05: only what a server of this transport says to a POST leads to it.
#[tokio::test]
async fn a_server_that_refuses_for_another_reason_is_not_taken_for_an_older_one() {
    let modern = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"m"}}"#;
    for (status, body) in [
        ("401 Unauthorized", ""),
        ("406 Not Acceptable", ""),
        ("500 Internal Server Error", ""),
        ("400 Bad Request", modern),
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        server.post().await.answer("404 Not Found", "", "");
        let initialize = server.post().await;
        initialize.answer(status, "content-type: application/json\r\n", body);
        soon(connecting).await.unwrap().unwrap_err();
        server.assert_quiet();
    }
}
