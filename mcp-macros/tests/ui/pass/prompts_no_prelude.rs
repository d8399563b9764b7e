//! Prompts and resources in a module without the prelude.
#![no_implicit_prelude]

use ::mcp_core::{Completing, Context, Prompt, Resource, prompt, prompts, resource, resources};

async fn letters(_: &Completing) -> [&'static str; 1] {
    ["a"]
}

#[prompt(icon = "data:", meta("a" = 1))]
async fn write(
    cx: &Context,
    #[complete(letters)] text: &str,
    #[complete("b")]
    #[arg(default = "b")]
    more: &str,
    limit: ::std::option::Option<&str>,
) -> ::std::string::String {
    let _ = (cx, text, more, limit);
    ::std::string::String::new()
}

#[resource("a:{x}{?y}", audience = [user], priority = 1, last_modified = "2026-07-28")]
fn read(#[complete(letters)] x: u8, y: ::std::option::Option<u8>) -> &'static str {
    let _ = (x, y);
    "a"
}

struct Files;

#[prompts]
#[resources]
impl Files {
    #[prompt]
    fn list(
        self: ::std::sync::Arc<Self>,
        #[complete(self.texts)] text: ::std::string::String,
    ) -> ::std::string::String {
        text
    }

    #[resource("files:")]
    fn files(&self) -> ::std::option::Option<&'static [u8]> {
        ::std::option::Option::None
    }

    fn texts(&self, _: &str) -> ::std::vec::Vec<&'static str> {
        ::std::vec::Vec::new()
    }
}

#[test]
fn everything_finds_its_paths() {
    ::std::assert_eq!(<write as Prompt>::NAME, "write");
    ::std::assert_eq!(<read as Resource>::URI, "a:{x}{?y}");
    let _ = Files;
}
