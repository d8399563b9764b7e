//! Servers of our own on other SDKs, in `tests/servers`.

use mcp_core::ErrorCode;
use mcp_core::protocol::SubscriptionFilter;
use mcp_stdio::{Command, Stderr};
use serde_json::json;

use super::{client, counted, names, run, text};
use crate::environment::{self, Environment};

#[test]
fn the_second_typescript_sdk_is_spoken_with_in_the_newest_revision() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = Command::new(environment.node())
            .arg(environment::server("ts_server.mjs"))
            .env("PACKAGES", environment.packages())
            .stderr(Stderr::Tail);
        let client = command.connect_as(client()).await.unwrap();
        assert_eq!(client.server().version.as_str(), "2026-07-28");
        assert_eq!(names(&client).await, ["add", "fail", "count", "greet"]);
        let sum: serde_json::Value = client
            .call_tool("add", json!({"a": 2, "b": 3}))
            .into_typed()
            .await
            .unwrap();
        assert_eq!(sum, json!({"sum": 5}));
        let failed = client.call_tool("fail", ()).await.unwrap();
        assert_eq!(
            (failed.is_error, failed.text().as_str()),
            (Some(true), "on purpose")
        );
        let counted = counted(&client, "count", json!({"to": 3})).await;
        assert_eq!(counted, ("counted to 3".to_owned(), vec![1.0, 2.0, 3.0]));
        // An input round; the age is the default of the form.
        assert_eq!(text(&client, "greet", json!({})).await, "Hello, Ada (30)");
        let note = client.read_resource("note://one").await.unwrap();
        assert_eq!(note.contents[0].as_text(), Some("the note"));
        let absent = client.read_resource("note://two").await.unwrap_err();
        assert_eq!(
            absent.error_object().unwrap().code,
            ErrorCode::INVALID_PARAMS
        );
        let hello = client
            .get_prompt("hello", Vec::<(String, String)>::new())
            .await
            .unwrap();
        assert_eq!(hello.messages[0].content.as_text(), Some("Say hello."));
        let filter = SubscriptionFilter::default().with_tools_list_changed(true);
        let listening = client.listen(filter).await.unwrap();
        assert_eq!(
            listening.acknowledged().unwrap().tools_list_changed,
            Some(true)
        );
        client.close().await;
    });
}

fn fastmcp(environment: &Environment) -> Command {
    let script = environment::server("py_server.py");
    Command::new(environment.python())
        .arg(script)
        .stderr(Stderr::Tail)
}

#[test]
fn fastmcp_is_spoken_with_in_the_newest_revision() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let client = fastmcp(&environment).connect_as(client()).await.unwrap();
        assert_eq!(client.server().version.as_str(), "2026-07-28");
        assert_eq!(names(&client).await, ["add", "fail", "count", "greet"]);
        let sum: i64 = client
            .call_tool("add", json!({"a": 2, "b": 3}))
            .into_typed()
            .await
            .unwrap();
        assert_eq!(sum, 5);
        let failed = client.call_tool("fail", ()).await.unwrap();
        assert_eq!(failed.is_error, Some(true));
        assert!(failed.text().contains("on purpose"), "{}", failed.text());
        client.close().await;
    });
}

#[test]
fn fastmcp_asks_and_reports_in_an_older_revision() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let older = client().without_probe();
        let client = fastmcp(&environment).connect_as(older).await.unwrap();
        assert_eq!(client.server().version.as_str(), "2025-11-25");
        assert_eq!(text(&client, "greet", json!({})).await, "accept: Ada (30)");
        let counted = counted(&client, "count", json!({"to": 3})).await;
        assert_eq!(counted, ("counted to 3".to_owned(), vec![1.0, 2.0, 3.0]));
        let note = client.read_resource("note://one").await.unwrap();
        assert_eq!(note.contents[0].as_text(), Some("the note one"));
        let hello = client.get_prompt("hello", [("name", "Ada")]).await.unwrap();
        assert_eq!(
            hello.messages[0].content.as_text(),
            Some("Say hello to Ada.")
        );
        client.close().await;
    });
}
