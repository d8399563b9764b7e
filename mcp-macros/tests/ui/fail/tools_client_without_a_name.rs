#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;
struct Notes;

#[tools(client = pub "FilesClient")]
impl Files {
    #[tool]
    fn search(&self) {}
}

#[tools(client)]
impl Notes {
    #[tool]
    fn find(&self) {}
}

fn main() {}
