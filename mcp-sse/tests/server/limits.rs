//! What is too much.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use mcp_core::testing::Gate;

use crate::tools::{gated, server};
use crate::web::{BOTH, JSON, MODERN, Parts, Web, modern};

const LIST: [(&str, &str); 4] = [JSON, BOTH, MODERN, ("mcp-method", "tools/list")];

/// HTP-18.
#[tokio::test]
async fn a_body_over_the_limit_is_refused_before_it_is_read() {
    let web = Web::new(server()).set(|service| service.max_body(1000));
    let announced = [&LIST[..], &[("content-length", "1073741824")]].concat();
    let mut reply = web.send_parts("POST", &announced, Never).await;
    assert_eq!(reply.status, 413);
    assert!(reply.text().await.contains("max_body"));
    let body = modern("tools/list", "");
    let padding = " ".repeat(1000 - body.len());
    assert_eq!(
        web.send("POST", &LIST, format!("{body}{padding}"))
            .await
            .status,
        200
    );
    assert_eq!(
        web.send("POST", &LIST, format!("{body}{padding} "))
            .await
            .status,
        413
    );
    let parts = Parts(vec![body.into(), padding.into(), " ".into()]);
    assert_eq!(web.send_parts("POST", &LIST, parts).await.status, 413);
}

#[tokio::test]
async fn a_body_may_come_in_parts() {
    let web = Web::new(server());
    let body = modern("tools/list", "");
    let parts = body
        .as_bytes()
        .chunks(7)
        .map(Bytes::copy_from_slice)
        .collect();
    assert_eq!(
        web.send_parts("POST", &LIST, Parts(parts)).await.status,
        200
    );
}

/// HTP-18.
#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_not_waited_for() {
    let web = Web::new(server()).set(|service| service.body_timeout(Duration::from_secs(7)));
    let begun = tokio::time::Instant::now();
    let reply = web.send_parts("POST", &LIST, Never).await;
    assert_eq!((reply.status, begun.elapsed().as_secs()), (408, 7));
}

#[tokio::test]
async fn there_are_only_so_many_requests_at_once() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate)).set(|service| service.max_requests(2));
    let listen = || web.modern("subscriptions/listen", None, r#""notifications":{}"#);
    let (first, mut second) = (listen().await, listen().await);
    assert_eq!((first.status, second.status), (200, 200));
    let mut third = listen().await;
    assert_eq!((third.status, third.header("retry-after")), (503, "5"));
    assert!(third.text().await.contains("max_requests"));
    drop(first);
    assert_eq!(listen().await.status, 200);
    assert!(second.next().await.unwrap().contains("acknowledged"));
}

/// A body that never comes.
struct Never;

impl http_body::Body for Never {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}
