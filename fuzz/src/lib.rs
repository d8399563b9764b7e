//! What the fuzz targets share: a server, a client, a peer made of bytes, a world in which nothing happens by itself, and what
//! must hold whatever the peer says.

mod asking;
mod books;
mod client;
mod meta;
mod offers;
mod outside;
mod peer;
mod questions;
mod steps;
mod tools;

pub use client::{Asked, ask};

use arbitrary::Arbitrary;
use mcp_core::Closed;
use mcp_stdio::{LineDecoder, StreamTransport};
use serde_json::Value;

pub use books::Books;
pub use steps::{Step, message};

use outside::Outside;
use peer::Peer;

/// What happens to a connection from outside, one event after the other, each when everything has come to rest. After
/// the last the peer says all that is left, ends its input and takes all it gets.
#[derive(Arbitrary, Clone, Debug, Default)]
pub struct Plan {
    pub events: Vec<Event>,
    /// Whether handlers run in tasks of their own.
    pub spawns: bool,
    /// How many calls may be under way, less one.
    pub more_in_flight: u8,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The peer says so many bytes more.
    Say(u16),
    /// The peer takes so many bytes more.
    Take(u16),
    /// So many milliseconds go by.
    Wait(u16),
    /// A thread that may block does its job.
    Work,
    /// The application wants to stop.
    Stop,
}

impl Plan {
    /// Whether all that the peer says is read.
    #[must_use]
    pub fn reads_all(&self) -> bool {
        !self.events.contains(&Event::Stop)
    }
}

/// Lets a server read `input` as the plan has it, and returns the lines that it wrote, in order.
///
/// # Panics
///
/// When the server fails, waits for something that nobody will ever do, goes round and round, or writes a line that is
/// no message: that is what is looked for.
#[must_use]
pub fn serve(input: &[u8], plan: &Plan) -> Vec<Value> {
    let outside = Outside::new();
    let peer = Peer::new(input);
    let server = tools::server(plan);
    let transport =
        StreamTransport::with_decoder(peer.clone(), LineDecoder::with_limit(LINE_LIMIT));
    let (stop, stopped) = outside::stop();
    let runtime = std::sync::Arc::new(outside.clone());
    let session = Box::pin(async move { server.serve(transport, runtime, stopped).await });
    let closed = outside.run(session, &peer, plan, stop);
    let closed = closed.expect("the end of input is no failure");
    assert!(matches!(closed, Closed::EndOfInput | Closed::Shutdown));
    let (lines, whole) = peer.lines();
    // Who is told to stop does not wait for ever until the peer has taken all.
    assert!(whole || !plan.reads_all(), "a line without its end");
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("the server writes JSON"))
        .collect();
    for line in &lines {
        assert_well_formed(line);
    }
    lines
}

/// Lines over this length are skipped.
pub const LINE_LIMIT: usize = 64 << 10;

/// Every line is one message of JSON-RPC 2.0, or, in the one revision that has them, a batch.
fn assert_well_formed(line: &Value) {
    if let Some(batch) = line.as_array() {
        assert!(!batch.is_empty(), "an empty batch");
        return batch.iter().for_each(assert_well_formed);
    }
    assert_eq!(line["jsonrpc"], "2.0", "{line}");
    let has = |member| line.get(member).is_some();
    let answer = has("result") ^ has("error");
    assert!(
        answer ^ has("method"),
        "neither an answer nor a method: {line}"
    );
    assert_ne!(line.get("id"), Some(&Value::Null), "{line}");
    let method = line["method"].as_str().unwrap_or_default();
    assert_eq!(
        has("method") && has("id"),
        books::is_question(method),
        "a request that nobody expects: {line}"
    );
    if let Some(error) = line.get("error") {
        assert!(
            error["code"].is_i64() && error["message"].is_string(),
            "{line}"
        );
        // What the server itself has done wrong is what is looked for.
        let message = error["message"].as_str().unwrap_or_default();
        let by_client = message.starts_with("the client ");
        assert!(error["code"] != -32603 || by_client, "{line}");
    }
}

/// All messages, those in batches too.
pub fn messages(lines: &[Value]) -> impl Iterator<Item = &Value> {
    lines.iter().flat_map(|line| {
        line.as_array()
            .map_or(std::slice::from_ref(line), Vec::as_slice)
    })
}

/// The answers to the request with this id, batches included.
#[must_use]
pub fn answers<'a>(lines: &'a [Value], id: &Value) -> Vec<&'a Value> {
    messages(lines)
        .filter(|line| line.get("method").is_none() && line.get("id") == Some(id))
        .collect()
}

/// What every request of the modern era carries.
pub const MODERN_META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
