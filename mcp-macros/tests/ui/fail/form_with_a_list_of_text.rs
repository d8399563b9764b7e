#![allow(unused)]
use mcp_core::{Context, data};

#[data]
struct Tags {
    tags: Vec<String>,
}

#[data]
enum Shape {
    Circle { radius: f64 },
}

async fn ask(cx: &Context) {
    let _ = cx.elicit::<Tags>("tags", "Which?").await;
    let _ = cx.elicit::<Shape>("shape", "Which?").await;
}

fn main() {}
