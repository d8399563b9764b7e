//! Prompts, by what they say and what they take.

use std::future::ready;

use mcp_core::protocol::{Completion, PromptMessage};
use mcp_core::{
    Completing, Content, IntoMessages, Invocation, PromptDefinition, Refused, Reply, Server, Step,
    data,
};

use crate::tools::image;

pub(crate) fn add(server: Server) -> Server {
    server
        .raw_prompt(simple())
        .raw_prompt(with_arguments())
        .raw_prompt(with_embedded_resource())
        .raw_prompt(with_image())
        .raw_prompt(input_required())
}

fn simple() -> PromptDefinition {
    PromptDefinition::new("test_simple_prompt", |_: Invocation| {
        Step::Done("This is a simple prompt for testing.".into_messages())
    })
    .with_description("Says one thing.")
}

#[data]
struct TwoArguments {
    /// The first argument.
    arg1: String,
    /// The second argument.
    arg2: String,
}

fn with_arguments() -> PromptDefinition {
    PromptDefinition::new("test_prompt_with_arguments", |call: Invocation| {
        Step::now(&call, repeat)
    })
    .with_description("Says what it is given.")
    .with_arguments::<TwoArguments>()
    .with_completer("arg1", |typed: Completing| {
        ready(Completion::matching(&typed, ["paris", "testing", "test"]))
    })
    .with_completer("arg2", |typed: Completing| {
        let first = typed.argument("arg1").unwrap_or("nothing");
        ready([format!("{first} and {}", &*typed)])
    })
}

fn repeat(call: &Invocation) -> Result<Reply, Reply> {
    let TwoArguments { arg1, arg2 } = call.arguments()?;
    Ok(format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'").into_messages())
}

#[data]
struct ResourceArgument {
    /// What to embed.
    #[serde(rename = "resourceUri")]
    resource_uri: String,
}

fn with_embedded_resource() -> PromptDefinition {
    PromptDefinition::new("test_prompt_with_embedded_resource", |call: Invocation| {
        Step::now(&call, embed)
    })
    .with_description("Says something about a resource.")
    .with_arguments::<ResourceArgument>()
}

fn embed(call: &Invocation) -> Result<Reply, Reply> {
    let ResourceArgument { resource_uri } = call.arguments()?;
    let text = "Embedded resource content for testing.";
    let resource = Content::resource_text(resource_uri, "text/plain", text);
    let messages = [
        PromptMessage::user(resource),
        PromptMessage::user("Please process the embedded resource above."),
    ];
    Ok(messages.into_messages())
}

fn with_image() -> PromptDefinition {
    PromptDefinition::new("test_prompt_with_image", |_: Invocation| {
        let messages = [
            PromptMessage::user(image()),
            PromptMessage::user("Please analyze the image above."),
        ];
        Step::Done(messages.into_messages())
    })
    .with_description("Says something about an image.")
}

#[data]
struct UserContext {
    /// What the prompt should know.
    context: String,
}

fn input_required() -> PromptDefinition {
    PromptDefinition::new("test_input_required_result_prompt", |call: Invocation| {
        Step::later(async move { Ok(ask(&call).await.into_messages()) })
    })
    .with_description("Asks before it says anything.")
}

async fn ask(call: &Invocation) -> Result<String, Refused> {
    let question = "What context should the prompt use?";
    let UserContext { context } = call.context().elicit("user_context", question).await?;
    Ok(format!("Prompt with context: {context}"))
}
