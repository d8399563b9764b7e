//! Bodies of responses, and what they are said to be.

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, header};
use mcp_core::transport::Incoming;

use super::auth::BoxError;
use super::error::HttpErrorKind;
use super::http::HttpBody;

/// How much is kept of an answer that is too long: enough to find an id in.
const HEAD: usize = 4 << 10;
/// Of a text that is no message, so many characters are shown.
const SHOWN: usize = 200;

/// What a body is said to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Media {
    Json,
    Events,
    Other(String),
}

/// # Errors
///
/// When the body is compressed.
pub(super) fn media(headers: &HeaderMap) -> Result<Media, HttpErrorKind> {
    if let Some(coding) = headers.get(header::CONTENT_ENCODING)
        && !coding.as_bytes().eq_ignore_ascii_case(b"identity")
    {
        return Err(HttpErrorKind::Compressed(shown(coding)));
    }
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(Media::Other(String::new()));
    };
    let text = value.as_bytes();
    let name = text.split(|byte| *byte == b';').next().unwrap_or_default();
    let name = name.trim_ascii();
    Ok(if name.eq_ignore_ascii_case(b"application/json") {
        Media::Json
    } else if name.eq_ignore_ascii_case(b"text/event-stream") {
        Media::Events
    } else {
        Media::Other(shown(value))
    })
}

fn shown(value: &HeaderValue) -> String {
    one_line(value.as_bytes(), 80)
}

/// Reads a body to its end as one message.
pub(super) async fn message(body: HttpBody, limit: usize) -> Result<Incoming, BoxError> {
    Ok(match whole(body, limit).await? {
        Ok(frame) => Incoming::Frame(frame),
        Err(beginning) => Incoming::Overlong {
            head: Bytes::copy_from_slice(beginning.get(..HEAD).unwrap_or(&beginning)),
            limit,
        },
    })
}

/// The whole body, or its beginning when it is too long.
async fn whole(mut body: HttpBody, limit: usize) -> Result<Result<Bytes, Bytes>, BoxError> {
    let Some(first) = body.piece().await.transpose()? else {
        return Ok(Ok(Bytes::new()));
    };
    if first.len() > limit {
        return Ok(Err(first));
    }
    // Nearly always that is all, and nothing is copied.
    let Some(second) = body.piece().await.transpose()? else {
        return Ok(Ok(first));
    };
    let mut all = BytesMut::from(first);
    let mut next = Some(second);
    while let Some(piece) = next {
        all.extend_from_slice(&piece);
        if all.len() > limit {
            return Ok(Err(all.freeze()));
        }
        next = body.piece().await.transpose()?;
    }
    Ok(Ok(all.freeze()))
}

/// The beginning of a body that says why something was refused. What can't be read is as good as empty.
pub(super) async fn beginning(body: HttpBody, limit: usize) -> Bytes {
    match whole(body, limit).await {
        Ok(Ok(text) | Err(text)) => text,
        Err(_) => Bytes::new(),
    }
}

/// The beginning of a text for an error: on one line, and without control characters.
pub(super) fn preview(text: &[u8]) -> String {
    one_line(text, SHOWN)
}

fn one_line(text: &[u8], length: usize) -> String {
    let text = String::from_utf8_lossy(text.get(..4 * length).unwrap_or(text));
    let mut line = String::new();
    let mut count = 0;
    for c in text.trim().chars() {
        let c = if c.is_control() { ' ' } else { c };
        if c == ' ' && line.ends_with(' ') {
            continue;
        }
        if count == length {
            line.push('…');
            break;
        }
        count += 1;
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Media {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, name.parse().unwrap());
        media(&headers).unwrap()
    }

    /// HTP-09, of responses.
    #[test]
    fn media_types_are_compared_without_case_and_parameters() {
        for json in [
            "application/json",
            "Application/Json; charset=utf-8",
            "application/json;charset=UTF-8",
        ] {
            assert_eq!(of(json), Media::Json);
        }
        for events in [
            "text/event-stream",
            "text/event-stream;charset=utf-8",
            "TEXT/EVENT-STREAM ; x=y",
        ] {
            assert_eq!(of(events), Media::Events);
        }
        for other in [
            "text/plain",
            "text/html; charset=utf-8",
            "application/jsonp",
            "application/json+x",
        ] {
            assert_eq!(of(other), Media::Other(other.to_owned()));
        }
        assert_eq!(
            media(&HeaderMap::new()).unwrap(),
            Media::Other(String::new())
        );
    }

    #[test]
    fn what_is_compressed_is_refused() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        headers.insert(
            header::CONTENT_ENCODING,
            HeaderValue::from_static("identity"),
        );
        assert!(media(&headers).is_ok());
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(
            matches!(media(&headers), Err(HttpErrorKind::Compressed(coding)) if coding == "gzip")
        );
    }

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(
            preview(b"  <html>\r\n\t<body>\x00no\x1b[31m\xff"),
            "<html> <body> no [31m\u{fffd}"
        );
        let long = preview("x".repeat(10_000).as_bytes());
        assert_eq!(long.chars().count(), 201);
        assert_eq!(preview(b""), "");
    }
}
