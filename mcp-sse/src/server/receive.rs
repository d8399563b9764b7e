//! The body of a request.

use std::future::poll_fn;
use std::pin::pin;

use bytes::{Buf, Bytes, BytesMut};
use http::StatusCode;
use http::header::{CONTENT_LENGTH, HeaderMap};

use super::refusal::Refusal;
use super::service::Shared;

/// Reads the body, as long and as fast as may be.
pub(super) async fn read<B>(shared: &Shared, headers: &HeaderMap, body: B) -> Result<Bytes, Refusal>
where
    B: http_body::Body,
    B::Data: Buf,
{
    let max = shared.options.max_body;
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length = length.and_then(|value| value.parse::<u64>().ok());
    if length.is_some_and(|length| length > max as u64) {
        return Err(too_large());
    }
    let reading = collect(body, max);
    match tokio::time::timeout(shared.options.body_timeout, reading).await {
        Ok(body) => body,
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "the message took too long to come: `HttpService::body_timeout` sets how long it may",
        )),
    }
}

const fn too_large() -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "the message is too long: `HttpService::max_body` sets how long it may be",
    )
}

async fn collect<B>(body: B, max: usize) -> Result<Bytes, Refusal>
where
    B: http_body::Body,
    B::Data: Buf,
{
    let mut body = pin!(body);
    // Mostly there is one part, which need not be copied.
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| Refusal::bad("the message broke off"))?;
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        let length = data.remaining();
        if first.len() + all.len() + length > max {
            return Err(too_large());
        }
        if first.is_empty() && all.is_empty() {
            first = data.copy_to_bytes(length);
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            while data.has_remaining() {
                let chunk = data.chunk();
                let length = chunk.len();
                all.extend_from_slice(chunk);
                data.advance(length);
            }
        }
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}
