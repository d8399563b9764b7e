//! Tools of every visibility, used from elsewhere.

mod inner {
    use mcp_core::tool;

    #[mcp_core::data]
    pub(crate) struct Page {
        pub(crate) number: u8,
    }

    #[tool]
    pub(crate) fn turn(page: Page) -> u8 {
        page.number + 1
    }

    #[tool]
    pub(in crate::visibility) fn back(page: Page) -> u8 {
        page.number - 1
    }
}

use inner::{Page, back, turn};

#[test]
fn one_import_brings_the_function_and_the_type() {
    assert_eq!(turn(Page { number: 1 }), 2);
    assert_eq!(back(Page { number: 1 }), 0);
    assert_eq!(
        super::json(turn::with(Page { number: 1 })),
        r#"{"page":{"number":1}}"#
    );
    assert_eq!(
        super::json(back::with(Page { number: 1 })),
        r#"{"page":{"number":1}}"#
    );
}
