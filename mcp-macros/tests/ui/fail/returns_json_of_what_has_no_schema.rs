#![allow(unused)]
use mcp_core::{Json, tool};

struct Page;

#[tool]
fn search() -> Result<Json<Vec<Page>>, String> {
    Ok(Json(vec![Page]))
}

fn main() {}
