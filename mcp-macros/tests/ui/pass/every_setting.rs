//! All settings at once.

use mcp_core::{Tool, tool};

const TITLE: &str = "Find files";

#[tool(
    name = "files.find-all_2",
    title = TITLE,
    description = concat!("Finds", " files."),
    read_only,
    destructive = false,
    idempotent = true,
    open_world,
    icon = "https://example.com/a.svg",
    icon = "data:image/svg+xml;base64,PHN2Zy8+",
    flow("filesystem-read", "network-out", "third-party"),
    meta("vendor/rank" = 1, "vendor/more" = {"a": [null, -1.5, "x"]}),
    open,
    strict,
    finishes,
    deadline = "2m",
    type = FindFiles,
    crate = ::mcp_core,
)]
async fn find(text: &str) -> String {
    text.to_owned()
}

#[tool(
    read_only = false,
    destructive,
    open = false,
    strict = false,
    flow("filesystem-write")
)]
fn remove(text: &str) -> String {
    text.to_owned()
}

#[tool(open_world = false, flow("local-only"))]
fn count() -> u64 {
    1
}

#[test]
fn they_are_defined() {
    assert_eq!(FindFiles::NAME, "files.find-all_2");
    assert_eq!(FindFiles::definition().name(), "files.find-all_2");
    assert_eq!(remove::definition().name(), "remove");
    assert_eq!(count::definition().name(), "count");
}
