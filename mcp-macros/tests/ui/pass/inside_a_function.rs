//! A tool inside of a function, where no path leads to it.

#[test]
fn a_local_function_can_be_a_tool() {
    use mcp_core::{Tool, tool};

    struct Local;

    #[tool]
    fn find(local: &Local, text: &str) -> String {
        let _ = local;
        text.to_owned()
    }

    assert_eq!(find(&Local, "a"), "a");
    assert_eq!(find::definition().name(), "find");
    assert_eq!(super::json(find::with("a")), r#"{"text":"a"}"#);
}
