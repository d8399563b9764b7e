//! What can't be seen from outside: that memory is given back.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::protocol::{ClientCapabilities, Implementation};

fn session() -> ClientSession {
    let facts = ClientFacts {
        info: Implementation::new("c", "1"),
        capabilities: ClientCapabilities::new(),
    };
    let mut session = ClientSession::new(Arc::new(facts));
    session.open();
    session
}

/// A server that reads nothing, and an application that gives up and asks again for ever.
#[test]
fn requests_in_line_that_were_given_up_are_forgotten() {
    let mut session = session();
    let big = format!(r#"{{"x":"{}"}}"#, "x".repeat(FULL));
    let minute = Duration::from_secs(60);
    let patience = Some(Patience {
        idle: minute,
        total: minute,
    });
    let first = session.request(&Outline::new("m", big.as_bytes(), patience), None);
    for _ in 0..10_000 {
        let id = session.request(&Outline::new("m", b"{}", patience), None);
        session.abandon(id.unwrap(), "it is a test");
    }
    assert!(session.unsent.len() < 200, "{}", session.unsent.len());
    let kept = session.request(&Outline::new("kept", b"{}", patience), None);
    session.abandon(first.unwrap(), "it is a test");
    let (mut sent, mut rest) = (Vec::new(), Vec::new());
    session.take_output(&mut sent);
    session.take_output(&mut rest);
    let rest = String::from_utf8(rest).unwrap();
    let id = format!(
        r#"{{"jsonrpc":"2.0","id":{},"method":"kept""#,
        kept.unwrap()
    );
    assert!(rest.starts_with(&id), "{rest}");
    assert_eq!((rest.lines().count(), session.pending.len()), (1, 1));
}
