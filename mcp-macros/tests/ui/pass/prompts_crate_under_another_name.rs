//! Prompts and resources of a crate that a framework re-exports.

mod framework {
    pub(super) mod inner {
        pub(in super::super) use mcp_core as protocol;
    }
}

use framework::inner::protocol::{Prompt, Resource, prompt, prompts, resource, resources};

#[prompt(crate = framework::inner::protocol)]
fn write(#[complete("a")] text: &str) -> String {
    text.to_owned()
}

#[resource("a:{text}{?more}", crate = framework::inner::protocol)]
fn read(text: &str, more: Option<&str>) -> String {
    format!("{text}{more:?}")
}

struct Files;

#[prompts(crate = framework::inner::protocol)]
#[resources(crate = framework::inner::protocol)]
impl Files {
    #[prompt]
    fn list(&self, text: &str) -> String {
        text.to_owned()
    }

    #[resource("files:")]
    fn files(&self) -> &'static str {
        ""
    }
}

#[test]
fn everything_finds_its_paths() {
    assert_eq!(write::NAME, "write");
    assert_eq!(read::URI, "a:{text}{?more}");
    let _ = Files;
}
