#![allow(unused)]
use mcp_core::resources;

struct Notes;

#[resources(prefix = "notes_", client = pub Client)]
impl Notes {
    #[resource("notes://all")]
    fn all(&self) -> &'static str {
        ""
    }

    #[resource("notes://all", name = "again")]
    fn again(&self, id: u8) -> &'static str {
        ""
    }

    #[resource]
    #[resource("a:")]
    #[resource("b:")]
    fn two(&self) -> &'static str {
        ""
    }

    #[resource]
    fn none(&self) -> &'static str {
        ""
    }
}

fn main() {}
