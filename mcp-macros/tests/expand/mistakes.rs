/// Adds two integers.
#[tool(readonly)]
fn add(a: i64, _: i64) -> i64 {
    a
}
