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

#[test]
fn a_call_may_leave_them_to_the_server() {
    let all = find::with(None, None, None, None, None, None, None, None);
    assert_eq!(super::json(all), "{}");
    let owned = "b".to_owned();
    let call = find::with(1, 0.5, "a", owned, &[3][..], Some(4), vec![], Some(""));
    assert_eq!(
        super::json(call),
        r#"{"limit":1,"ratio":0.5,"scope":"a","owned":"b","numbers":[3],"depth":4,"tags":[],"text":""}"#
    );
}
