//! Generic functions, registered for one type at a time.

use std::fmt::Display;

use mcp_core::__private::Serialize;
use mcp_core::{IntoReply, Tool, tool};

#[tool]
fn show<T: Display>(value: T, #[arg(default = Vec::new())] more: Vec<T>) -> String {
    format!("{value}{}", more.len())
}

#[tool]
async fn repeat<T, const N: usize>(value: T) -> Vec<T>
where
    T: Clone + Serialize + Sync,
{
    std::future::ready(()).await;
    vec![value; N]
}

#[tool]
fn make<T: Default + IntoReply>(text: &str) -> T {
    let _ = text;
    T::default()
}

#[test]
fn each_type_is_a_tool() {
    assert_eq!(show::<u8>::definition().name(), "show");
    assert_eq!(repeat::<String, 3>::definition().name(), "repeat");
    assert_eq!(make::<u64>::definition().name(), "make");
    assert_eq!(
        super::json(show::<u8>::with(1, vec![2])),
        r#"{"value":1,"more":[2]}"#
    );
}
