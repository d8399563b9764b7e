//! What a session keeps of the frames it was given.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{Effect, Facts, Offers, ServerFacts, ServerSession, SessionLimits};
use crate::protocol::{CacheScope, Implementation};

/// A session of 2025-03-26 in which one call may run.
fn session() -> ServerSession {
    let facts = Facts {
        info: Implementation::new("s", "1"),
        instructions: None,
        offers: Offers {
            tools: true,
            ..Offers::default()
        },
        has_logging: true,
        ttl_ms: 0,
        cache_scope: CacheScope::Private,
    };
    let limits = SessionLimits {
        in_flight: 1,
        drain: Duration::ZERO,
    };
    let mut session = ServerSession::new(Arc::new(ServerFacts::new(&facts)), limits);
    let params = r#"{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#;
    let initialize = frame(&request(0, "initialize", params));
    session.receive(&initialize);
    assert!(initialize.is_unique(), "who the client is was copied");
    session
}

fn frame(text: &str) -> Bytes {
    Bytes::from(text.as_bytes().to_vec())
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn call(id: u32) -> String {
    request(
        id,
        "tools/call",
        r#"{"name":"t","arguments":{"a":1},"_meta":{"progressToken":1}}"#,
    )
}

#[test]
fn a_call_keeps_its_frame_and_does_not_copy_it() {
    let mut session = session();
    let frame = frame(&call(1));
    session.receive(&frame);
    assert!(!frame.is_unique());
}

#[test]
fn a_call_keeps_nothing_of_its_batch_but_itself() {
    let mut session = session();
    let batch = frame(&format!(
        "[{},{}]",
        call(1),
        request(2, "x".repeat(1000).as_str(), "{}")
    ));
    session.receive(&batch);
    let started = session.poll_effect(0);
    assert!(matches!(started, Some(Effect::Start(_))));
    assert!(batch.is_unique());
}

#[test]
fn calls_that_wait_behind_others_keep_nothing_that_was_read_with_them() {
    let mut session = session();
    for id in 1..=2 {
        session.receive(&frame(&call(id)));
    }
    let started = session.poll_effect(0);
    assert!(matches!(started, Some(Effect::Start(_))));
    assert!(session.poll_effect(1).is_none());
    let waits = frame(&call(3));
    session.receive(&waits);
    assert!(session.poll_effect(1).is_none());
    assert!(waits.is_unique());
}
