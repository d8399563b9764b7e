#![allow(unused)]
use mcp_core::{Client, tool};

#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn call(client: &Client) {
    client.call(add).await;
}

fn main() {}
