//! What the fuzz targets share: a server, a peer made of bytes, and what must hold whatever the peer says.

mod peer;

use mcp_core::{Server, tool};
use serde_json::Value;

use peer::Peer;

/// Adds two numbers.
#[tool]
fn add(#[arg(range = -1000..=1000)] a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// Takes one argument of every kind.
#[tool]
fn everything(
    #[arg(length = 1..=8, pattern = "^[a-z]+$")] word: String,
    text: Option<&str>,
    ratio: f64,
    flag: Option<bool>,
    list: Option<Vec<u8>>,
    nested: Option<Nested>,
) -> String {
    format!("{word} {text:?} {ratio} {flag:?} {list:?} {nested:?}")
}

/// An argument with arguments of its own, to any depth.
#[mcp_core::data]
#[derive(Debug)]
struct Nested {
    kind: Kind,
    inner: Option<Box<Nested>>,
}

#[mcp_core::data]
#[derive(Debug)]
enum Kind {
    Plain,
    Named { name: String },
}

/// Lets a server read `input`, handed over in pieces of these sizes, and returns the lines that it wrote, in order.
///
/// # Panics
///
/// When the server fails, or a line that it wrote is no JSON object: that is what is looked for.
pub fn serve(input: &[u8], pieces: &[u8]) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime without I/O needs nothing of the system");
    let (peer, written) = Peer::new(input, pieces);
    let server = Server::new("fuzz", "1.0.0")
        .tool::<add>()
        .tool::<everything>()
        .build()
        .expect("the tools are in order");
    runtime
        .block_on(mcp_stdio::serve_stream(&server, peer))
        .expect("the end of input is no failure");
    let lines: Vec<Value> = written
        .lines()
        .iter()
        .map(|line| serde_json::from_str(line).expect("the server writes JSON"))
        .collect();
    for line in &lines {
        assert_well_formed(line);
    }
    lines
}

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
        "neither an answer nor a notification: {line}"
    );
    assert_ne!(line.get("id"), Some(&Value::Null), "{line}");
    if let Some(error) = line.get("error") {
        assert!(
            error["code"].is_i64() && error["message"].is_string(),
            "{line}"
        );
        // What the server itself has done wrong is what is looked for.
        assert_ne!(error["code"], -32603, "{line}");
    }
}

/// The answers to the request with this id, batches included.
pub fn answers<'a>(lines: &'a [Value], id: &Value) -> Vec<&'a Value> {
    lines
        .iter()
        .flat_map(|line| {
            line.as_array()
                .map_or(std::slice::from_ref(line), Vec::as_slice)
        })
        .filter(|line| line.get("method").is_none() && line.get("id") == Some(id))
        .collect()
}

/// What every request of the modern era carries.
pub const MODERN_META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
