//! Our client against other people's servers, which are children of ours.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp_core::client::ClientErrorKind;
use mcp_core::protocol::{
    CompleteParams, CompletionArgument, CompletionReference, CreateMessageResult, ElicitResult,
    PromptReference, Role, Root, SamplingContent, SubscriptionFilter, TextContent,
};
use mcp_core::{Client, ErrorCode};
use mcp_stdio::{Command, Stderr};
use serde_json::json;

use crate::environment::{self, Environment, scratch};

/// Long enough for any machine; only a test that hangs waits for it.
const PATIENCE: Duration = Duration::from_secs(120);

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await });
    done.expect("it hangs");
}

/// A program of the package `@modelcontextprotocol/…`.
fn npm(environment: &Environment, package: &str) -> Command {
    let modules = environment
        .packages()
        .join("node_modules/@modelcontextprotocol");
    let program = modules.join(package).join("dist/index.js");
    Command::new(environment.node())
        .arg(program)
        .stderr(Stderr::Tail)
}

/// A client that can be asked anything.
fn client() -> mcp_core::ClientBuilder {
    Client::builder("interop", "1.0.0")
        .timeout(PATIENCE)
        .probe_timeout(PATIENCE)
        .on_elicitation(|_| async { ElicitResult::accept(json!({"name": "Ada"})) })
        .on_sampling(|_| async {
            let text = SamplingContent::Text(TextContent::new("the model's words"));
            CreateMessageResult::new(Role::Assistant, vec![text], "none")
        })
        .roots([Root::new("file:///tmp")])
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all_tools().await.unwrap();
    tools.iter().map(|tool| tool.name.clone()).collect()
}

async fn text(client: &Client, tool: &str, arguments: serde_json::Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    assert_ne!(result.is_error, Some(true), "{}", result.text());
    result.text()
}

/// What a tool says that reports its progress, and how far it said to be.
async fn counted(client: &Client, tool: &str, arguments: serde_json::Value) -> (String, Vec<f64>) {
    let seen = Mutex::new(Vec::new());
    let call = client.call_tool(tool, arguments).on_progress(|progress| {
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(progress.progress);
    });
    let text = call.await.unwrap().text();
    let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    (text, seen)
}

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

#[test]
fn server_filesystem_reads_and_refuses() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let folder = scratch("served-files");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.txt");
        std::fs::write(&file, "hello\n").unwrap();
        let command = npm(&environment, "server-filesystem").arg(&folder);
        let client = command.connect().await.unwrap();
        assert_eq!(client.server().name(), "secure-filesystem-server");
        let tools = names(&client).await;
        assert_eq!(tools.len(), 14);
        assert!(tools.contains(&"read_text_file".to_owned()));
        let file = file.to_str().unwrap();
        assert_eq!(
            text(&client, "read_text_file", json!({"path": file})).await,
            "hello\n"
        );
        let outside = client
            .call_tool("read_text_file", json!({"path": "/etc/passwd"}))
            .await
            .unwrap();
        assert_eq!(outside.is_error, Some(true));
        assert!(
            outside.text().starts_with("Access denied"),
            "{}",
            outside.text()
        );
        // It offers nothing else, and is not asked for it.
        let prompts = client.list_prompts(None).await.unwrap_err();
        assert!(matches!(prompts.kind(), ClientErrorKind::Unsupported(_)));
        client.close().await;
    });
}

#[test]
fn server_memory_keeps_what_it_is_told() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let memory = scratch("memory.json");
        std::fs::remove_file(&memory).ok();
        let command = npm(&environment, "server-memory").env("MEMORY_FILE_PATH", &memory);
        let client = command.connect().await.unwrap();
        assert_eq!(names(&client).await.len(), 9);
        let entity = json!({"name": "a", "entityType": "t", "observations": ["o"]});
        text(&client, "create_entities", json!({"entities": [entity]})).await;
        let graph: serde_json::Value = client
            .call_tool("read_graph", ())
            .into_typed()
            .await
            .unwrap();
        assert_eq!(graph["entities"], json!([entity]));
        client.close().await;
        assert!(memory.exists());
    });
}

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
