#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools(client = pub FilesClient)]
impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
