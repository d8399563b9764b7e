//! Frames as events of a stream.

/// Keeps whatever stands between from taking a quiet stream for a dead one.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// The frames in `frames`, each ended by a line feed.
pub(super) fn split(frames: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = frames;
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest)?;
        let (frame, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        Some(frame)
    })
}

/// The one frame in `frames`, unless there are more.
pub(super) fn single(frames: &[u8]) -> bool {
    memchr::memchr(b'\n', frames).is_some_and(|end| end + 1 == frames.len())
}

/// Writes one event. A JSON text of ours has no line breaks.
pub(super) fn write_event(out: &mut Vec<u8>, id: Option<&str>, data: &[u8]) {
    out.reserve(data.len() + 48);
    if let Some(id) = id {
        out.extend_from_slice(b"id: ");
        out.extend_from_slice(id.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(data);
    out.extend_from_slice(b"\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_become_events_of_one_line_each() {
        let mut out = Vec::new();
        for (number, frame) in split(b"{\"a\":1}\n{}\n").enumerate() {
            write_event(&mut out, (number > 0).then_some("7-1"), frame);
        }
        assert_eq!(out, b"data: {\"a\":1}\n\nid: 7-1\ndata: {}\n\n");
        assert!(single(b"{}\n") && !single(b"{}\n{}\n") && !single(b""));
    }
}
