#![allow(unused)]
use mcp_core::prompt;

#[prompt(deadline = "3s", finishes)]
fn write() -> &'static str {
    ""
}

#[prompt(blocking)]
async fn tell() -> &'static str {
    ""
}

fn main() {}
