//! Bounds of every kind.

use mcp_core::{Tool, tool};

const LONGEST: usize = 80;

#[tool]
fn find(
    #[arg(range = 1..=500)] limit: u32,
    #[arg(range = 1..500)] below: u32,
    #[arg(range = -5..)] least: i64,
    #[arg(range = ..=9)] most: Option<u8>,
    #[arg(range = 0.0..1.0)] ratio: f64,
    #[arg(range = ..0.5)] half: f32,
    #[arg(length = 1..=LONGEST)] text: &str,
    #[arg(length = ..LONGEST)] shorter: String,
    #[arg(length = 1.., description = "At least one.")] words: &[String],
    #[arg(length = 1..3, pattern = "^[a-z]+$")] code: Option<String>,
) -> String {
    format!("{limit}{below}{least}{most:?}{ratio}{half}{text}{shorter}{words:?}{code:?}")
}

#[test]
fn it_is_defined() {
    assert_eq!(find::definition().name(), "find");
}
