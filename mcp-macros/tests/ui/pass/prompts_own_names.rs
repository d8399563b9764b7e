//! Prompts and resources in a module that has its own ideas of what `Result` and `Option` are.
#![allow(
    dead_code,
    non_camel_case_types,
    reason = "the names are there to be in the way"
)]

use mcp_core::{Prompt, Resource, prompt, resource};

struct Result;
struct Option;
struct Vec;
struct Some;
struct Ok;
struct Completion;
struct Completing;
struct Reply;
struct Annotations;
struct Role;
struct Invocation;

mod core {}
mod std {}

#[prompt]
async fn write(
    typed: ::std::string::String,
    #[complete("a")] found: ::std::option::Option<u8>,
    #[complete(found)] way: u8,
    shared: u8,
    value: u8,
) -> ::std::string::String {
    format!("{typed}{found:?}{way}{shared}{value}")
}

async fn found(typed: &str) -> ::std::vec::Vec<::std::string::String> {
    ::std::vec::Vec::from([typed.to_owned()])
}

#[resource("a:{invocation}{?value}", audience = [assistant])]
fn read(invocation: u8, value: ::std::option::Option<u8>) -> ::std::string::String {
    format!("{invocation}{value:?}")
}

#[test]
fn everything_finds_its_paths() {
    assert_eq!(write::definition().name(), "write");
    assert_eq!(read::definition().uri(), read::URI);
}
