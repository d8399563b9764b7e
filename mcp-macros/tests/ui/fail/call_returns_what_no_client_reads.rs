#![allow(unused)]
use mcp_core::{Client, IntoReply, Reply, tool};

struct Secret;

impl IntoReply for Secret {
    fn into_reply(self) -> Reply {
        Reply::text("hush")
    }
}

#[tool]
fn secret() -> Secret {
    Secret
}

async fn call(client: &Client) {
    client.call(secret::with()).await;
}

fn main() {}
