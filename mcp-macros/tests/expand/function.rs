/// Adds two integers.
#[tool]
fn add(/** The left operand. */ a: i64, /** The right operand. */ b: i64) -> i64 {
    a + b
}
