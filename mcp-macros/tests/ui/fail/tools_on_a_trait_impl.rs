#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

trait Search {
    fn search(&self);
}

#[tools]
impl Search for Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
