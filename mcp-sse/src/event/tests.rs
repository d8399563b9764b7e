use proptest::prelude::*;

use super::*;

/// The events, with the id that stood after each, and what stands at the end.
#[derive(Debug, PartialEq)]
struct Seen {
    events: Vec<(SseEvent, Option<String>)>,
    id: Option<String>,
    retry: Option<Duration>,
}

fn id(decoder: &SseDecoder) -> Option<String> {
    let id = decoder.last_event_id();
    id.map(|id| String::from_utf8_lossy(id).into_owned())
}

fn seen_with(limit: usize, chunks: &[&[u8]]) -> Seen {
    let mut decoder = SseDecoder::with_limit(limit);
    let mut events = Vec::new();
    for chunk in chunks {
        decoder.feed(Bytes::copy_from_slice(chunk));
        while let Some(event) = decoder.next_event() {
            events.push((event, id(&decoder)));
        }
    }
    Seen {
        events,
        id: id(&decoder),
        retry: decoder.retry(),
    }
}

/// Reads a stream whole, byte by byte and cut in two at every place, which is all the same.
fn seen_within(limit: usize, bytes: &[u8]) -> Seen {
    let whole = seen_with(limit, &[bytes]);
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(seen_with(limit, &single), whole);
    for at in 0..bytes.len() {
        let (one, other) = bytes.split_at(at);
        assert_eq!(seen_with(limit, &[one, other]), whole, "cut at {at}");
    }
    whole
}

fn seen(stream: &str) -> Seen {
    seen_within(MAX_EVENT, stream.as_bytes())
}

fn data(text: &str) -> SseEvent {
    named("", text)
}

fn named(name: &str, text: &str) -> SseEvent {
    SseEvent::Data {
        name: name.to_owned().into(),
        data: text.to_owned().into(),
    }
}

fn events(stream: &str) -> Vec<SseEvent> {
    let events = seen(stream).events;
    events.into_iter().map(|(event, _)| event).collect()
}

const RESULT: &str = r#"{"jsonrpc":"2.0","id":2,"result":{}}"#;

/// SSE-01.
#[test]
fn an_event_without_data_is_no_message_but_its_id_and_retry_count() {
    let stream = format!("id: 7\nretry: 3000\ndata:\n\ndata: {RESULT}\n\n");
    let expected = Seen {
        events: vec![(data(RESULT), Some("7".to_owned()))],
        id: Some("7".to_owned()),
        retry: Some(Duration::from_secs(3)),
    };
    assert_eq!(seen(&stream), expected);
    for empty in ["id: 8\ndata: \n\n", "id: 8\ndata\n\n", "id: 8\n\n"] {
        let seen = seen(&format!("id: 7\ndata: x\n\n{empty}"));
        assert_eq!(seen.events, [(data("x"), Some("7".to_owned()))]);
        assert_eq!(seen.id, Some("8".to_owned()));
    }
}

/// SSE-03.
#[test]
fn lines_end_at_lf_crlf_and_cr() {
    for end in ["\n", "\r\n", "\r"] {
        let stream = format!("event: message{end}data: {RESULT}{end}{end}data: 2{end}{end}");
        assert_eq!(events(&stream), [named("message", RESULT), data("2")]);
    }
    let mixed = "data: 1\r\n\ndata: 2\r\r\ndata: 3\n\r\ndata: 4\r\n\r";
    let numbers = ["1", "2", "3", "4"].map(data);
    assert_eq!(events(mixed), numbers);
}

#[test]
fn an_event_ended_by_cr_does_not_wait_for_the_next_byte() {
    assert_eq!(events("data: 1\r\r"), [data("1")]);
}

/// SSE-05.
#[test]
fn lines_of_data_are_joined_by_line_feeds() {
    let stream = "data: {\"jsonrpc\":\"2.0\",\"id\":2,\ndata: \"result\":{}}\n\n";
    let text = "{\"jsonrpc\":\"2.0\",\"id\":2,\n\"result\":{}}";
    assert_eq!(events(stream), [data(text)]);
    assert_eq!(events("data: a\ndata\ndata:  b\n\n"), [data("a\n\n b")]);
    assert_eq!(events("data\ndata\n\n"), [data("\n")]);
}

