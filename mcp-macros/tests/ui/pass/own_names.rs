//! A module that has its own ideas of what `Result` and `String` are.
#![allow(
    dead_code,
    non_camel_case_types,
    reason = "the names are there to be in the way"
)]

use mcp_core::{Context, Run, Tool, data, tool, tools};

struct Result;
struct Option;
struct String;
struct Vec;
struct Box;
struct Some;
struct None;
struct Ok;
struct Err;
struct Send;
struct Sync;
struct Default;
struct From;
struct Into;
struct Iterator;
struct Clone;
struct Serialize;
struct Deserialize;
struct JsonSchema;
struct Arc;
struct u64x;

mod core {}
mod std {}
mod serde {}
mod schemars {}

#[data]
#[derive(Tool)]
struct Find {
    text: ::std::string::String,
}

impl Run for Find {
    type Output = ::std::string::String;

    async fn run(self, _: &Context) -> ::std::string::String {
        self.text
    }
}

#[tool(deadline = "3s", meta("a" = {"b": 1}))]
async fn find(
    cx: &Context,
    #[arg(default = "a")] text: &str,
    words: &[::std::string::String],
) -> u8 {
    let _ = (cx, text, words);
    1
}

struct Files;

#[tools(client = FilesClient)]
impl Files {
    #[tool]
    fn list(&self, limit: ::std::option::Option<u8>) {
        let _ = limit;
    }
}

#[test]
fn everything_finds_its_paths() {
    assert_eq!(find::NAME, "find");
    assert_eq!(super::names(Files), ["list"]);
}
