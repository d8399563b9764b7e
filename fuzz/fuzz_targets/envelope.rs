//! One line of any bytes: it is answered once at most, under its own id, never when it asks for nothing, and the
//! session goes on.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{MODERN_META, serve};
use serde_json::Value;

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') {
        return;
    }
    let last = format!(
        "\n{{\"jsonrpc\":\"2.0\",\"id\":\"last one\",\"method\":\"tools/list\",\"params\":{{\"_meta\":{MODERN_META}}}}}"
    );
    let lines = serve(&[line, last.as_bytes()].concat(), &[]);
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
    assert!(!notification, "a notification was answered: {answer}");
    if let Some(id) = answer.get("id") {
        assert_eq!(message.get("id"), Some(id), "an answer to someone else");
    }
});
