//! The crate, re-exported by a framework.

mod framework {
    pub(super) mod inner {
        pub(in super::super) use mcp_core as protocol;
    }
}

use framework::inner::protocol::{Context, Run, Tool, data, tool, tools};

#[data(crate = framework::inner::protocol)]
#[derive(Tool)]
#[tool(crate = framework::inner::protocol)]
struct Find {
    text: String,
}

impl Run for Find {
    type Output = String;

    async fn run(self, _: &Context) -> String {
        self.text
    }
}

#[tool(crate = framework::inner::protocol)]
fn find(text: &str, #[arg(default = "b")] more: &str) -> String {
    format!("{text}{more}")
}

struct Files;

#[tools(crate = framework::inner::protocol)]
impl Files {
    #[tool]
    fn list(&self, text: &str) -> String {
        text.to_owned()
    }
}

#[test]
fn everything_finds_its_paths() {
    assert_eq!(Find::NAME, "find");
    assert_eq!(
        super::json(find::with("a", "c")),
        r#"{"text":"a","more":"c"}"#
    );
    assert_eq!(super::names(Files), ["list"]);
}
