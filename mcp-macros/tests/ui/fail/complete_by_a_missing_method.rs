#![allow(unused)]
use mcp_core::prompts;

struct Notes;

#[prompts]
impl Notes {
    #[prompt]
    fn write(&self, #[complete(self.titles)] title: &str) -> String {
        title.to_owned()
    }
}

fn main() {}
