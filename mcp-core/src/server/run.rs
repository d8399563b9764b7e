use std::future::Future;

use super::context::Context;

/// What a tool in the struct form does when it is called.
///
/// `#[derive(Tool)]` says what the tool is, this says what it does. `Output` is anything that a function with
/// `#[tool]` may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what it does when it is called",
    note = "write `impl Run for {Self}` with `type Output` and `async fn run(self, cx: &Context) -> Self::Output`"
)]
pub trait Run: Sized + Send + 'static {
    /// What the call returns.
    ///
    /// It is named, so that the schema of the output is known, and a client can decode it.
    type Output;

    /// Runs one call. The arguments are the fields of `self`.
    fn run(self, cx: &Context) -> impl Future<Output = Self::Output> + Send;
}
