#![allow(unused)]
use mcp_core::prompts;

struct Notes;

#[prompts(prefx = "a")]
impl Notes {
    #[prompt]
    fn write(&self) -> &'static str {
        ""
    }

    #[prompt(name = "write", crate = mcp_core, type = Tell)]
    fn tell(&self) -> &'static str {
        ""
    }
}

fn main() {}
