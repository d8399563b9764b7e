//! Any bytes, read in any pieces: the frames are those that the definition of a line gives.

#![no_main]

use bytes::{BufMut, Bytes};
use libfuzzer_sys::fuzz_target;
use mcp_core::transport::Incoming;
use mcp_stdio::LineDecoder;

fuzz_target!(|input: (&[u8], Vec<u8>, u8)| {
    let (bytes, pieces, limit) = input;
    let limit = usize::from(limit);
    let expected = lines(bytes, limit);
    assert_eq!(decoded(bytes, &[], limit), expected);
    assert_eq!(decoded(bytes, &pieces, limit), expected);
});

/// What the decoder makes of the bytes, in pieces of these sizes and the rest at once.
fn decoded(bytes: &[u8], pieces: &[u8], limit: usize) -> Vec<Incoming> {
    let mut decoder = LineDecoder::with_limit(limit);
    let mut frames = Vec::new();
    let mut rest = bytes;
    for size in pieces.iter().copied().map(usize::from).chain([bytes.len()]) {
        let (piece, later) = rest.split_at(size.min(rest.len()));
        rest = later;
        // The two ways in.
        if size % 2 == 0 || piece.len() > decoder.spare().remaining_mut() {
            decoder.extend(piece);
        } else {
            decoder.spare().put_slice(piece);
        }
        frames.extend(std::iter::from_fn(|| decoder.next_frame()));
    }
    frames.extend(std::iter::from_fn(|| decoder.finish()));
    frames
}

/// The same, looking at everything at once.
fn lines(bytes: &[u8], limit: usize) -> Vec<Incoming> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let content = line.strip_suffix(b"\r").unwrap_or(line);
            if content.len() > limit {
                let head = Bytes::copy_from_slice(&content[..limit]);
                return Some(Incoming::Overlong { head, limit });
            }
            let blank = content.iter().all(u8::is_ascii_whitespace);
            (!blank).then(|| Incoming::Frame(Bytes::copy_from_slice(content)))
        })
        .collect()
}
