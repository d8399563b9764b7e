#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools(prefix = "files/")]
impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
