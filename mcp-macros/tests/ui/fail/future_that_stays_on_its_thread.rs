#![allow(unused)]
use mcp_core::tool;

async fn wait() {}

#[tool]
async fn search() {
    let count = std::rc::Rc::new(1);
    wait().await;
    drop(count);
}

fn main() {}
