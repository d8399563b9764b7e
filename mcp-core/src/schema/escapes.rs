//! Escapes of JSON strings.

/// Adds what a string means, up to its closing quote or to the end of the text: the rest from there on, and whether
/// all escapes were Unicode. What was not becomes U+FFFD.
pub(super) fn unescape<'a>(text: &mut String, from: &'a str) -> (&'a str, bool) {
    let bytes = from.as_bytes();
    let mut at = 0;
    let mut valid = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => break,
            b'\\' => {
                let (meant, len) = escape(from, at + 1);
                valid &= meant.is_some();
                text.push(meant.unwrap_or(char::REPLACEMENT_CHARACTER));
                at += 1 + len;
            }
            _ => at += push_plain(text, from, at),
        }
    }
    (from.get(at..).unwrap_or_default(), valid)
}

/// Adds what comes before the next backslash or quote, and says how long it is.
#[inline]
fn push_plain(text: &mut String, from: &str, at: usize) -> usize {
    const WORD: usize = 8;
    let bytes = from.as_bytes().get(at..).unwrap_or_default();
    let len = match bytes.first_chunk::<WORD>() {
        Some(word) => end_in_word(*word),
        None => None,
    };
    if let Some(len) = len
        && let Some(word) = from.get(at..at + WORD)
    {
        // A copy of a fixed length is one instruction, and so is taking some of it back.
        let wanted = text.len() + len;
        text.push_str(word);
        text.truncate(wanted);
        return len;
    }
    let len = len
        .or_else(|| memchr::memchr2(b'"', b'\\', bytes))
        .unwrap_or(bytes.len());
    text.push_str(from.get(at..at + len).unwrap_or_default());
    len
}

/// The first quote or backslash of a word.
///
/// Subtraction sets the high bit of each byte that was zero; a borrow may set it wrongly, but only in bytes after the
/// first true one.
#[inline]
const fn end_in_word(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let found = (quote.wrapping_sub(ONES) & !quote) | (backslash.wrapping_sub(ONES) & !backslash);
    match found & HIGH {
        0 => None,
        hits => Some(hits.trailing_zeros() as usize / 8),
    }
}

/// What the escape means whose backslash stands before `at`, and how long it is from there; `None` for an escape that
/// names no character.
#[inline]
fn escape(from: &str, at: usize) -> (Option<char>, usize) {
    let meant = match from.as_bytes().get(at) {
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
        Some(b'u') => {
            let (meant, len) = unicode(from.as_bytes().get(at + 1..).unwrap_or_default());
            return (meant, 1 + len);
        }
        _ => {
            let skipped = from.get(at..).and_then(|rest| rest.chars().next());
            return (None, skipped.map_or(0, char::len_utf8));
        }
    };
    (Some(char::from(meant)), 1)
}

/// What follows `\u`: the character, and the length of what names it.
fn unicode(digits: &[u8]) -> (Option<char>, usize) {
    let Some(first) = hex4(digits) else {
        return (None, 0);
    };
    if !(0xD800..0xDC00).contains(&first) {
        return (char::from_u32(first), 4);
    }
    // A leading surrogate counts only with a trailing one right behind it.
    let pair = digits[4..]
        .strip_prefix(b"\\u")
        .and_then(hex4)
        .filter(|second| (0xDC00..0xE000).contains(second));
    match pair {
        Some(second) => {
            let scalar = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (char::from_u32(scalar), 10)
        }
        None => (None, 4),
    }
}

#[inline]
fn hex4(digits: &[u8]) -> Option<u32> {
    let digits = digits.first_chunk::<4>()?;
    // What is no digit has bits beyond the lowest four.
    let value = |at: usize| u32::from(HEX[usize::from(digits[at])]);
    let (a, b, c, d) = (value(0), value(1), value(2), value(3));
    ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// The values of hexadecimal digits, and 255 for all other bytes.
static HEX: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u8;
        values[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    values
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unescaped(inner: &str) -> (String, bool) {
        let mut text = String::new();
        let (rest, valid) = unescape(&mut text, inner);
        assert_eq!(rest, "");
        (text, valid)
    }

    #[test]
    fn what_no_escape_means_is_replaced_and_the_rest_is_kept() {
        for (inner, expected) in [
            (r"a\u12", "a\u{fffd}12"),
            (r"a\u12xyz", "a\u{fffd}12xyz"),
            (r"\u+123", "\u{fffd}+123"),
            (r"\éa", "\u{fffd}a"),
            (r"\", "\u{fffd}"),
            (r"\ud83d\u12", "\u{fffd}\u{fffd}12"),
            (r"\ud83d\n", "\u{fffd}\n"),
        ] {
            assert_eq!(unescaped(inner), (expected.to_owned(), false), "{inner}");
        }
    }

    #[test]
    fn the_closing_quote_is_where_it_ends() {
        let mut text = "before ".to_owned();
        let (rest, valid) = unescape(&mut text, r#"and \"in\", "after"#);
        assert_eq!(text, r#"before and "in", "#);
        assert_eq!((rest, valid), (r#""after"#, true));
    }

    proptest! {
        #[test]
        fn escapes_mean_what_serde_json_says(pieces in proptest::collection::vec(piece(), 0..40)) {
            let inner = pieces.concat();
            let (text, valid) = unescaped(&inner);
            let theirs = serde_json::from_str::<String>(&format!("\"{inner}\""));
            prop_assert_eq!(valid.then_some(text), theirs.ok(), "{}", inner);
        }

        #[test]
        fn every_string_survives_being_escaped(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(unescaped(&json[1..json.len() - 1]), (text, true));
        }
    }

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z é😀]{0,20}",
            Just("\\n".to_owned()),
            Just("\\\"".to_owned()),
            Just("\\\\".to_owned()),
            Just("\\/".to_owned()),
            Just("\\u00E9".to_owned()),
            Just("\\ud83d\\ude00".to_owned()),
            Just("\\ud83d".to_owned()),
            Just("\\ude00".to_owned()),
            Just("\\u00".to_owned()),
            Just("\\x".to_owned()),
            "\\\\[bfrt]",
        ]
    }
}
