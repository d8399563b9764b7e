//! What may be sent to another thread: futures that are not `Send` can't be spawned.

use mcp_core::client::{Asked, Events, Page, ServerInfo, Subscription};
use mcp_core::protocol::{
    CompleteParams, ElicitParams, ReadResource, ReadResourceParams, SubscriptionFilter, Tool,
};
use mcp_core::testing::{ScriptedServer, TestRuntime};
use mcp_core::{Client, ClientBuilder, ClientError, LoggingLevel, TypedToolCall};
use serde_json::json;

fn assert_send<T: Send>(_: &T) {}

const fn assert_send_and_sync<T: Send + Sync + 'static>() {}

#[test]
fn handles_are_shared_between_threads() {
    assert_send_and_sync::<Client>();
    assert_send_and_sync::<ClientBuilder>();
    assert_send_and_sync::<ClientError>();
    assert_send_and_sync::<Events>();
    assert_send_and_sync::<Subscription>();
    assert_send_and_sync::<ServerInfo>();
    assert_send_and_sync::<Page<Tool>>();
    assert_send_and_sync::<Asked<ElicitParams>>();
    assert!(size_of::<ClientError>() <= size_of::<usize>());
}

/// Nothing here is polled: it is enough that it compiles.
#[expect(dead_code, reason = "what is asserted is that it compiles")]
fn every_future_can_be_spawned(
    client: &Client,
    completing: &CompleteParams,
    mut events: Events,
    mut subscription: Subscription,
) {
    let runtime = TestRuntime::new();
    let server = ScriptedServer::new(&runtime);
    assert_send(&Client::builder("c", "1").connect(server.transport(), runtime.clone()));
    assert_send(
        &Client::builder("c", "1").connect_on(server.transport(), std::sync::Arc::new(runtime)),
    );
    assert_send(&client.call_tool("t", json!({})));
    assert_send(
        &client
            .call_tool("t", ())
            .on_progress(|_| {})
            .cancelled_by(std::future::ready(())),
    );
    assert_send(&client.call_tool("t", ()).into_typed::<Vec<String>>());
    assert_send(&client.call(TypedToolCall::<_, Result<i64, String>>::new("t", ())));
    assert_send(&client.read_resource("u"));
    assert_send(&client.get_prompt("p", [("a", "b")]));
    assert_send(&client.complete(completing));
    assert_send(&client.ping());
    assert_send(&client.set_log_level(LoggingLevel::Info));
    assert_send(&client.request::<ReadResource>(&ReadResourceParams::new("u")));
    assert_send(&client.request_raw("m", None));
    assert_send(&client.list_tools(None));
    assert_send(&client.list_all_tools());
    assert_send(&client.list_prompts(None));
    assert_send(&client.list_all_prompts());
    assert_send(&client.list_resources(None));
    assert_send(&client.list_all_resources());
    assert_send(&client.list_resource_templates(None));
    assert_send(&client.list_all_resource_templates());
    assert_send(&client.listen(SubscriptionFilter::default()));
    assert_send(&client.subscribe(["u"]));
    assert_send(&client.close());
    assert_send(&client.closed());
    assert_send(&events.next());
    assert_send(&subscription.next());
}
