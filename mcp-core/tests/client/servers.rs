//! Clients and servers of ours, over a pipe in memory.

use std::sync::Mutex;

use mcp_core::client::{Change, Event};
use mcp_core::protocol::{ElicitResult, ProgressParams, ProtocolVersion, Root};
use mcp_core::testing::{Gate, TestRuntime};
use mcp_core::{
    Client, ClientBuilder, ClientError, Context, Json, Live, LoggingLevel, Server, data, prompt,
    resource, tool, transport,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::talk::builder;

/// Adds two integers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says it again.
#[tool]
fn echo(text: String) -> String {
    text
}

#[data]
#[derive(Debug, PartialEq)]
struct Point {
    x: i64,
    y: i64,
}

/// A point.
#[tool]
fn point(x: i64, y: i64) -> Json<Point> {
    Json(Point { x, y })
}

/// Reports and logs.
#[tool]
fn work(cx: &Context) -> &'static str {
    cx.progress(1, 2);
    cx.log(LoggingLevel::Info, "half");
    cx.progress(2, 2);
    "done"
}

/// Fails.
#[tool]
fn fail() -> Result<i64, String> {
    Err("not today".to_owned())
}

/// Waits for the test.
#[tool]
async fn wait(gate: &Gate) -> &'static str {
    gate.wait().await;
    "on we go"
}

#[data]
struct Name {
    name: String,
}

/// Asks who it is.
#[tool]
async fn greet(cx: &Context) -> Result<String, String> {
    match cx.elicit::<Name>("who", "Who are you?").await {
        Ok(Name { name }) => Ok(format!("Hello, {name}!")),
        _ => Err("nobody".to_owned()),
    }
}

/// A greeting.
#[prompt]
fn hello(name: String) -> String {
    format!("Say hello to {name}.")
}

/// Notes.
#[resource("note://today")]
fn today() -> &'static str {
    "milk"
}

fn server(gate: &Gate) -> (Server, Live) {
    let server = Server::new("s", "2")
        .lend(gate.clone())
        .tool::<add>()
        .tool::<echo>()
        .tool::<point>()
        .tool::<work>()
        .tool::<fail>()
        .tool::<wait>()
        .prompt::<hello>()
        .resource::<today>();
    let live = server.live();
    (server, live)
}

fn connect(runtime: &TestRuntime, server: Server, builder: ClientBuilder) -> Client {
    let (ours, theirs) = transport::memory(1 << 10);
    runtime.serve(&server.build().unwrap(), theirs);
    runtime
        .block_on(builder.connect(ours, runtime.clone()))
        .unwrap()
}

async fn call<T: DeserializeOwned>(
    client: &Client,
    tool: &str,
    arguments: Value,
) -> Result<T, ClientError> {
    client.call_tool(tool, arguments).into_typed().await
}

/// A client of each revision, with a server of ours.
fn clients() -> impl Iterator<Item = (TestRuntime, Client)> {
    ProtocolVersion::ALL.into_iter().map(|version| {
        let runtime = TestRuntime::new();
        let server = server(&Gate::new()).0;
        let client = connect(&runtime, server, builder().protocol(version));
        assert_eq!(client.server().name(), "s");
        assert_eq!(client.server().version, version);
        (runtime, client)
    })
}

/// ARG-05, FRM-07: to the last digit and byte, in every revision that there is.
#[test]
fn tools_of_ours_are_called_and_their_results_read() {
    for (runtime, client) in clients() {
        runtime.block_on(async {
            for big in [5, 9_007_199_254_740_993, i64::MAX, i64::MIN] {
                let sum = call::<i64>(&client, "add", json!({"a": big, "b": 0})).await;
                assert_eq!(sum.unwrap(), big);
            }
            let odd = "a\u{2028}b\u{2029}c\u{85}d\u{feff}\u{0}\"\\";
            let said = client.call_tool("echo", json!({"text": odd})).await;
            assert_eq!(said.unwrap().text(), odd);
            let point = call::<Point>(&client, "point", json!({"x": 1, "y": 2})).await;
            assert_eq!(point.unwrap(), Point { x: 1, y: 2 });
            let failed = call::<i64>(&client, "fail", json!({})).await.unwrap_err();
            assert!(failed.to_string().contains("not today"), "{failed}");
            let unknown = client.call_tool("none", ()).await.unwrap_err();
            assert!(unknown.error_object().is_some());
        });
        runtime.block_on(client.close());
        assert!(client.is_closed());
    }
}

