use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const SAMPLE: &[u8] = b"\xEF\xBB\xBF{\"a\":1}\r\n\n \t \r\n\xEF\xBB\xBF{}\n\
    not json\n\xFF\xFE\n{\"s\":\"a\xE2\x80\xA8b\xC2\x85c\"}\r\r\n\0\n\
    0123456789012345678901234567890123456789\r\nshort\nContent-Length: 2\r\n\r\nlast\r";
const SAMPLE_LIMIT: usize = 24;

fn frame(bytes: &'static [u8]) -> Incoming {
    Incoming::Frame(Bytes::from_static(bytes))
}

fn overlong(head: &'static [u8], limit: usize) -> Incoming {
    Incoming::Overlong {
        head: Bytes::from_static(head),
        limit,
    }
}

/// What a decoder gives for these pieces, put in through the spare space in parts as small as it demands.
fn decode<'a>(limit: usize, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Incoming> {
    let mut decoder = LineDecoder::with_limit(limit);
    let mut frames = Vec::new();
    for mut piece in pieces {
        while !piece.is_empty() {
            let mut spare = decoder.spare();
            let taken = spare.remaining_mut().min(piece.len());
            spare.put_slice(&piece[..taken]);
            drop(spare);
            piece = &piece[taken..];
            frames.extend(std::iter::from_fn(|| decoder.next_frame()));
        }
    }
    frames.extend(std::iter::from_fn(|| decoder.finish()));
    assert_eq!(decoder.finish(), None);
    frames
}

/// The rules once more, over the whole input at once and without a care for speed.
fn by_the_book(limit: usize, input: &[u8]) -> Vec<Incoming> {
    let input = input.strip_prefix(BOM).unwrap_or(input);
    let mut frames = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        let content = line.strip_suffix(b"\r").unwrap_or(line);
        if content.len() > limit {
            frames.push(Incoming::Overlong {
                head: Bytes::copy_from_slice(&content[..limit.min(HEAD)]),
                limit,
            });
        } else if !content.iter().all(u8::is_ascii_whitespace) {
            frames.push(Incoming::Frame(Bytes::copy_from_slice(content)));
        }
    }
    frames
}

fn sample_frames() -> Vec<Incoming> {
    vec![
        frame(b"{\"a\":1}"),
        frame(b"\xEF\xBB\xBF{}"),
        frame(b"not json"),
        frame(b"\xFF\xFE"),
        frame(b"{\"s\":\"a\xE2\x80\xA8b\xC2\x85c\"}\r"),
        frame(b"\0"),
        overlong(b"012345678901234567890123", SAMPLE_LIMIT),
        frame(b"short"),
        frame(b"Content-Length: 2"),
        frame(b"last"),
    ]
}

/// FRM-04, FRM-05, FRM-06, FRM-12: clients and servers read lines by the same decoder.
#[test]
fn lines_end_at_line_feeds_only() {
    assert_eq!(decode(SAMPLE_LIMIT, [SAMPLE]), sample_frames());
}

#[test]
fn every_split_in_three_gives_the_same_frames() {
    for first in 0..=SAMPLE.len() {
        for second in first..=SAMPLE.len() {
            let pieces = [&SAMPLE[..first], &SAMPLE[first..second], &SAMPLE[second..]];
            assert_eq!(
                decode(SAMPLE_LIMIT, pieces),
                sample_frames(),
                "cut at {first} and {second}"
            );
        }
    }
}

#[test]
fn single_bytes_give_the_same_frames() {
    assert_eq!(decode(SAMPLE_LIMIT, SAMPLE.chunks(1)), sample_frames());
}

#[test]
fn a_byte_order_mark_split_over_reads_is_skipped() {
    let pieces: [&[u8]; 4] = [b"\xEF", b"\xBB", b"\xBF", b"{}\n"];
    assert_eq!(decode(MAX_LINE, pieces), [frame(b"{}")]);
}

#[test]
fn half_a_byte_order_mark_is_an_ordinary_line() {
    assert_eq!(decode(MAX_LINE, [&b"\xEF\xBB"[..]]), [frame(b"\xEF\xBB")]);
    assert_eq!(
        decode(MAX_LINE, [&b"\xEF\n{}\n"[..]]),
        [frame(b"\xEF"), frame(b"{}")]
    );
}

#[test]
fn only_the_first_of_two_byte_order_marks_is_skipped() {
    assert_eq!(
        decode(MAX_LINE, [&b"\xEF\xBB\xBF\xEF\xBB\xBF{}\n"[..]]),
        [frame(b"\xEF\xBB\xBF{}")]
    );
}

#[test]
fn a_line_at_the_limit_passes_with_either_line_end() {
    for input in [&b"12345\n6\n"[..], b"12345\r\n6\n"] {
        assert_eq!(decode(5, input.chunks(1)), [frame(b"12345"), frame(b"6")]);
    }
}

#[test]
fn a_line_one_byte_over_the_limit_is_skipped() {
    for input in [&b"123456\n7\n"[..], b"12345\r6\n7\n", b"123456\r\n7\n"] {
        let expected = [overlong(b"12345", 5), frame(b"7")];
        assert_eq!(decode(5, [input]), expected);
        assert_eq!(decode(5, input.chunks(1)), expected);
    }
}

#[test]
fn an_overlong_line_that_never_ends_is_told_once() {
    assert_eq!(decode(5, b"1234567890".chunks(1)), [overlong(b"12345", 5)]);
}

#[test]
fn the_head_of_an_overlong_line_is_its_first_four_kibibytes() {
    let line = vec![b'x'; 3 * HEAD];
    let frames = decode(2 * HEAD, [&line[..]]);
    assert_eq!(
        frames,
        [Incoming::Overlong {
            head: Bytes::from(vec![b'x'; HEAD]),
            limit: 2 * HEAD
        }]
    );
}

