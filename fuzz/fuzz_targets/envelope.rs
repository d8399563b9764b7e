//! One line of any bytes: it is answered once at most, under its own id, never when it asks for nothing, and the
//! session goes on.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{LINE_LIMIT, MODERN_META, Plan, serve};
use serde_json::Value;

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') || line.len() > LINE_LIMIT {
        return;
    }
    let last = format!(
        "\n{{\"jsonrpc\":\"2.0\",\"id\":\"last one\",\"method\":\"tools/list\",\"params\":{{\"_meta\":{MODERN_META}}}}}"
    );
    // One call at a time, so that none is under way when the last request comes.
    let lines = serve(&[line, last.as_bytes()].concat(), &Plan::default());
    let (last, own): (Vec<&Value>, Vec<&Value>) = lines
        .iter()
        .filter(|line| line.get("method").is_none())
        .partition(|answer| answer.get("id").is_some_and(|id| id == "last one"));
    assert!(!last.is_empty(), "the session did not go on: {lines:?}");
    assert!(own.len() <= 1, "one line, several answers: {lines:?}");
    let (Ok(message), [answer]) = (serde_json::from_slice::<Value>(line), own.as_slice()) else {
        return;
    };
    let notification =
        message["jsonrpc"] == "2.0" && message["method"].is_string() && message.get("id").is_none();
    // A member that comes twice makes it no message at all.
    let twice = String::from_utf8_lossy(line).matches(":").count() > 2;
    assert!(
        !notification || twice,
        "a notification was answered: {answer}"
    );
    if let Some(id) = answer.get("id") {
        assert_eq!(message.get("id"), Some(id), "an answer to someone else");
    }
});
