#![allow(unused)]
use mcp_core::__private::{Deserialize, JsonSchema};
use mcp_core::{IntoReply, Reply, tool, tools};

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "mcp_core::__private::serde")]
#[schemars(crate = "mcp_core::__private::schemars")]
struct Page {}

struct Secret;

impl IntoReply for Secret {
    fn into_reply(self) -> Reply {
        Reply::text("hush")
    }
}

struct Files;

#[tools(client = FilesClient)]
impl Files {
    #[tool]
    fn search(&self, page: Page) {}

    #[tool]
    fn secret(&self) -> Secret {
        Secret
    }
}

async fn call(client: &FilesClient) {
    client.search(Page {}).await;
    client.secret().await;
}

fn main() {}
