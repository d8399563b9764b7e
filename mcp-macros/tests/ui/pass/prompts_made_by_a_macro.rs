//! Prompts and resources that a macro writes.

use mcp_core::{Context, Prompt, Resource, prompt, resource};

macro_rules! notes {
    ($prompt:ident, $resource:ident, $uri:literal, $id:ident: $ty:ty, $default:expr, $doc:literal) => {
        #[doc = $doc]
        #[prompt]
        fn $prompt(
            cx: &Context,
            $id: $ty,
            #[arg(default = $default)]
            #[complete("1", "2")]
            more: $ty,
        ) -> String {
            let _ = cx;
            format!("{}{more}", $id)
        }

        #[doc = $doc]
        #[resource($uri)]
        fn $resource(cx: &Context, $id: $ty) -> String {
            let _ = cx;
            $id.to_string()
        }
    };
}

notes!(sum_up, small, "small://{id}", id: u8, 1, "Small notes.");
notes!(tell, large, "large://{key}", key: u64, 10, "Large notes.");

#[test]
fn each_is_there() {
    assert_eq!(sum_up::definition().name(), "sum_up");
    assert_eq!(tell::definition().description(), Some("Large notes."));
    assert_eq!(small::definition().name(), "small");
    assert_eq!(large::URI, "large://{key}");
}
