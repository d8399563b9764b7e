//! server-everything (npm), which offers all that there was before 2026-07-28.

use mcp_core::Client;
use mcp_core::protocol::{
    CompleteParams, CompletionArgument, CompletionReference, PromptReference,
};
use serde_json::json;

use super::{client, counted, names, npm, run, text};
use crate::environment::Environment;

/// Lets a test speak with server-everything.
fn everything(test: impl AsyncFnOnce(&Client)) {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = npm(&environment, "server-everything");
        let client = command.connect_as(client()).await.unwrap();
        test(&client).await;
        client.close().await;
    });
}

#[test]
fn tools_of_server_everything_are_listed_and_called() {
    everything(async |client| {
        assert_eq!(client.server().name(), "mcp-servers/everything");
        assert_eq!(client.server().version.as_str(), "2025-11-25");
        let mut tools = names(client).await;
        // Some it has only for clients that can be asked.
        tools.retain(|name| name.starts_with("trigger-") || name.starts_with("get-s"));
        tools.sort();
        assert_eq!(
            tools,
            [
                "get-structured-content",
                "get-sum",
                "trigger-elicitation-request",
                "trigger-long-running-operation",
                "trigger-sampling-request",
            ]
        );
        let sum = text(client, "get-sum", json!({"a": 2, "b": 3})).await;
        assert_eq!(sum, "The sum of 2 and 3 is 5.");
        let chicago = json!({"location": "Chicago"});
        let weather = client.call_tool("get-structured-content", chicago);
        let weather: serde_json::Value = weather.into_typed().await.unwrap();
        assert_eq!(weather["temperature"], 36);
        let refused = client
            .call_tool("get-sum", json!({"a": "x", "b": 3}))
            .await
            .unwrap();
        assert_eq!(refused.is_error, Some(true));
        assert!(
            refused.text().contains("expected number"),
            "{}",
            refused.text()
        );
    });
}

#[test]
fn server_everything_reports_asks_and_is_answered() {
    everything(async |client| {
        let long = json!({"duration": 1, "steps": 4});
        let (result, seen) = counted(client, "trigger-long-running-operation", long).await;
        assert!(
            result.starts_with("Long running operation completed"),
            "{result}"
        );
        assert_eq!(seen, [1.0, 2.0, 3.0, 4.0]);
        let asked = text(client, "trigger-elicitation-request", json!({})).await;
        assert!(
            asked.contains("\"action\": \"accept\"") && asked.contains("Ada"),
            "{asked}"
        );
        let sampled = text(client, "trigger-sampling-request", json!({"prompt": "p"})).await;
        assert!(sampled.contains("the model's words"), "{sampled}");
    });
}

#[test]
fn prompts_and_resources_of_server_everything_are_read() {
    everything(async |client| {
        let prompt = client
            .get_prompt("args-prompt", [("city", "Paris")])
            .await
            .unwrap();
        assert_eq!(
            prompt.messages[0].content.as_text(),
            Some("What's weather in Paris?")
        );
        let completion = CompleteParams::new(
            CompletionReference::Prompt(PromptReference::new("completable-prompt")),
            CompletionArgument::new("department", "Eng"),
        );
        let completed = client.complete(&completion).await.unwrap();
        assert_eq!(completed.completion.values, ["Engineering"]);
        let uri = "demo://resource/dynamic/text/1";
        let read = client.read_resource(uri).await.unwrap();
        assert!(
            read.contents[0]
                .as_text()
                .unwrap()
                .starts_with("Resource 1:")
        );
        let unknown = client.read_resource("demo://nothing").await.unwrap_err();
        assert!(unknown.error_object().is_some(), "{unknown}");
        drop(client.subscribe([uri]).await.unwrap());
    });
}

/// HST-11.
#[test]
fn a_call_of_server_everything_that_is_given_up_ends_nothing_else() {
    everything(async |client| {
        let endless = json!({"duration": 60, "steps": 60});
        let (started, is_started) = tokio::sync::oneshot::channel();
        let mut started = Some(started);
        let long = client
            .call_tool("trigger-long-running-operation", endless)
            .on_progress(move |_| {
                if let Some(started) = started.take() {
                    started.send(()).unwrap();
                }
            });
        tokio::select! {
            result = long => panic!("it takes a minute: {result:?}"),
            _ = is_started => {}
        }
        assert_eq!(
            text(client, "echo", json!({"message": "on"})).await,
            "Echo: on"
        );
    });
}
