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

macro_rules! named {
    ($function:ident, $name:literal, $title:expr, $deadline:literal, $max:expr, $pattern:literal, $flow:literal, $meta:literal) => {
        #[tool(name = $name, title = $title, deadline = $deadline, flow($flow), meta("a/b" = $meta))]
        async fn $function(
            #[arg(rename = $name, range = 1..=$max, default = $max)] number: u8,
            #[arg(pattern = $pattern, length = 1..=$max)] text: String,
        ) -> String {
            format!("{number}{text}")
        }
    };
}

named!(
    settings,
    "set.tings",
    "Settings",
    "30s",
    9,
    "^a",
    "local-only",
    5
);

#[test]
fn settings_may_come_from_outside() {
    assert_eq!(settings::definition().name(), "set.tings");
    assert_eq!(
        super::json(settings::with(9, "a".to_owned())),
        r#"{"set.tings":9,"text":"a"}"#
    );
}

#[test]
fn each_is_a_tool() {
    assert_eq!(
        super::json(by_one::with(1, 2, "a")),
        r#"{"from":1,"step":2,"text":"a"}"#
    );
    assert_eq!(by_ten::definition().name(), "by_ten");
}
