#![allow(unused)]
use mcp_core::prompt;

struct Page;

#[prompt]
fn write() -> Page {
    Page
}

#[prompt]
async fn count() -> u8 {
    1
}

fn main() {}
