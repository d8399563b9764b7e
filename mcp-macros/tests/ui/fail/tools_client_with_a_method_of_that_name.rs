#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools(client = FilesClient, prefix = "files_")]
impl Files {
    #[tool]
    fn connect(&self) {}

    #[tool]
    fn new(&self) {}
}

fn main() {}
