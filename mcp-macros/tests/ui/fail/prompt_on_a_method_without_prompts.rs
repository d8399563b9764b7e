#![allow(unused)]
use mcp_core::prompt;

struct Notes;

impl Notes {
    #[prompt]
    fn write(&self) -> &'static str {
        ""
    }
}

fn main() {}
