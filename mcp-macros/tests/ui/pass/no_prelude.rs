//! A module without the prelude.
#![no_implicit_prelude]

use ::mcp_core::{Context, Tool, tool, tools};

#[tool(read_only, icon = "data:", flow("filesystem-read"), meta("a" = 1))]
async fn find(
    cx: &Context,
    text: &str,
    #[arg(default = "b")] more: &str,
    limit: ::std::option::Option<&str>,
) -> u8 {
    let _ = (cx, text, more, limit);
    1
}

struct Files;

#[tools(client = FilesClient)]
impl Files {
    #[tool]
    fn list(
        self: ::std::sync::Arc<Self>,
        #[arg(length = 1..=3, range = 1..=2)] text: ::std::string::String,
    ) {
        let _ = text;
    }
}

#[test]
fn everything_finds_its_paths() {
    ::std::assert_eq!(<find as Tool>::NAME, "find");
    ::std::assert_eq!(super::names(Files), ["list"]);
}
