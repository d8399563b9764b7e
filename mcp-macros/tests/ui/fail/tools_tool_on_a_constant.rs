#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    const LIMIT: u8 = 1;

    #[tool = "x"]
    fn search(&self) {}
}

fn main() {}
