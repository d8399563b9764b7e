//! What comes while a call runs: progress and logs.

use std::time::Duration;

use mcp_core::{Context, LoggingLevel, Server, tool};
use mcp_sse::HttpContext;

/// Between the notifications of a call, so that suites see them come one by one.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) fn add(server: Server) -> Server {
    server
        .tool::<test_tool_with_logging>()
        .tool::<test_tool_with_progress>()
        .tool::<test_logging_tool>()
        .tool::<test_reconnection>()
}

/// Logs three messages on its way.
#[tool]
async fn test_tool_with_logging(cx: &Context) -> &'static str {
    cx.log(LoggingLevel::Info, "Tool execution started");
    tokio::time::sleep(PAUSE).await;
    cx.log(LoggingLevel::Info, "Tool processing data");
    tokio::time::sleep(PAUSE).await;
    cx.log(LoggingLevel::Info, "Tool execution completed");
    "Tool with logging executed successfully"
}

/// Reports its progress three times.
#[tool]
async fn test_tool_with_progress(cx: &Context) -> &'static str {
    cx.progress(0, 100);
    tokio::time::sleep(PAUSE).await;
    cx.progress(50, 100);
    tokio::time::sleep(PAUSE).await;
    cx.progress(100, 100);
    "Tool with progress executed successfully"
}

/// Logs one message, which only those get who asked for logs.
#[tool]
fn test_logging_tool(cx: &Context) -> &'static str {
    cx.log(LoggingLevel::Info, "Logging tool called");
    "Logged"
}

/// Lets its client go before it answers, where the connection can be taken up again.
#[tool]
async fn test_reconnection(cx: &Context) -> &'static str {
    cx.close_stream();
    tokio::time::sleep(2 * PAUSE).await;
    "Answered after the stream was closed"
}
