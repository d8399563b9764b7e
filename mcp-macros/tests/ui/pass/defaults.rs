//! Defaults of every kind.

use mcp_core::{Tool, tool};

const LIMIT: u32 = 50;

#[tool]
fn find(
    #[arg(default = LIMIT)] limit: u32,
    #[arg(default = -1.5)] ratio: f64,
    #[arg(default = "all")] scope: &str,
    #[arg(default = "all")] owned: String,
    #[arg(default = vec![1, 2])] numbers: &[u8],
    #[arg(default = Some(3))] depth: Option<u8>,
    #[arg(default)] tags: Vec<String>,
    #[arg(default)] text: &str,
) -> String {
    format!("{limit}{ratio}{scope}{owned}{numbers:?}{depth:?}{tags:?}{text}")
}

#[test]
fn it_is_defined() {
    assert_eq!(find::definition().name(), "find");
}
