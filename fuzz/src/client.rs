//! A client with requests open, which a server made of bytes answers as it likes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::Client;
use mcp_core::protocol::{
    CreateMessageResult, ElicitResult, ProtocolVersion, Root, SamplingContent, SubscriptionFilter,
};
use mcp_core::runtime::{BoxFuture, Runtime, Task};
use mcp_stdio::{LineDecoder, StreamTransport};
use serde_json::Value;

use crate::outside::{self, Outside};
use crate::peer::Peer;
use crate::{LINE_LIMIT, Plan};

/// What came of it.
#[derive(Debug)]
pub struct Asked {
    /// The lines that the client wrote, in order.
    pub lines: Vec<Value>,
    /// The revision, when the connection was opened.
    pub version: Option<ProtocolVersion>,
}

/// Lets a client connect and ask, while the server says `input` as the plan has it and then goes away.
///
/// # Panics
///
/// When the client waits for something that nobody will ever do, goes round and round, leaves a request without an
/// outcome, or writes a line that is no message: that is what is looked for.
#[must_use]
pub fn ask(input: &[u8], plan: &Plan) -> Asked {
    let outside = Outside::new();
    let peer = Peer::new(input);
    let transport =
        StreamTransport::with_decoder(peer.clone(), LineDecoder::with_limit(LINE_LIMIT));
    let runtime: Arc<dyn Runtime> = Arc::new(outside.clone());
    let open = Arc::new(AtomicUsize::new(0));
    let waiting = Arc::clone(&open);
    let (stop, stopped) = outside::stop();
    let session = Box::pin(async move {
        let client = builder().connect_on(transport, Arc::clone(&runtime)).await;
        let Ok(client) = client else { return None };
        let version = client.server().version;
        let tasks = requests(&client)
            .into_iter()
            .map(|request| {
                let waiting = Arc::clone(&waiting);
                waiting.fetch_add(1, Ordering::Relaxed);
                runtime.spawn(Box::pin(async move {
                    request.await;
                    waiting.fetch_sub(1, Ordering::Relaxed);
                }))
            })
            .collect::<Vec<Task>>();
        let own = client.clone();
        let closing = runtime.spawn(Box::pin(async move {
            stopped.await;
            own.close().await;
        }));
        client.closed().await;
        Some((version, tasks, closing))
    });
    let opened = outside.run(session, &peer, plan, stop);
    outside.settle();
    assert_eq!(
        open.load(Ordering::Relaxed),
        0,
        "requests without an outcome"
    );
    outside.clear();
    // A server that goes away may get half a line.
    let (lines, _) = peer.lines();
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("the client writes JSON"))
        .collect();
    lines.iter().for_each(assert_well_formed);
    Asked {
        lines,
        version: opened.map(|(version, ..)| version),
    }
}

fn builder() -> mcp_core::ClientBuilder {
    Client::builder("fuzzed", "1")
        .overlong(mcp_core::client::OverlongMessage::Skip)
        .roots([Root::new("file:///x")])
        .on_elicitation(|asked| async move {
            let _ = asked.client().call_tool("inner", ()).await;
            ElicitResult::accept(serde_json::json!({}))
        })
        .elicits_by_url()
        .on_sampling(|_| async {
            CreateMessageResult::new("assistant", [SamplingContent::text("x")], "m")
        })
        .on_log(|_| {})
}

/// What is asked at once.
fn requests(client: &Client) -> Vec<BoxFuture<'static, ()>> {
    let [called, typed, listed, read, prompted, listened, raw, told] =
        std::array::from_fn(|_| client.clone());
    let mut events = told.events();
    vec![
        Box::pin(async move {
            let mut last = f64::NEG_INFINITY;
            let call = called.call_tool("a", ());
            let _ = call
                .on_progress(move |progress| {
                    assert!(progress.progress > last, "progress that does not grow");
                    last = progress.progress;
                })
                .await;
        }),
        Box::pin(async move {
            let _ = typed.call_tool("b", ()).into_typed::<Vec<i64>>().await;
        }),
        Box::pin(async move {
            let _ = listed.list_all_tools().await;
            let _ = listed.list_all_resource_templates().await;
        }),
        Box::pin(async move {
            let _ = read.read_resource("file:///x").await;
        }),
        Box::pin(async move {
            let _ = prompted.get_prompt("p", [("a", "b")]).await;
        }),
        Box::pin(async move {
            let filter = SubscriptionFilter::default()
                .with_tools_list_changed(true)
                .with_resource_subscriptions(["file:///x".to_owned()]);
            if let Ok(mut subscription) = listened.listen(filter).await {
                while subscription.next().await.is_some() {}
            }
        }),
        Box::pin(async move {
            let _ = raw.request_raw("m", None).await;
        }),
        Box::pin(async move { while events.next().await.is_some() {} }),
    ]
}

/// Every line is one message, and answers have an id.
fn assert_well_formed(line: &Value) {
    assert_eq!(line["jsonrpc"], "2.0", "{line}");
    let has = |member| line.get(member).is_some();
    let answers = has("result") ^ has("error");
    assert!(answers ^ has("method"), "{line}");
    assert!(!answers || has("id"), "{line}");
    assert_ne!(line.get("id"), Some(&Value::Null), "{line}");
}
