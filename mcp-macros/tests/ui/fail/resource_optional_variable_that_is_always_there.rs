#![allow(unused)]
use mcp_core::resource;

#[resource("notes://{id}/{+path}")]
fn note(id: Option<u8>, #[arg(default = "a")] path: &str) -> &'static str {
    ""
}

fn main() {}
