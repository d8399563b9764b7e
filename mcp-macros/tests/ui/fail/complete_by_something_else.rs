#![allow(unused)]
use mcp_core::prompt;

#[prompt]
fn write(
    #[complete(3)] a: &str,
    #[complete("a", names)] b: &str,
    #[complete(names, "a")] c: &str,
    #[complete(|typed| vec![typed])] d: &str,
    #[complete(names)]
    #[complete(names)]
    e: &str,
    #[complete("a", "b", "a")] f: &str,
) -> &'static str {
    ""
}

fn names(_: &str) -> Vec<String> {
    vec![]
}

fn main() {}
