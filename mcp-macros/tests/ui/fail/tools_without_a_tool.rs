#![allow(unused)]
use mcp_core::tools;

struct Files;

#[tools]
impl Files {
    fn search(&self) {}
}

fn main() {}
