#![allow(unused)]
use mcp_core::tool;

struct Page;

#[tool]
async fn search() -> Result<Page, std::fmt::Error> {
    Ok(Page)
}

fn main() {}
