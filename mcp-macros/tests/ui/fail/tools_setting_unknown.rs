#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools(prefx = "files_")]
impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
