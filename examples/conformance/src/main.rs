//! The server that test suites and other people's clients are pointed at, over stdio.
//!
//! Its tools are the fixtures of the official conformance suite, which prescribes their names and answers, and a few
//! that the interop tests need: `echo`, `add`, `slow`, `test_cancelled_calls`, `test_late_tool`.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use mcp_core::protocol::RawJson;
use mcp_core::{
    Content, Context, Invocation, Json, Live, LoggingLevel, Reply, Server, Step, ToolDefinition,
    data, tool, tools,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new("conformance", "0.1.0");
    let live = server.live();
    let server = server
        .tool::<test_simple_text>()
        .tool::<test_image_content>()
        .tool::<test_audio_content>()
        .tool::<test_embedded_resource>()
        .tool::<test_multiple_content_types>()
        .tool::<test_tool_with_logging>()
        .tool::<test_error_handling>()
        .tool::<test_tool_with_progress>()
        .tool::<test_logging_tool>()
        .tools(Changes::new(live.clone()))
        .tool::<test_custom_header>()
        .raw_tool(foreign()?)
        .tool::<echo>()
        .tool::<add>()
        .tools(Calls::default())
        .tool::<test_late_tool>();
    live.disable(LATE_TOOL);
    mcp_stdio::run(server)?;
    Ok(())
}

/// Between the notifications of a call, so that suites see them come one by one.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers with one text.
#[tool]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Answers with one image.
#[tool]
fn test_image_content() -> Content {
    image()
}

/// Answers with one piece of audio.
#[tool]
fn test_audio_content() -> Content {
    Content::audio(include_bytes!("silence.wav"), "audio/wav")
}

/// Answers with one embedded resource.
#[tool]
fn test_embedded_resource() -> Content {
    Content::resource_text(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )
}

/// Answers with a text, an image and a resource.
#[tool]
fn test_multiple_content_types() -> Vec<Content> {
    vec![
        Content::text("Multiple content types test:"),
        image(),
        Content::resource_text(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ),
    ]
}

fn image() -> Content {
    Content::image(include_bytes!("pixel.png"), "image/png")
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

#[derive(Debug, thiserror::Error)]
#[error("This tool intentionally returns an error for testing")]
struct Intended;

/// Always fails.
#[tool]
fn test_error_handling() -> Result<(), Intended> {
    Err(Intended)
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

/// Takes an argument that HTTP clients repeat in a header.
#[tool]
fn test_custom_header(
    /// What is said twice.
    #[schemars(extend("x-mcp-header" = "Value"))]
    value: String,
) -> String {
    value
}

/// Says what it is told.
#[tool]
fn echo(
    /// What to say.
    message: String,
) -> String {
    message
}

/// A tool whose schema was not made by us and has to come through as it is.
fn foreign() -> Result<ToolDefinition, serde_json::Error> {
    let schema: RawJson = serde_json::from_str(include_str!("json_schema_2020_12.json"))?;
    let accept = |_call: Invocation| Step::Done(Reply::text("Accepted"));
    Ok(ToolDefinition::new("json_schema_2020_12_tool", accept)
        .with_description("Has a schema with keywords that a reader of fewer would lose.")
        .with_input_schema(schema))
}

#[data]
struct Sum {
    total: i64,
}

/// Adds two numbers.
#[tool]
fn add(
    /// The left operand.
    a: i64,
    /// The right operand.
    b: i64,
) -> Json<Sum> {
    Json(Sum {
        total: a.saturating_add(b),
    })
}

const LATE_TOOL: &str = "test_late_tool";

/// Is there only now and then.
#[tool]
fn test_late_tool() -> &'static str {
    "Late"
}

/// A tool list that changes when it is told to.
struct Changes {
    live: Live,
    shown: AtomicBool,
}

impl Changes {
    fn new(live: Live) -> Self {
        Self {
            live,
            shown: AtomicBool::new(false),
        }
    }
}

#[tools]
impl Changes {
    /// Shows the late tool, or hides it again.
    #[tool]
    fn test_trigger_tool_change(&self) -> &'static str {
        if self.shown.fetch_xor(true, Ordering::Relaxed) {
            self.live.disable(LATE_TOOL);
        } else {
            self.live.enable(LATE_TOOL);
        }
        "The tool list has changed"
    }
}

/// Calls that can be cancelled, counted.
#[derive(Default)]
struct Calls {
    cancelled: AtomicU32,
}

#[tools]
impl Calls {
    /// Takes its time. Its first progress says that it has begun.
    #[tool]
    async fn slow(
        &self,
        cx: &Context,
        /// How long it takes.
        seconds: u32,
    ) -> &'static str {
        let mut call = Running {
            cancelled: &self.cancelled,
            finished: false,
        };
        cx.progress(0, seconds);
        tokio::time::sleep(Duration::from_secs(seconds.into())).await;
        call.finished = true;
        "Done"
    }

    /// Says how many calls of `slow` were cancelled.
    #[tool]
    fn test_cancelled_calls(&self) -> String {
        self.cancelled.load(Ordering::Relaxed).to_string()
    }
}

/// Counts a call whose future is dropped before its end.
struct Running<'a> {
    cancelled: &'a AtomicU32,
    finished: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.cancelled.fetch_add(1, Ordering::Relaxed);
        }
    }
}
