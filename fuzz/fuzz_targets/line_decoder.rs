//! Any bytes, cut anywhere: how the input is cut changes nothing, and the session goes on after it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{MODERN_META, answers, serve};
use serde_json::json;

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (mut bytes, pieces) = input;
    // The last line is ours, whatever came before it.
    bytes.extend_from_slice(
        format!("\n{{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"tools/list\",\"params\":{{\"_meta\":{MODERN_META}}}}}")
            .as_bytes(),
    );
    let whole = serve(&bytes, &[]);
    assert_eq!(serve(&bytes, &pieces), whole);
    // The bytes may have asked with this id, too.
    assert!(!answers(&whole, &json!("last")).is_empty());
});
