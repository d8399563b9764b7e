//! Streams of sessions: what is told unasked, and answers that are taken up again.

use std::time::Duration;

use mcp_core::resource;
use mcp_core::testing::Gate;

use crate::tools::{Ended, gated, mark, server};
use crate::web::{BOTH, Reply, Web, call};

/// A note.
#[resource("note://1")]
fn note() -> &'static str {
    "text"
}

async fn listen(web: &Web, id: &str, last: Option<&str>) -> Reply {
    let mut headers = vec![BOTH, ("mcp-session-id", id)];
    headers.extend(last.map(|last| ("last-event-id", last)));
    web.send("GET", &headers, "").await
}

const LIST_CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

#[tokio::test]
async fn what_is_told_unasked_comes_on_a_stream_of_its_own() {
    let server = server();
    let live = server.live();
    let web = Web::new(server);
    let id = web.open("2025-11-25").await;
    let mut stream = listen(&web, &id, None).await;
    assert_eq!(
        (stream.status, stream.header("content-type")),
        (200, "text/event-stream")
    );
    assert_eq!(
        stream.next().await.unwrap(),
        "id: 0-0\nretry: 1000\ndata: \n\n"
    );
    assert!(stream.is_quiet());
    live.remove("add");
    assert_eq!(
        stream.next().await.unwrap(),
        format!("id: 0-1\ndata: {LIST_CHANGED}\n\n")
    );
    // The session ends, and its stream with it.
    assert!(stream.is_quiet());
    assert_eq!(
        web.send("DELETE", &[("mcp-session-id", &id)], "")
            .await
            .status,
        204
    );
    assert_eq!(stream.text().await, "");
}

#[tokio::test]
async fn what_is_watched_is_told_there_too() {
    let server = server().resource::<note>();
    let live = server.live();
    let web = Web::new(server);
    let id = web.open("2025-06-18").await;
    let session = ("mcp-session-id", &*id);
    let mut stream = listen(&web, &id, None).await;
    assert_eq!(stream.next().await.unwrap(), ":\n\n");
    let subscribe = |method: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/{method}","params":{{"uri":"note://1"}}}}"#
        )
    };
    let mut reply = web.post(&[session], subscribe("subscribe")).await;
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
    );
    live.resource_updated("note://1");
    assert_eq!(
        stream.next().await.unwrap(),
        "id: 0-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"note://1\"}}\n\n"
    );
    web.post(&[session], subscribe("unsubscribe")).await;
    live.resource_updated("note://1");
    assert!(stream.is_quiet());
}

/// A batch is answered as one, and what is in it concerns the session all the same.
#[tokio::test]
async fn what_is_watched_by_a_batch_is_told() {
    let server = server().resource::<note>();
    let live = server.live();
    let web = Web::new(server);
    let id = web.open("2025-03-26").await;
    let mut stream = listen(&web, &id, None).await;
    stream.next().await.unwrap();
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"note://1"}},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    let mut reply = web.post(&[("mcp-session-id", &*id)], batch).await;
    assert_eq!(
        reply.text().await,
        r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]"#
    );
    live.resource_updated("note://1");
    assert!(stream.next().await.unwrap().contains("note://1"));
}

/// T33.
#[tokio::test]
async fn what_was_told_while_the_connection_was_broken_is_told_again() {
    let server = server();
    let live = server.live();
    let web = Web::new(server);
    let id = web.open("2025-11-25").await;
    let mut stream = listen(&web, &id, None).await;
    stream.next().await.unwrap();
    live.remove("add");
    assert!(stream.next().await.unwrap().starts_with("id: 0-1\n"));
    drop(stream);
    live.remove("near");
    let mut stream = listen(&web, &id, Some("0-1")).await;
    stream.next().await.unwrap();
    assert_eq!(
        stream.next().await.unwrap(),
        format!("id: 0-2\ndata: {LIST_CHANGED}\n\n")
    );
    // Even what was sent may not have arrived.
    let mut again = listen(&web, &id, Some("0-0")).await;
    again.next().await.unwrap();
    let both = format!("id: 0-1\ndata: {LIST_CHANGED}\n\nid: 0-2\ndata: {LIST_CHANGED}\n\n");
    assert_eq!(again.next().await.unwrap(), both);
}

