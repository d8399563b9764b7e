//! What the macros say about mistakes, word for word. `TRYBUILD=overwrite` writes what they say now, for review.

#[test]
fn mistakes_are_reported_as_reviewed() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
}
