#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools]
impl Files {
    #[tool]
    fn search(self: Box<Self>) {}
}

fn main() {}
