#![allow(unused)]
use mcp_core::{Context, data};

#[data]
struct Address {
    city: String,
}

#[data]
struct Order {
    count: u8,
    address: Option<Address>,
}

async fn ask(cx: &Context) {
    let _ = cx.elicit::<Order>("order", "Where to?").await;
}

fn main() {}