#[test]
fn frames_are_slices_of_what_was_read() {
    let mut decoder = LineDecoder::new();
    decoder.spare().put_slice(b"one\ntwo\n");
    let read_at = decoder.buffer.as_ptr() as usize;
    let Some(Incoming::Frame(one)) = decoder.next_frame() else {
        panic!("no first frame");
    };
    let Some(Incoming::Frame(two)) = decoder.next_frame() else {
        panic!("no second frame");
    };
    assert_eq!(one.as_ptr() as usize, read_at);
    assert_eq!(two.as_ptr() as usize, read_at + 4);
}

#[test]
fn bytes_are_searched_for_a_newline_once() {
    let mut decoder = LineDecoder::new();
    for length in 1..1000 {
        decoder.spare().put_slice(b"x");
        assert_eq!(decoder.next_frame(), None);
        assert_eq!(decoder.scanned, length);
    }
}

#[test]
fn one_allocation_serves_many_lines_that_are_let_go() {
    let mut decoder = LineDecoder::new();
    decoder.spare().put_slice(b"line\n");
    let at = decoder.buffer.as_ptr() as usize;
    for _ in 0..50_000 {
        decoder.spare().put_slice(b"line\n");
        while decoder.next_frame().is_some() {}
        let offset = (decoder.buffer.as_ptr() as usize).wrapping_sub(at);
        assert!(offset <= CHUNK, "moved to another allocation");
    }
}

#[test]
fn a_flood_without_a_newline_needs_memory_of_the_order_of_the_limit() {
    const LIMIT: usize = 1 << 20;
    let mut decoder = LineDecoder::with_limit(LIMIT);
    let mut told = 0;
    let mut most = 0;
    for _ in 0..20_000 {
        let mut spare = decoder.spare();
        let room = spare.remaining_mut().min(4096);
        spare.put_bytes(b'x', room);
        drop(spare);
        told += usize::from(decoder.next_frame().is_some());
        most = most.max(decoder.buffer.capacity());
    }
    assert_eq!(told, 1);
    assert!(most <= 2 * LIMIT + 2 * CHUNK, "{most} bytes were held");
    decoder.spare().put_slice(b"\n{}\n");
    assert_eq!(decoder.next_frame(), Some(frame(b"{}")));
    assert!(decoder.buffer.capacity() <= 2 * CHUNK);
}

#[test]
fn memory_shrinks_after_a_huge_line() {
    let mut decoder = LineDecoder::new();
    let mut left = 9 << 20;
    while left > 0 {
        let mut spare = decoder.spare();
        let part = spare.remaining_mut().min(left);
        spare.put_bytes(b'x', part);
        left -= part;
        drop(spare);
        assert_eq!(decoder.next_frame(), None);
    }
    decoder.spare().put_slice(b"\n{\"half\"");
    let Some(Incoming::Frame(huge)) = decoder.next_frame() else {
        panic!("the huge line did not come");
    };
    assert_eq!(huge.len(), 9 << 20);
    assert_eq!(decoder.next_frame(), None);
    drop(huge);
    decoder.spare().put_slice(b":1}\n");
    assert!(decoder.buffer.capacity() <= 2 * CHUNK);
    assert_eq!(decoder.next_frame(), Some(frame(b"{\"half\":1}")));
}

#[test]
fn a_short_line_behind_a_huge_one_does_not_keep_its_room() {
    let mut decoder = LineDecoder::new();
    decoder.extend(&[b'x'; 1 << 20]);
    decoder.extend(b"\n{\"short\":1}\n");
    decoder.extend(&[b'y'; 100 << 10]);
    decoder.extend(b"\n");
    let frames: Vec<Bytes> = std::iter::from_fn(|| match decoder.next_frame()? {
        Incoming::Frame(frame) => Some(frame),
        Incoming::Overlong { .. } => panic!("nothing here is too long"),
    })
    .collect();
    drop(decoder);
    let kept = frames.into_iter().skip(1).map(|frame| {
        let length = frame.len();
        let room = frame.try_into_mut().map(|room| room.capacity());
        (length, room.ok())
    });
    assert!(
        kept.eq([11, 100 << 10].map(|length| (length, Some(length)))),
        "each has an allocation of its own, of its own length"
    );
}

#[test]
fn debug_output_shows_no_payload() {
    let mut decoder = LineDecoder::new();
    decoder.extend(b"secret");
    assert!(!format!("{decoder:?}").contains("secret"));
}

/// Bytes among which those that matter are frequent.
fn telling_byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => Just(b'\n'),
        3 => Just(b'\r'),
        2 => Just(b' '),
        2 => Just(0xEF),
        2 => Just(0xBB),
        2 => Just(0xBF),
        8 => b'a'..=b'e',
        1 => any::<u8>(),
    ]
}

proptest! {
    #[test]
    fn any_bytes_at_any_split_give_what_the_rules_say(
        bom in any::<bool>(),
        bytes in vec(telling_byte(), 0..120),
        sizes in vec(1..9_usize, 1..20),
        limit in 0..14_usize,
    ) {
        let mut input = if bom { BOM.to_vec() } else { Vec::new() };
        input.extend(bytes);
        let mut rest = &input[..];
        let pieces = sizes.iter().cycle().map_while(|size| {
            let (piece, after) = rest.split_at((*size).min(rest.len()));
            rest = after;
            (!piece.is_empty()).then_some(piece)
        });
        prop_assert_eq!(decode(limit, pieces), by_the_book(limit, &input));
        prop_assert_eq!(decode(limit, [&input[..]]), by_the_book(limit, &input));
    }
}
