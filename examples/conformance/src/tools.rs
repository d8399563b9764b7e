//! What a tool may answer with, and what it may take.

use mcp_core::protocol::RawJson;
use mcp_core::{Content, Invocation, Json, Reply, Server, Step, ToolDefinition, data, tool};

pub(crate) fn add_contents(server: Server) -> Server {
    server
        .tool::<test_simple_text>()
        .tool::<test_image_content>()
        .tool::<test_audio_content>()
        .tool::<test_embedded_resource>()
        .tool::<test_multiple_content_types>()
        .tool::<test_error_handling>()
}

pub(crate) fn add_arguments(server: Server) -> Result<Server, serde_json::Error> {
    Ok(server
        .tool::<test_custom_header>()
        .raw_tool(foreign()?)
        .tool::<echo>()
        .tool::<add>())
}

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

/// The smallest picture there is.
pub(crate) fn image() -> Content {
    Content::image(include_bytes!("pixel.png"), "image/png")
}

#[derive(Debug, thiserror::Error)]
#[error("This tool intentionally returns an error for testing")]
struct Intended;

/// Always fails.
#[tool]
fn test_error_handling() -> Result<(), Intended> {
    Err(Intended)
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
