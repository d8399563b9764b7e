//! Resources: text, bytes, and a family of them.

use mcp_core::{Context, Json, Refused, Server, data, resource};

pub(crate) fn add(server: Server) -> Server {
    server
        .resource::<static_text>()
        .resource::<static_binary>()
        .resource::<template>()
        .resource::<input_required>()
}

/// Text that stays the same.
#[resource("test://static-text", name = "static-text", mime_type = "text/plain")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

const PIXEL: &[u8] = include_bytes!("pixel.png");
const PIXEL_SIZE: u64 = PIXEL.len() as u64;

/// Bytes that stay the same.
#[resource(
    "test://static-binary",
    name = "static-binary",
    title = "A pixel",
    mime_type = "image/png",
    size = PIXEL_SIZE
)]
fn static_binary() -> &'static [u8] {
    PIXEL
}

#[data]
struct Signature {
    /// Who wants to read it.
    name: String,
}

/// Asks before it can be read.
#[resource(
    "test://input-required",
    name = "input-required",
    mime_type = "text/plain"
)]
async fn input_required(cx: &Context) -> Result<String, Refused> {
    let question = "Who wants to read it?";
    let Signature { name } = cx.elicit("signature", question).await?;
    Ok(format!("For {name} only."))
}

#[data]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    template_test: bool,
    data: String,
}

/// Whatever one asks for.
#[resource("test://template/{id}/data", mime_type = "application/json")]
fn template(#[complete("123", "124", "456")] id: String) -> Json<Row> {
    let data = format!("Data for ID: {id}");
    Json(Row {
        id,
        template_test: true,
        data,
    })
}