/// SSE-06.
#[test]
fn fields_are_read_as_the_standard_has_them() {
    assert_eq!(events("data:{}\n\n"), [data("{}")]);
    assert_eq!(events(": ping\n\n:\n\n:data: x\n\n"), []);
    assert_eq!(events("foo: 1\nDATA: 2\n data: 3\n\n"), []);
    assert_eq!(events("event: ping\ndata: x\n\n"), [named("ping", "x")]);
    assert_eq!(
        events("data: x\nevent:message\n\n"),
        [named("message", "x")]
    );
    assert_eq!(events("event: a\n\ndata: x\n\n"), [data("x")]);
    assert_eq!(events("data: a: b: c\n\n"), [data("a: b: c")]);
    for retry in ["abc", "", "1.5", "-1", "+1", "1 "] {
        assert_eq!(
            seen(&format!("retry: 5\nretry: {retry}\n\n")).retry,
            Some(Duration::from_millis(5))
        );
    }
    assert_eq!(
        seen("retry: 99999999999999999999999\n").retry,
        Some(Duration::from_millis(u64::MAX))
    );
    assert_eq!(
        seen("id: 1\n\nid: a\0b\ndata: x\n\n").id,
        Some("1".to_owned())
    );
}

#[test]
fn an_empty_id_takes_the_last_one_back() {
    assert_eq!(seen("id: 1\n\nid:\n\n").id, None);
    assert_eq!(seen("id: 1\n\nid\n\n").id, None);
}

