#![allow(unused)]
use mcp_core::tool;

#[derive(mcp_core::__private::Deserialize, mcp_core::__private::JsonSchema)]
#[serde(crate = "mcp_core::__private::serde")]
#[schemars(crate = "mcp_core::__private::schemars")]
struct Page {}

#[tool]
fn search(page: Page) {}

fn main() {
    let _ = search::with(Page {});
}
