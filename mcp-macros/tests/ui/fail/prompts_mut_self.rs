#![allow(unused)]
use mcp_core::prompts;

struct Notes;

#[prompts]
impl Notes {
    #[prompt]
    fn write(&mut self) -> &'static str {
        ""
    }

    #[prompt]
    fn tell<T>(self) -> &'static str {
        ""
    }

    #[prompt = "ask"]
    const ASK: u8 = 1;
}

fn main() {}
