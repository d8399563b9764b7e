//! One line of any text: it is answered once at most, under its own id, and never when it asks for nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::serve;
use serde_json::Value;

fuzz_target!(|line: &str| {
    if line.contains('\n') {
        return;
    }
    let lines = serve(line.as_bytes(), &[]);
    assert!(lines.len() <= 1, "one line, several answers: {lines:?}");
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        return;
    };
    let notification =
        message.get("method").is_some_and(Value::is_string) && message.get("id").is_none();
    if let [answer] = lines.as_slice() {
        assert!(
            !notification || message["jsonrpc"] != "2.0",
            "a notification was answered: {answer}"
        );
        if let Some(id) = answer.get("id") {
            assert_eq!(message.get("id"), Some(id), "an answer to someone else");
        }
    }
});
