//! Tools that need answers before they can finish. In 2026-07-28 each question is a round.

use futures_util::future::{OptionFuture, join3};
use mcp_core::protocol::CreateMessageResult;
use mcp_core::{Context, Refused, Server, data, tool};

use crate::asking::to_model;

pub(crate) fn add(server: Server) -> Server {
    server
        .tool::<test_input_required_result_elicitation>()
        .tool::<test_input_required_result_sampling>()
        .tool::<test_input_required_result_list_roots>()
        .tool::<test_input_required_result_request_state>()
        .tool::<test_input_required_result_multiple_inputs>()
        .tool::<test_input_required_result_multi_round>()
        .tool::<test_input_required_result_tampered_state>()
        .tool::<test_input_required_result_capabilities>()
}

#[data]
struct Name {
    name: String,
}

#[data]
struct Color {
    color: String,
}

#[data]
struct Confirmation {
    ok: bool,
}

/// Asks for a name.
#[tool]
async fn test_input_required_result_elicitation(cx: &Context) -> Result<String, Refused> {
    let Name { name } = cx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Asks the client's model.
#[tool]
async fn test_input_required_result_sampling(cx: &Context) -> Result<String, Refused> {
    let question = to_model("What is the capital of France?");
    let said = cx.sample("capital_question", question).await?;
    Ok(format!("The model said: {}", said.text()))
}

/// Asks for the folders that the client works in.
#[tool]
async fn test_input_required_result_list_roots(cx: &Context) -> String {
    let roots = cx.roots().named("client_roots").await;
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    format!("Roots: {}", uris.join(", "))
}

/// Counts its rounds in the state that travels with the client.
#[tool]
async fn test_input_required_result_request_state(cx: &Context) -> Result<String, Refused> {
    let round = cx.recall("round").unwrap_or(0) + 1;
    cx.remember("round", &round);
    let Confirmation { ok } = cx.elicit("confirm", "Please confirm.").await?;
    Ok(format!("state-ok: confirmed={ok} in round {round}"))
}

/// Asks for three things at once.
#[tool]
async fn test_input_required_result_multiple_inputs(cx: &Context) -> Result<String, Refused> {
    let name = cx.elicit::<Name>("user_name", "What is your name?");
    let greeting = cx.sample("greeting", to_model("Write a greeting."));
    let roots = cx.roots().named("client_roots");
    let (name, greeting, roots) = join3(name, greeting, roots).await;
    let (Name { name }, greeting) = (name?, greeting?);
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("{name}: {} ({})", greeting.text(), uris.join(", ")))
}

/// Asks for one thing after the other.
#[tool]
async fn test_input_required_result_multi_round(cx: &Context) -> Result<String, Refused> {
    let Name { name } = cx.elicit("step1", "Step 1: What is your name?").await?;
    let question = format!("Step 2: What is your favorite color, {name}?");
    let Color { color } = cx.elicit("step2", question).await?;
    Ok(format!("{name} likes {color}"))
}

/// Takes its state back only as it was given.
#[tool]
async fn test_input_required_result_tampered_state(cx: &Context) -> Result<String, Refused> {
    let Confirmation { ok } = cx.elicit("confirm", "Please confirm.").await?;
    Ok(format!("confirmed={ok}"))
}

/// Asks for what the client says it can be asked for, and nothing else.
#[tool]
async fn test_input_required_result_capabilities(cx: &Context) -> Result<String, Refused> {
    let client = cx.client();
    let name = (client.supports_elicitation())
        .then(|| cx.elicit::<Name>("user_name", "What is your name?"));
    let said = (client.supports_sampling()).then(|| cx.sample("greeting", to_model("Say hello.")));
    let roots = (client.supports_roots()).then(|| cx.roots().named("client_roots"));
    let (name, said, roots) = join3(
        OptionFuture::from(name),
        OptionFuture::from(said),
        OptionFuture::from(roots),
    )
    .await;
    let name = name.transpose()?.map(|Name { name }| name);
    let said = said.transpose()?.as_ref().map(CreateMessageResult::text);
    let folders = roots.map(|roots| roots.len().to_string());
    let answers: Vec<_> = [name, said, folders].into_iter().flatten().collect();
    Ok(format!("Answers: {}", answers.join(", ")))
}
