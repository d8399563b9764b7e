#![allow(unused)]
use mcp_core::resource;

struct Page;

#[resource("page:")]
fn page() -> Page {
    Page
}

#[resource("pages:", blocking)]
fn pages() -> Result<Vec<Page>, std::io::Error> {
    Ok(vec![Page])
}

fn main() {}