/// HTP-16, T32.
#[tokio::test]
async fn of_two_streams_the_newer_is_told() {
    let server = server();
    let live = server.live();
    let web = Web::new(server);
    let id = web.open("2025-11-25").await;
    let mut older = listen(&web, &id, None).await;
    older.next().await.unwrap();
    assert!(older.is_quiet());
    let mut newer = listen(&web, &id, None).await;
    newer.next().await.unwrap();
    live.remove("add");
    assert!(older.is_quiet());
    assert!(newer.next().await.unwrap().contains("list_changed"));
    drop(newer);
    live.remove("near");
    assert!(older.next().await.unwrap().contains("list_changed"));
    // Both end with the session.
    let mut newer = listen(&web, &id, None).await;
    newer.next().await.unwrap();
    assert!(older.is_quiet() && newer.is_quiet());
    let end = web.send("DELETE", &[("mcp-session-id", &id)], "").await;
    assert_eq!(end.status, 204);
    assert_eq!(
        (older.text().await, newer.text().await),
        (String::new(), String::new())
    );
}

/// CAN-05, T34.
#[tokio::test]
async fn a_call_runs_on_when_its_connection_breaks_and_is_taken_up_again() {
    let (gate, ended) = (Gate::new(), Ended::default());
    let web = Web::new(
        server()
            .lend(gate.clone())
            .lend(ended.clone())
            .tool::<mark>(),
    );
    let id = web.open("2025-11-25").await;
    let mut reply = web.post(&[("mcp-session-id", &*id)], call(1, "mark")).await;
    let begin = reply.next().await.unwrap();
    assert!(
        begin.starts_with("id: 1-0\nretry: 1000\ndata: \n\nid: 1-1\ndata: {"),
        "{begin}"
    );
    drop(reply);
    assert_eq!(gate.waiting(), 1);
    gate.open();
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    assert!(ended.is());
    let mut again = listen(&web, &id, Some("1-1")).await;
    let rest = again.text().await;
    assert_eq!(
        rest,
        "id: 1-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"marked\"}]}}\n\n"
    );
    // From the beginning, it is told from the beginning.
    let all = listen(&web, &id, Some("1-0")).await.text().await;
    assert!(
        all.starts_with("id: 1-1\n") && all.contains("id: 1-2\n"),
        "{all}"
    );
    assert_eq!(listen(&web, &id, Some("2-0")).await.status, 400);
    assert_eq!(listen(&web, &id, Some("x")).await.status, 400);
}

/// SEP-1699: a server may let its client go.
#[tokio::test]
async fn a_call_lets_its_client_go_which_comes_back_for_the_answer() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let id = web.open("2025-11-25").await;
    let mut reply = web
        .post(&[("mcp-session-id", &*id)], call(1, "leave"))
        .await;
    assert_eq!(reply.text().await, "id: 1-0\nretry: 1000\ndata: \n\n");
    let mut again = listen(&web, &id, Some("1-0")).await;
    assert!(again.is_quiet());
    gate.open();
    assert!(
        again
            .text()
            .await
            .starts_with("id: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\"")
    );
}

#[tokio::test]
async fn an_answer_without_reports_is_json_however_long_it_took() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let id = web.open("2025-11-25").await;
    let session = id.clone();
    let asking = web.clone();
    let waiting = tokio::spawn(async move {
        asking
            .post(&[("mcp-session-id", &*session)], call(1, "wait"))
            .await
    });
    while gate.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    gate.open();
    let mut reply = waiting.await.unwrap();
    assert_eq!(reply.header("content-type"), "application/json");
    assert!(reply.text().await.contains("on we go"));
}

#[tokio::test(start_paused = true)]
async fn a_quiet_call_becomes_a_stream_in_time() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate)).set(|service| service.keep_alive(Duration::from_secs(5)));
    let id = web.open("2025-03-26").await;
    let mut reply = web.post(&[("mcp-session-id", &*id)], call(1, "wait")).await;
    assert_eq!(reply.header("content-type"), "text/event-stream");
    // What a stream begins with from 2025-11-25 on, older clients may not understand.
    assert_eq!(reply.next().await.unwrap(), ":\n\n");
    gate.open();
    assert!(reply.text().await.contains("on we go"));
}
