#![allow(unused)]
use mcp_core::{Context, Run, Tool};

#[derive(Tool)]
struct Search {
    text: String,
}

impl Run for Search {
    type Output = ();
    async fn run(self, _: &Context) {}
}

fn main() {}
