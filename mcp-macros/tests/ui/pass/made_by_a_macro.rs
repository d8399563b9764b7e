//! Tools that a macro writes.

use mcp_core::{Context, Tool, tool};

macro_rules! counter {
    ($name:ident, $ty:ty, $step:expr, $doc:literal) => {
        #[doc = $doc]
        #[tool]
        fn $name(cx: &Context, from: $ty, #[arg(default = $step)] step: $ty, text: &str) -> $ty {
            let _ = (cx, text);
            from + step
        }
    };
}

counter!(by_one, u8, 1, "Adds one.");
counter!(by_ten, u64, 10, "Adds ten.");

#[test]
fn each_is_a_tool() {
    assert_eq!(
        super::json(&by_one::with(1, 2, "a")),
        r#"{"from":1,"step":2,"text":"a"}"#
    );
    assert_eq!(by_ten::definition().name(), "by_ten");
}
