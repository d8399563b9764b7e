#![allow(unused)]
use mcp_core::{Context, data, prompt};

#[data]
struct All {}

#[prompt]
fn write(
    #[complete] a: &str,
    #[complete()] b: &str,
    #[complete = "c"] c: &str,
    #[complete("d")] cx: &Context,
) -> &'static str {
    ""
}

#[prompt]
fn tell(#[args] #[complete("a")] all: All) -> &'static str {
    ""
}

fn main() {}
