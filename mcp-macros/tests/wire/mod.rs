//! A client's end of a connection in memory, driven by hand in the test's own thread.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::Server;
use mcp_core::runtime::{BoxFuture, Job, Runtime, Task};
use mcp_core::transport::{Incoming, MemoryTransport, Transport, memory};
use serde_json::{Value, json};

/// One session of a 2025-11-25 client.
pub(crate) struct Wire {
    client: MemoryTransport,
    server: Pin<Box<dyn Future<Output = ()>>>,
    runtime: Arc<InPlace>,
    next_id: u64,
}

/// Runs jobs at once and lets no time pass.
#[derive(Default)]
struct InPlace {
    jobs: AtomicUsize,
}

impl Runtime for InPlace {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn unix_time(&self) -> Duration {
        Duration::from_secs(1_000_000_000)
    }

    fn fill_random(&self, buffer: &mut [u8]) -> std::io::Result<()> {
        buffer.fill(7);
        Ok(())
    }

    fn sleep_until(&self, _deadline: Instant) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn spawn(&self, _future: BoxFuture<'static, ()>) -> Task {
        unreachable!("handlers are not spawned unless asked for")
    }

    fn blocking(&self, job: Job) {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        job();
    }
}

impl Wire {
    pub(crate) fn new(server: Server) -> Self {
        let (client, end) = memory(1 << 16);
        let runtime = Arc::new(InPlace::default());
        let built = server.build().unwrap();
        let shared = Arc::clone(&runtime);
        let mut wire = Self {
            client,
            server: Box::pin(async move {
                built
                    .serve(end, shared, std::future::pending())
                    .await
                    .unwrap();
            }),
            runtime,
            next_id: 0,
        };
        wire.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        wire
    }

    /// The result of a call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let response = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(response["error"].is_null(), "{response}");
        response["result"].clone()
    }

    /// The error that a call ends in.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> Value {
        let response = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(response["result"].is_null(), "{response}");
        response["error"].clone()
    }

    /// A tool as it is listed.
    pub(crate) fn listed(&mut self, tool: &str) -> Value {
        let response = self.request("tools/list", &json!({}));
        let tools = response["result"]["tools"].as_array().unwrap();
        tools
            .iter()
            .find(|shown| shown["name"] == tool)
            .unwrap()
            .clone()
    }

    /// How many jobs ran on threads that may block.
    pub(crate) fn blocking_jobs(&self) -> usize {
        self.runtime.jobs.load(Ordering::Relaxed)
    }

    /// The answer to a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        // All that runs here is ready after a few polls; a hundred without an answer are a bug.
        for _ in 0..100 {
            self.turn();
            while let Some(message) = self.receive() {
                if message["id"] == id {
                    return message;
                }
            }
        }
        panic!("no answer to {method}");
    }

    fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let sent = self.client.poll_send(&mut waiting(), line.as_bytes());
        assert!(matches!(sent, Poll::Ready(Ok(taken)) if taken == line.len()));
    }

    fn receive(&mut self) -> Option<Value> {
        match self.client.poll_receive(&mut waiting()) {
            Poll::Ready(Ok(Some(Incoming::Frame(frame)))) => {
                Some(serde_json::from_slice(&frame).unwrap())
            }
            Poll::Pending => None,
            other @ Poll::Ready(_) => panic!("the connection ended: {other:?}"),
        }
    }

    fn turn(&mut self) {
        assert!(
            self.server.as_mut().poll(&mut waiting()).is_pending(),
            "the session ended"
        );
    }
}

fn waiting() -> Context<'static> {
    Context::from_waker(Waker::noop())
}