#[test]
fn lists_prompts_and_resources_of_ours_are_read() {
    for (runtime, client) in clients() {
        runtime.block_on(async {
            assert_eq!(client.list_all_tools().await.unwrap().len(), 6);
            let prompts = client.list_all_prompts().await.unwrap();
            assert_eq!(prompts[0].name, "hello");
            let resources = client.list_all_resources().await.unwrap();
            assert_eq!(resources[0].uri, "note://today");
            let got = client.get_prompt("hello", [("name", "Ada")]).await;
            assert_eq!(got.unwrap().messages.len(), 1);
            let read = client.read_resource("note://today").await;
            assert_eq!(read.unwrap().contents.len(), 1);
            let missing = client.read_resource("note://never").await.unwrap_err();
            assert!(missing.is_resource_not_found());
        });
    }
}

/// B32: in order, and all of it before the result.
#[test]
fn progress_of_ours_arrives_before_the_result() {
    for (runtime, client) in clients() {
        let seen = Mutex::new(Vec::new());
        let text = runtime.block_on(async {
            let tell = |progress: ProgressParams| seen.lock().unwrap().push(progress.progress);
            let result = client.call_tool("work", ()).on_progress(tell).await;
            result.unwrap().text()
        });
        assert_eq!(text, "done");
        assert_eq!(*seen.lock().unwrap(), [1.0, 2.0]);
    }
}

/// HST-11, C12: dropping the future ends the handler at the other end.
#[test]
fn a_call_that_is_dropped_ends_its_handler() {
    for version in ProtocolVersion::ALL {
        let runtime = TestRuntime::new();
        let gate = Gate::new();
        let client = connect(&runtime, server(&gate).0, builder().protocol(version));
        let own = client.clone();
        let first = runtime.start(async move { own.call_tool("wait", ()).await });
        let own = client.clone();
        let second = runtime.start(async move { own.call_tool("wait", ()).await });
        runtime.run();
        assert_eq!(gate.waiting(), 2);
        drop(first);
        runtime.run();
        assert_eq!(gate.waiting(), 1);
        gate.open();
        runtime.run();
        assert_eq!(second.take().unwrap().unwrap().text(), "on we go");
    }
}

/// The same handlers, asked by request before 2026-07-28 and in rounds since.
#[test]
fn a_server_asks_and_the_client_answers() {
    for version in [
        ProtocolVersion::V2025_06_18,
        ProtocolVersion::V2025_11_25,
        ProtocolVersion::V2026_07_28,
    ] {
        let runtime = TestRuntime::new();
        let builder = builder()
            .protocol(version)
            .roots([Root::new("file:///x")])
            .on_elicitation(|_| async { ElicitResult::accept(json!({"name": "Ada"})) });
        let client = connect(&runtime, Server::new("s", "2").tool::<greet>(), builder);
        let text = runtime.block_on(async { client.call_tool("greet", ()).await.unwrap().text() });
        assert_eq!(text, "Hello, Ada!", "{version:?}");
    }
}

#[test]
fn changes_are_told_in_both_eras() {
    for version in [ProtocolVersion::V2025_11_25, ProtocolVersion::V2026_07_28] {
        let runtime = TestRuntime::new();
        let gate = Gate::new();
        let (server, live) = server(&gate);
        let client = connect(&runtime, server, builder().protocol(version));
        let mut events = client.events();
        let filter =
            mcp_core::protocol::SubscriptionFilter::default().with_tools_list_changed(true);
        let mut subscription = runtime.block_on(client.listen(filter)).unwrap();
        runtime.run();
        live.remove("add");
        assert_eq!(runtime.block_on(subscription.next()), Some(Change::Tools));
        assert_eq!(runtime.block_on(events.next()), Some(Event::ToolsChanged));
        drop((subscription, events));
        runtime.block_on(client.close());
    }
}

/// Without being told a revision, both ends find the newest.
#[test]
fn the_newest_revision_is_found() {
    let runtime = TestRuntime::new();
    let client = connect(&runtime, server(&Gate::new()).0, builder());
    assert_eq!(client.server().version, ProtocolVersion::LATEST);
    // And a client goes when it is dropped, and its server with it.
    drop(client);
    assert!(runtime.run());
    assert_eq!(runtime.next_timer(), None);
}

/// A thousand calls from clones, through a pipe that holds little.
#[test]
fn a_thousand_calls_at_once_all_come_back() {
    let runtime = TestRuntime::new();
    let client = connect(&runtime, server(&Gate::new()).0, builder());
    let calls: Vec<_> = (0..1_000)
        .map(|n| {
            let own = client.clone();
            runtime.start(async move { call::<i64>(&own, "add", json!({"a": n, "b": 1})).await })
        })
        .collect();
    runtime.run();
    for (n, call) in (0_i64..).zip(calls) {
        assert_eq!(call.take().unwrap().unwrap(), n + 1);
    }
}
