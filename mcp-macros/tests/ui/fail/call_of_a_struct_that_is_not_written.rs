#![allow(unused)]
use mcp_core::__private::{Deserialize, JsonSchema};
use mcp_core::{Client, Context, Run, Tool};

#[derive(Deserialize, JsonSchema, Tool)]
#[serde(crate = "mcp_core::__private::serde")]
#[schemars(crate = "mcp_core::__private::schemars")]
struct Find {}

impl Run for Find {
    type Output = ();

    async fn run(self, _: &Context) {}
}

async fn call(client: &Client) {
    client.call(Find {}).await;
}

fn main() {}
