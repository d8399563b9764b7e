//! A server of our own on FastMCP, in `tests/servers`.

use mcp_core::client::Change;
use mcp_core::{Client, ErrorCode};
use serde_json::json;

use super::{
    assert_refused, client_of, counted, failure, give_up, names, run, scripted, text, tools,
};
use crate::environment::Environment;

/// Lets a test speak with it.
fn fastmcp(revision: &str, test: impl AsyncFnOnce(&Client)) {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = scripted(environment.python(), "py_server.py");
        let client = client_of(command, revision).await;
        assert_eq!(client.server().name(), "fastmcp");
        test(&client).await;
        client.close().await;
    });
}

/// What is the same in each era.
async fn use_all(client: &Client) {
    assert_eq!(
        names(client).await,
        [
            "add",
            "fail",
            "count",
            "greet",
            "think",
            "introduce",
            "wait",
            "was_given_up",
            "learn"
        ]
    );
    let sum = client.call_tool("add", json!({"a": 2, "b": 3}));
    let sum: i64 = sum.into_typed().await.unwrap();
    assert_eq!(sum, 5);
    assert_eq!(
        failure(client, "fail", json!({})).await,
        "Error calling tool 'fail': on purpose"
    );
    assert_eq!(
        failure(client, "fly", json!({})).await,
        "Unknown tool: 'fly'"
    );
    let counted = counted(client, "count", json!({"to": 3})).await;
    assert_eq!(counted, ("counted to 3".to_owned(), vec![1.0, 2.0, 3.0]));
    let note = client.read_resource("note://one").await.unwrap();
    assert_eq!(note.contents[0].as_text(), Some("the note one"));
    let hello = client.get_prompt("hello", [("name", "Ada")]).await.unwrap();
    assert_eq!(
        hello.messages[0].content.as_text(),
        Some("Say hello to Ada.")
    );
    give_up(client, "wait", json!({})).await;
    assert_eq!(text(client, "was_given_up", json!({})).await, "given up");
}

#[test]
fn fastmcp_is_spoken_with_in_the_newest_revision() {
    fastmcp("2026-07-28", async |client| {
        use_all(client).await;
        // Both questions in one round.
        assert_eq!(
            text(client, "introduce", json!({})).await,
            "asked: Ada, words on: Think."
        );
        assert_eq!(
            failure(client, "greet", json!({})).await,
            "elicitation via server-initiated requests is unavailable on 2026-07-28 connections."
        );
        let refused = client.listen(tools()).await.unwrap_err();
        assert_refused(&refused, ErrorCode::METHOD_NOT_FOUND, "Method not found");
    });
}

#[test]
fn fastmcp_asks_and_tells_of_changes_in_an_older_revision() {
    fastmcp("2025-11-25", async |client| {
        use_all(client).await;
        assert_eq!(text(client, "greet", json!({})).await, "accept: Ada (30)");
        assert_eq!(
            text(client, "think", json!({})).await,
            "none: words on: Think."
        );
        let mut listening = client.listen(tools()).await.unwrap();
        text(client, "learn", json!({})).await;
        assert_eq!(listening.next().await, Some(Change::Tools));
        assert_eq!(names(client).await.last().unwrap(), "learned");
    });
}
