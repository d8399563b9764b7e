#![allow(unused)]
use mcp_core::{tool, tools};

struct Page;

#[tool]
fn search(#[args] page: Page) {}

struct Notes;

#[tools]
impl Notes {
    #[tool]
    fn save(&self, title: &str, page: Option<Page>, more: &[Page]) {}
}

fn main() {}
