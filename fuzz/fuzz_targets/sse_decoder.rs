//! Any bytes, fed in any pieces: the events are those that the standard gives for the whole stream.

#![no_main]

use std::time::Duration;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use mcp_sse::{SseDecoder, SseEvent};

/// Events with the id that stood after each, the id at the end, and how long to wait.
type Seen = (
    Vec<(SseEvent, Option<Vec<u8>>)>,
    Option<Vec<u8>>,
    Option<Duration>,
);

fuzz_target!(|input: (&[u8], Vec<u8>, u8)| {
    let (bytes, pieces, limit) = input;
    let expected = by_the_standard(bytes);
    assert_eq!(decoded(bytes, &[], 1 << 20), expected);
    assert_eq!(decoded(bytes, &pieces, 1 << 20), expected);

    // Within a limit, the pieces decide how much of a long event is told, and nothing else.
    let limit = usize::from(limit);
    let (whole, cut) = (decoded(bytes, &[], limit), decoded(bytes, &pieces, limit));
    assert_eq!(without_heads(cut, limit), without_heads(whole, limit));
});

fn decoded(bytes: &[u8], pieces: &[u8], limit: usize) -> Seen {
    let mut decoder = SseDecoder::with_limit(limit);
    let mut events = Vec::new();
    let mut rest = bytes;
    for size in pieces.iter().copied().map(usize::from).chain([bytes.len()]) {
        let (piece, later) = rest.split_at(size.min(rest.len()));
        rest = later;
        decoder.feed(Bytes::copy_from_slice(piece));
        while let Some(event) = decoder.next_event() {
            events.push((event, decoder.last_event_id().map(<[u8]>::to_vec)));
        }
    }
    let id = decoder.last_event_id().map(<[u8]>::to_vec);
    (events, id, decoder.retry())
}

fn without_heads(seen: Seen, limit: usize) -> Seen {
    let (mut events, id, retry) = seen;
    for (event, id) in &mut events {
        if let SseEvent::Overlong { head, .. } = event {
            assert!(head.len() <= 4 << 10);
            let head = Bytes::new();
            *event = SseEvent::Overlong { head, limit };
            // It is told before its end, and so before or after its id.
            *id = None;
        }
    }
    (events, id, retry)
}

/// The same as the standard describes it, looking at everything at once.
fn by_the_standard(bytes: &[u8]) -> Seen {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let (mut events, mut last_id, mut retry) = (Vec::new(), None, None);
    let (mut name, mut data, mut id) = (Vec::new(), Vec::new(), None);
    for line in lines(bytes) {
        if line.is_empty() {
            if let Some(id) = id.take() {
                last_id = Some(id).filter(|id: &Vec<u8>| !id.is_empty());
            }
            let (name, mut data): (Vec<u8>, Vec<u8>) =
                (std::mem::take(&mut name), std::mem::take(&mut data));
            data.pop();
            if !data.is_empty() {
                let (name, data) = (name.into(), data.into());
                events.push((SseEvent::Data { name, data }, last_id.clone()));
            }
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let field = &line[..colon.unwrap_or(line.len())];
        let value = colon.map_or(&[][..], |colon| &line[colon + 1..]);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        // Other fields than data are passed over when they are very long.
        let is_short = line.len() <= 4 << 10;
        match field {
            b"data" => {
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" if is_short => name = value.to_vec(),
            b"id" if !value.contains(&0) => id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let text = String::from_utf8_lossy(value);
                retry = Some(Duration::from_millis(text.parse().unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }
    (events, last_id, retry)
}

/// The lines that have an end.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        lines.push(&rest[..end]);
        let is_pair = rest[end..].starts_with(b"\r\n");
        rest = &rest[end + 1 + usize::from(is_pair)..];
    }
    lines
}
