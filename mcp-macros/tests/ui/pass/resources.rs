//! Resources at one URI and at templates.

use std::sync::Arc;

use mcp_core::protocol::ResourceContents;
use mcp_core::{Completing, Context, Json, Resource, Server, resource};

const SIZE: u64 = 2;

/// The whole list.
#[resource(
    "notes://all",
    name = "All notes",
    title = "All",
    mime_type = "text/markdown",
    audience = [user, assistant],
    priority = 0.8,
    last_modified = "2026-07-28T12:00:00Z",
    size = SIZE,
    icon = "https://example.com/a.svg",
    meta("vendor/rank" = 1),
    type = AllNotes
)]
fn all(cx: &Context) -> &'static str {
    let _ = cx;
    "ab"
}

async fn ids(typed: &Completing) -> Vec<String> {
    vec![format!("{}1", &**typed)]
}

/// One note.
#[resource(
    "notes://{id}/{+path}{?lang,page,size,user.name}",
    mime = "application/json",
    deadline = "1s",
    finishes
)]
async fn note(
    #[complete(ids)] id: u32,
    lang: Option<&str>,
    path: &str,
    store: &Arc<str>,
    page: Option<u32>,
    #[arg(default = 10)] size: u32,
    #[arg(rename = "user.name")] user_name: Option<String>,
) -> Option<Json<String>> {
    Some(Json(format!(
        "{store}{id}{path}{lang:?}{page:?}{size}{user_name:?}"
    )))
}

#[resource("blob:{name}", blocking)]
fn blob<T: From<String> + Into<Vec<u8>>>(name: T) -> Result<Vec<u8>, std::io::Error> {
    Ok(name.into())
}

#[resource("many:x")]
fn many() -> Vec<ResourceContents> {
    vec![ResourceContents::text("many:x/1", "1")]
}

#[test]
fn each_is_a_resource() {
    assert_eq!(AllNotes::URI, "notes://all");
    assert_eq!(AllNotes::definition().name(), "All notes");
    assert_eq!(note::definition().name(), "note");
    let server = Server::new("test", "1")
        .lend(Arc::<str>::from("a"))
        .resource::<AllNotes>()
        .resource::<note>()
        .resource::<blob<String>>()
        .resource::<many>();
    server.build().unwrap();
}
