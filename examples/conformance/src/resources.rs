//! Resources: text, bytes, and a family of them.

use std::future::ready;

use mcp_core::protocol::Completion;
use mcp_core::{
    Completing, Invocation, Json, Refused, Reply, ResourceDefinition, Server, Step, data,
};
use serde::Serialize;

pub(crate) fn add(server: Server) -> Server {
    server
        .raw_resource(static_text())
        .raw_resource(static_binary())
        .raw_resource(template())
        .raw_resource(input_required())
}

fn static_text() -> ResourceDefinition {
    ResourceDefinition::new("test://static-text", "static-text", |call: Invocation| {
        Step::Done(call.contents("This is the content of the static text resource."))
    })
    .with_description("Text that stays the same.")
    .with_mime_type("text/plain")
}

fn static_binary() -> ResourceDefinition {
    ResourceDefinition::new(
        "test://static-binary",
        "static-binary",
        |call: Invocation| Step::Done(call.contents(include_bytes!("pixel.png").as_slice())),
    )
    .with_title("A pixel")
    .with_description("Bytes that stay the same.")
    .with_mime_type("image/png")
    .with_size(include_bytes!("pixel.png").len() as u64)
}

#[data]
struct Signature {
    /// Who wants to read it.
    name: String,
}

fn input_required() -> ResourceDefinition {
    ResourceDefinition::new(
        "test://input-required",
        "input-required",
        |call: Invocation| {
            Step::later(async move {
                let signed = sign(&call).await;
                Ok(call.contents(signed))
            })
        },
    )
    .with_description("Asks before it can be read.")
    .with_mime_type("text/plain")
}

async fn sign(call: &Invocation) -> Result<String, Refused> {
    let question = "Who wants to read it?";
    let Signature { name } = call.context().elicit("signature", question).await?;
    Ok(format!("For {name} only."))
}

#[data]
struct Variables {
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    template_test: bool,
    data: String,
}

fn template() -> ResourceDefinition {
    ResourceDefinition::new(
        "test://template/{id}/data",
        "template",
        |call: Invocation| Step::now(&call, row),
    )
    .with_description("Whatever one asks for.")
    .with_mime_type("application/json")
    .with_variables::<Variables>()
    .with_completer("id", |typed: Completing| {
        ready(Completion::matching(&typed, ["123", "124", "456"]))
    })
}

fn row(call: &Invocation) -> Result<Reply, Reply> {
    let Variables { id } = call.arguments()?;
    let data = format!("Data for ID: {id}");
    let template_test = true;
    Ok(call.contents(Json(Row {
        id,
        template_test,
        data,
    })))
}
