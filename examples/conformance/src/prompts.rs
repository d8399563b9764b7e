//! Prompts, by what they say and what they take.

use mcp_core::protocol::PromptMessage;
use mcp_core::{Completing, Content, Context, Refused, Server, data, prompt};

use crate::tools::image;

pub(crate) fn add(server: Server) -> Server {
    server
        .prompt::<test_simple_prompt>()
        .prompt::<test_prompt_with_arguments>()
        .prompt::<test_prompt_with_embedded_resource>()
        .prompt::<test_prompt_with_image>()
        .prompt::<test_input_required_result_prompt>()
}

/// Says one thing.
#[prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// Says what it is given.
#[prompt]
fn test_prompt_with_arguments(
    /// The first argument.
    #[complete("paris", "testing", "test")]
    arg1: &str,
    /// The second argument.
    #[complete(after_the_first)]
    arg2: &str,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// What is offered depends on the argument that is there already.
fn after_the_first(typed: &Completing) -> [String; 1] {
    let first = typed.argument("arg1").unwrap_or("nothing");
    [format!("{first} and {}", &**typed)]
}

/// Says something about a resource.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// What to embed.
    #[arg(rename = "resourceUri")]
    resource_uri: String,
) -> [PromptMessage; 2] {
    let text = "Embedded resource content for testing.";
    let resource = Content::resource_text(resource_uri, "text/plain", text);
    [
        PromptMessage::user(resource),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// Says something about an image.
#[prompt]
fn test_prompt_with_image() -> [PromptMessage; 2] {
    [
        PromptMessage::user(image()),
        PromptMessage::user("Please analyze the image above."),
    ]
}

#[data]
struct UserContext {
    /// What the prompt should know.
    context: String,
}

/// Asks before it says anything.
#[prompt]
async fn test_input_required_result_prompt(cx: &Context) -> Result<String, Refused> {
    let question = "What context should the prompt use?";
    let UserContext { context } = cx.elicit("user_context", question).await?;
    Ok(format!("Prompt with context: {context}"))
}
