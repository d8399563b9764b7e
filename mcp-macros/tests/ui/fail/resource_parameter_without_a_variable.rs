#![allow(unused)]
use mcp_core::resource;

#[resource("notes://{id}")]
fn note(id: u8, idd: u8, #[arg(rename = "ident")] other: u8) -> &'static str {
    ""
}

#[resource("notes://all")]
fn all(id: u8) -> &'static str {
    ""
}

fn main() {}
