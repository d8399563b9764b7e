//! Servers of our own on the second TypeScript SDK and the Python SDK, in `tests/servers`.

use mcp_core::client::{Change, ClientErrorKind};
use mcp_core::{Client, ErrorCode};
use serde_json::json;

use super::{
    ERAS, assert_refused, client_of, counted, failure, give_up, names, run, scripted, text, tools,
};
use crate::environment::Environment;

/// Lets a test speak with the server on the second TypeScript SDK in each era.
fn typescript(test: impl AsyncFn(&Client)) {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        for revision in ERAS {
            let command = scripted(environment.node(), "ts_server.mjs")
                .env("PACKAGES", environment.packages());
            let client = client_of(command, revision).await;
            test(&client).await;
            client.close().await;
        }
    });
}

#[test]
fn tools_of_the_second_typescript_sdk_are_listed_called_and_fail() {
    typescript(async |client| {
        assert_eq!(client.server().name(), "typescript");
        assert_eq!(
            names(client).await,
            [
                "add",
                "fail",
                "count",
                "greet",
                "think",
                "wait",
                "was_given_up",
                "learn"
            ]
        );
        let sum = client.call_tool("add", json!({"a": 2, "b": 3}));
        let sum: serde_json::Value = sum.into_typed().await.unwrap();
        assert_eq!(sum, json!({"sum": 5}));
        assert_eq!(failure(client, "fail", json!({})).await, "on purpose");
        let unknown = client.call_tool("fly", ()).await.unwrap_err();
        assert_refused(&unknown, ErrorCode::INVALID_PARAMS, "Tool fly not found");
    });
}

#[test]
fn the_second_typescript_sdk_asks_and_reports() {
    typescript(async |client| {
        // Rounds in the newest revision, requests before; the age is the default of the form.
        assert_eq!(text(client, "greet", json!({})).await, "Hello, Ada (30)");
        assert_eq!(
            text(client, "think", json!({})).await,
            "none: words on: Think."
        );
        let counted = counted(client, "count", json!({"to": 3})).await;
        assert_eq!(counted, ("counted to 3".to_owned(), vec![1.0, 2.0, 3.0]));
    });
}

#[test]
fn the_second_typescript_sdk_is_told_that_a_call_was_given_up() {
    typescript(async |client| {
        give_up(client, "wait", json!({})).await;
        assert_eq!(text(client, "was_given_up", json!({})).await, "given up");
    });
}

#[test]
fn resources_and_prompts_of_the_second_typescript_sdk_are_read() {
    typescript(async |client| {
        let note = client.read_resource("note://one").await.unwrap();
        assert_eq!(note.contents[0].as_text(), Some("the note"));
        let absent = client.read_resource("note://two").await.unwrap_err();
        assert!(absent.is_resource_not_found(), "{absent}");
        let nothing = Vec::<(String, String)>::new();
        let hello = client.get_prompt("hello", nothing).await.unwrap();
        assert_eq!(hello.messages[0].content.as_text(), Some("Say hello."));
    });
}

#[test]
fn the_second_typescript_sdk_tells_that_its_tools_have_changed() {
    typescript(async |client| {
        let before = names(client).await;
        let mut listening = client.listen(tools()).await.unwrap();
        assert_eq!(listening.acknowledged(), Some(tools()));
        text(client, "learn", json!({})).await;
        assert_eq!(listening.next().await, Some(Change::Tools));
        let after = names(client).await;
        assert_eq!(after.split_last(), Some((&"learned".to_owned(), &*before)));
        assert_eq!(text(client, "learned", json!({})).await, "learned");
    });
}

/// It tells of changes in the newest revision only.
#[test]
fn the_python_sdk_tells_what_was_listened_for_in_the_newest_revision() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = scripted(environment.python(), "mcp_server.py");
        let client = client_of(command, "2026-07-28").await;
        assert_eq!(client.server().name(), "python");
        assert_eq!(names(&client).await, ["write", "learn"]);
        let filter = tools().with_resource_subscriptions(vec!["note://one".to_owned()]);
        let mut listening = client.listen(filter.clone()).await.unwrap();
        assert_eq!(listening.acknowledged(), Some(filter));
        text(&client, "write", json!({"text": "another"})).await;
        let changed = Change::Resource("note://one".to_owned());
        assert_eq!(listening.next().await, Some(changed));
        let note = client.read_resource("note://one").await.unwrap();
        assert_eq!(note.contents[0].as_text(), Some("another"));
        text(&client, "learn", json!({})).await;
        assert_eq!(listening.next().await, Some(Change::Tools));
        assert_eq!(names(&client).await, ["write", "learn", "learned"]);
        client.close().await;
    });
}

#[test]
fn the_python_sdk_offers_no_changes_in_an_older_revision() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = scripted(environment.python(), "mcp_server.py");
        let client = client_of(command, "2025-11-25").await;
        let refused = client.subscribe(["note://one"]).await.unwrap_err();
        assert!(matches!(refused.kind(), ClientErrorKind::Unsupported(_)));
        assert_eq!(
            text(&client, "write", json!({"text": "another"})).await,
            "written"
        );
        client.close().await;
    });
}
