//! Values that are lent, in any place among the arguments.

use std::sync::{Arc, Mutex};

use mcp_core::{Context, tool};

struct Pool<T>(T);

#[tool]
fn first(
    _: &Context,
    Pool(size): &Pool<u8>,
    text: &str,
    count: &Mutex<u64>,
    name: &String,
) -> String {
    if let Ok(mut count) = count.lock() {
        *count += u64::from(*size);
    }
    format!("{text}{name}")
}

#[tool]
async fn second(cx: &Context, pool: &Arc<Pool<u8>>, number: u8, again: &Context) -> u8 {
    std::future::ready(()).await;
    let _ = (cx, again);
    pool.0 + number
}

#[test]
fn a_call_does_not_mention_them() {
    assert_eq!(super::json(first::with("a")), r#"{"text":"a"}"#);
    assert_eq!(super::json(second::with(1)), r#"{"number":1}"#);
}
