#![allow(unused)]
use mcp_core::{Completing, prompt};

fn count(_: &str) -> u8 {
    3
}

async fn count_later(_: &Completing) -> Option<u8> {
    None
}

#[prompt]
fn write(#[complete(count)] a: &str, #[complete(count_later)] b: &str) -> &'static str {
    ""
}

fn main() {}
