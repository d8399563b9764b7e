#![allow(unused)]
use mcp_core::prompt;

#[prompt(mime_type = "text/plain", audience = [user], size = 3)]
fn write(text: &str) -> String {
    text.to_owned()
}

fn main() {}
