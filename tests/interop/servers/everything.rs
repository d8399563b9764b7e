//! server-everything (npm), which offers all that there was before 2026-07-28.

use mcp_core::client::{Change, Event};
use mcp_core::protocol::{
    CompleteParams, CompletionArgument, CompletionReference, PromptReference, Root,
};
use mcp_core::{Client, ErrorCode};
use serde_json::{Value, json};

use super::{assert_refused, client, counted, failure, give_up, names, npm, run, text};
use crate::environment::Environment;

/// Lets a test speak with server-everything.
fn everything(test: impl AsyncFnOnce(&Client)) {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let command = npm(&environment, "server-everything");
        let client = command.connect_as(client().elicits_by_url()).await.unwrap();
        test(&client).await;
        client.close().await;
    });
}

#[test]
fn tools_of_server_everything_are_listed_and_called() {
    everything(async |client| {
        assert_eq!(client.server().name(), "mcp-servers/everything");
        assert_eq!(client.server().version.as_str(), "2025-11-25");
        // The last five it has only for clients that can be asked.
        assert_eq!(
            names(client).await,
            [
                "echo",
                "get-annotated-message",
                "get-env",
                "get-resource-links",
                "get-resource-reference",
                "get-structured-content",
                "get-sum",
                "get-tiny-image",
                "gzip-file-as-resource",
                "toggle-simulated-logging",
                "toggle-subscriber-updates",
                "trigger-long-running-operation",
                "get-roots-list",
                "trigger-elicitation-request",
                "trigger-url-elicitation",
                "trigger-sampling-request",
                "simulate-research-query",
            ]
        );
        let sum = text(client, "get-sum", json!({"a": 2, "b": 3})).await;
        assert_eq!(sum, "The sum of 2 and 3 is 5.");
        let chicago = json!({"location": "Chicago"});
        let weather = client.call_tool("get-structured-content", chicago);
        let weather: Value = weather.into_typed().await.unwrap();
        assert_eq!(weather["temperature"], 36);
        assert_eq!(
            failure(client, "get-sum", json!({"a": "x", "b": 3})).await,
            "MCP error -32602: Input validation error: Invalid arguments for tool get-sum: \
             Invalid input: expected number, received string at a"
        );
        assert_eq!(
            failure(client, "fly", json!({})).await,
            "MCP error -32602: Tool fly not found"
        );
    });
}

#[test]
fn server_everything_reports_asks_and_is_answered() {
    everything(async |client| {
        let long = json!({"duration": 1, "steps": 4});
        let (result, seen) = counted(client, "trigger-long-running-operation", long).await;
        assert_eq!(
            result,
            "Long running operation completed. Duration: 1 seconds, Steps: 4."
        );
        assert_eq!(seen, [1.0, 2.0, 3.0, 4.0]);
        let asked = text(client, "trigger-elicitation-request", json!({})).await;
        // The numbers are defaults of the form.
        let told = "User inputs:\n- Name: Ada\n- Favorite Integer: 42\n- Favorite Number: 3.14\n";
        assert!(asked.contains(told), "{asked}");
        let sampled = text(client, "trigger-sampling-request", json!({"prompt": "tea"})).await;
        let (_, sampled) = sampled.split_once('\n').unwrap();
        let sampled: Value = serde_json::from_str(sampled).unwrap();
        let words = "words on: Resource trigger-sampling-request context: tea";
        assert_eq!(
            sampled,
            json!({"model": "none", "role": "assistant", "content": {"type": "text", "text": words}})
        );
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
        let message = "MCP error -32602: Resource demo://nothing not found";
        assert_refused(&unknown, ErrorCode::INVALID_PARAMS, message);
    });
}

/// HST-11.
#[test]
fn a_call_of_server_everything_that_is_given_up_ends_nothing_else() {
    everything(async |client| {
        let endless = json!({"duration": 60, "steps": 60});
        give_up(client, "trigger-long-running-operation", endless).await;
        assert_eq!(
            text(client, "echo", json!({"message": "on"})).await,
            "Echo: on"
        );
    });
}

#[test]
fn server_everything_tells_of_a_resource_that_is_watched() {
    everything(async |client| {
        let uri = "demo://resource/dynamic/text/1";
        let mut subscription = client.subscribe([uri]).await.unwrap();
        text(client, "toggle-subscriber-updates", json!({})).await;
        let changed = Change::Resource(uri.to_owned());
        assert_eq!(subscription.next().await, Some(changed));
    });
}

#[test]
fn server_everything_is_told_that_the_folders_of_its_client_have_changed() {
    everything(async |client| {
        let mut events = client.events();
        let folders = text(client, "get-roots-list", json!({})).await;
        assert!(
            folders.starts_with(
                "Current MCP Roots (1 total):\n\n1. Unnamed Root\n   URI: file:///tmp\n"
            ),
            "{folders}"
        );
        let two = ["file:///a", "file:///b"].map(Root::new);
        client.set_roots(two).unwrap();
        // The server asks for them, and logs once it has them.
        let told = "\"Roots updated: 2 root(s) received from client\"";
        loop {
            match events.next().await.unwrap() {
                Event::Log(log) if log.data.get() == told => break,
                _ => {}
            }
        }
        let folders = text(client, "get-roots-list", json!({})).await;
        assert!(
            folders.contains("2. Unnamed Root\n   URI: file:///b\n"),
            "{folders}"
        );
    });
}

#[test]
fn server_everything_sends_a_person_to_a_page_before_it_goes_on() {
    everything(async |client| {
        let page = json!({"url": "https://example.org/a", "errorPath": true});
        let first = client.call_tool("trigger-url-elicitation", page.clone());
        let first = first.await.unwrap_err();
        let message = "MCP error -32042: This request requires browser-based authorization.";
        assert_refused(&first, ErrorCode::URL_ELICITATION_REQUIRED, message);
        let data = first.error_object().unwrap().data.as_ref().unwrap();
        let asked = &data["elicitations"][0];
        assert_eq!(
            (&asked["mode"], &asked["url"]),
            (&json!("url"), &json!("https://modelcontextprotocol.io"))
        );
        // Now it asks.
        let then = text(client, "trigger-url-elicitation", page).await;
        assert!(
            then.starts_with("✅ User completed the URL elicitation flow.\n"),
            "{then}"
        );
        assert!(then.contains("\nURL: https://example.org/a\n"), "{then}");
    });
}
