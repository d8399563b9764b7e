//! Structs that are tools.

use mcp_core::{Context, Json, Run, Tool, data};

#[data]
struct Hit {
    path: String,
}

/// Finds files by name.
#[data]
#[derive(Tool)]
#[tool(
    name = "find_files",
    read_only,
    title = "Find",
    open_world = false,
    flow("filesystem-read")
)]
#[tool(strict, deadline = "30s", finishes)]
struct FindFiles {
    /// Glob, `**` crosses folders.
    pattern: String,
    limit: Option<u32>,
}

impl Run for FindFiles {
    type Output = Result<Json<Vec<Hit>>, std::fmt::Error>;

    async fn run(self, cx: &Context) -> Result<Json<Vec<Hit>>, std::fmt::Error> {
        std::future::ready(cx).await;
        let _ = self.limit;
        Ok(Json(vec![Hit { path: self.pattern }]))
    }
}

#[data]
#[derive(Tool)]
struct HTTPPing {}

impl Run for HTTPPing {
    type Output = Vec<Hit>;

    async fn run(self, _: &Context) -> Vec<Hit> {
        Vec::new()
    }
}

#[data]
#[derive(Tool)]
struct Echo<T> {
    value: T,
}

impl<T: mcp_core::IntoReply + Send + 'static> Run for Echo<T> {
    type Output = T;

    async fn run(self, _: &Context) -> T {
        self.value
    }
}

#[test]
fn each_is_a_tool() {
    assert_eq!(FindFiles::definition().name(), "find_files");
    assert_eq!(HTTPPing::NAME, "http_ping");
    let call = FindFiles {
        pattern: "a".to_owned(),
        limit: None,
    };
    assert_eq!(super::json(call), r#"{"pattern":"a","limit":null}"#);
}