/// SSE-07.
#[test]
fn heartbeats_in_data_are_events_like_others() {
    let stream = format!("data: {{\"type\":\"heartbeat\"}}\n\ndata: ping\n\ndata: {RESULT}\n\n");
    let expected = [data(r#"{"type":"heartbeat"}"#), data("ping"), data(RESULT)];
    assert_eq!(events(&stream), expected);
}

/// SSE-08.
#[test]
fn an_event_without_its_blank_line_never_was() {
    let seen = seen(&format!("id: 4\ndata: 1\n\nid: 5\ndata: {RESULT}\n"));
    assert_eq!(seen.events, [(data("1"), Some("4".to_owned()))]);
    assert_eq!(seen.id, Some("4".to_owned()));
}

#[test]
fn one_byte_order_mark_at_the_start_is_passed_over() {
    assert_eq!(events("\u{feff}data: 1\n\n"), [data("1")]);
    assert_eq!(events("\u{feff}\u{feff}data: 1\n\n"), []);
    assert_eq!(events("data: 1\n\n\u{feff}data: 2\n\n"), [data("1")]);
    assert_eq!(seen_within(9, b"\xEF\xBBdata: 1\n\n").events, []);
}

#[test]
fn an_event_that_is_too_long_is_passed_over_and_told_once() {
    let overlong = |head: &str| SseEvent::Overlong {
        head: head.to_owned().into(),
        limit: 8,
    };
    let told = |stream: &str| {
        // Where the cut is decides how much of it had come when it was too long.
        let mut decoder = SseDecoder::with_limit(8);
        decoder.feed(stream.to_owned().into());
        let events: Vec<_> = std::iter::from_fn(|| decoder.next_event()).collect();
        for piece in 1..stream.len() {
            let chunks: Vec<&[u8]> = stream.as_bytes().chunks(piece).collect();
            let cut = seen_with(8, &chunks).events;
            assert_eq!(cut.len(), events.len());
            for ((cut, _), event) in cut.iter().zip(&events) {
                match (cut, event) {
                    (SseEvent::Overlong { head, .. }, SseEvent::Overlong { head: whole, .. }) => {
                        assert!(head.len() > 8 && whole.starts_with(head));
                    }
                    _ => assert_eq!(cut, event),
                }
            }
        }
        events
    };
    assert_eq!(told("data: 12345678\n\n"), [data("12345678")]);
    assert_eq!(told("data: 123\ndata: 4567\n\n"), [data("123\n4567")]);
    let long = "data: 123456789\ndata: more\ndata: 1\n\ndata: 2\n\n";
    assert_eq!(told(long), [overlong("123456789"), data("2")]);
    let long = "data: 1234\ndata: 56\ndata: 78\n\ndata: 2\n\n";
    assert_eq!(told(long), [overlong("1234\n56\n78"), data("2")]);
    let head = "x".repeat(HEAD);
    let long = format!("data: {}\n\n", "x".repeat(HEAD + 100));
    let mut decoder = SseDecoder::with_limit(8);
    decoder.feed(long.into());
    assert_eq!(decoder.next_event(), Some(overlong(&head)));
}

/// HTP-18, the endless line.
#[test]
fn an_endless_line_takes_no_more_memory_than_its_limit() {
    for begin in [": ", "data: ", "id: ", "event: ", "foo", "dat", ""] {
        let mut decoder = SseDecoder::with_limit(1 << 16);
        decoder.feed(begin.to_owned().into());
        let mut told = 0;
        for _ in 0..1_000 {
            decoder.feed(Bytes::from_static(&[b'x'; 1_024]));
            told += std::iter::from_fn(|| decoder.next_event()).count();
            assert!(decoder.partial.capacity() <= 4 << 16, "{begin}");
        }
        assert_eq!(told, usize::from(begin == "data: "));
        decoder.feed("\n\ndata: 1\n\n".into());
        assert_eq!(decoder.next_event(), Some(data("1")), "{begin}");
        assert_eq!(decoder.last_event_id(), None);
    }
}

#[test]
fn an_id_that_is_too_long_is_none_rather_than_an_older_one() {
    let long = "7".repeat(MAX_FIELD + 1);
    let stream = format!("id: 1\n\nid: {long}\ndata: x\n\n");
    for piece in [stream.len(), 1_000] {
        let chunks: Vec<&[u8]> = stream.as_bytes().chunks(piece).collect();
        assert_eq!(seen_with(MAX_EVENT, &chunks).id, None);
    }
}

#[test]
fn data_in_one_piece_is_not_copied_unless_it_keeps_much_more() {
    let small = Bytes::from("data: abc\n\n".to_owned());
    let mut decoder = SseDecoder::new();
    decoder.feed(small.clone());
    let Some(SseEvent::Data { data, .. }) = decoder.next_event() else {
        panic!("no event");
    };
    assert_eq!(data.as_ptr(), small.slice(6..).as_ptr());

    let large = Bytes::from("data: abc\n\n".repeat(10_000));
    decoder.feed(large.clone());
    let Some(SseEvent::Data { data, .. }) = decoder.next_event() else {
        panic!("no event");
    };
    assert_ne!(data.as_ptr(), large.slice(6..).as_ptr());
}

#[test]
fn what_is_fed_before_all_was_taken_comes_after_it() {
    let mut decoder = SseDecoder::new();
    decoder.feed("data: 1\n\ndata: 2".into());
    decoder.feed("\n\n".into());
    assert_eq!(decoder.next_event(), Some(data("1")));
    assert_eq!(decoder.next_event(), Some(data("2")));
    assert_eq!(decoder.next_event(), None);
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "data", ": ", ":", "\n", "\r", "\r\n", "\n\n", "id", "event", "retry", "42", " ", "\0", "{}", "\u{feff}",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn however_it_is_cut_the_events_are_the_same(bytes in stream(), sizes in prop::collection::vec(1_usize..9, 0..40)) {
        let whole = seen_with(MAX_EVENT, &[&bytes]);
        let mut rest = bytes.as_slice();
        let mut chunks = Vec::new();
        for size in sizes {
            let (chunk, later) = rest.split_at(size.min(rest.len()));
            chunks.push(chunk);
            rest = later;
        }
        chunks.push(rest);
        prop_assert_eq!(seen_with(MAX_EVENT, &chunks), whole);
    }
}
