//! Escapes of JSON strings.

use crate::words::special_in_word;

/// Adds what a string means, up to its closing quote or to the end of the text: the rest from there on, and whether
/// all escapes were Unicode. What was not becomes U+FFFD.
pub(super) fn unescape<'a>(text: &mut String, from: &'a str) -> (&'a str, bool) {
    let mut rest = from;
    let mut valid = true;
    loop {
        rest = match *rest.as_bytes() {
            [b'\\', byte, ..] if (1..0x80).contains(&SHORT[usize::from(byte)]) => {
                text.push(char::from(SHORT[usize::from(byte)]));
                &rest[2..]
            }
            [b'\\', ..] => {
                let (meant, after) = long_escape(&rest[1..]);
                valid &= meant.is_some();
                text.push(meant.unwrap_or(char::REPLACEMENT_CHARACTER));
                after
            }
            [b'"', ..] | [] => return (rest, valid),
            _ => push_plain(text, rest),
        };
    }
}

/// Takes over what comes before the next backslash or quote, and returns the rest.
#[inline]
fn push_plain<'a>(text: &mut String, from: &'a str) -> &'a str {
    const WORD: usize = 8;
    let near = from.as_bytes().first_chunk::<WORD>();
    let near = near.and_then(|word| special_in_word(*word));
    // A control at the front, which JSON forbids and the caller notices, is passed with what follows it.
    if let Some(len @ 1..) = near
        && let Some(word) = from.get(..WORD)
    {
        // A copy of a fixed length is one instruction, and so is taking some of it back.
        let wanted = text.len() + len;
        text.push_str(word);
        text.truncate(wanted);
        return &from[len..];
    }
    let len = memchr::memchr2(b'"', b'\\', from.as_bytes()).unwrap_or(from.len());
    let (plain, rest) = from.split_at(len);
    text.push_str(plain);
    rest
}

/// What follows a backslash, when it is not one of [`SHORT`]: the character meant, and the rest.
fn long_escape(after: &str) -> (Option<char>, &str) {
    let mut chars = after.chars();
    match chars.next() {
        Some('u') => unicode_escape(chars.as_str()),
        _ => (None, chars.as_str()),
    }
}

fn unicode_escape(digits: &str) -> (Option<char>, &str) {
    let Some((first, rest)) = hex4(digits) else {
        return (None, digits);
    };
    if !(0xD800..0xDC00).contains(&first) {
        return (char::from_u32(first), rest);
    }
    // A leading surrogate counts only with a trailing one right behind it.
    let pair = rest
        .strip_prefix("\\u")
        .and_then(hex4)
        .filter(|(second, _)| (0xDC00..0xE000).contains(second));
    match pair {
        Some((second, rest)) => {
            let scalar = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (char::from_u32(scalar), rest)
        }
        None => (None, rest),
    }
}

#[inline]
fn hex4(text: &str) -> Option<(u32, &str)> {
    let [a, b, c, d] = text
        .as_bytes()
        .first_chunk::<4>()?
        .map(|digit| u32::from(HEX[usize::from(digit)]));
    // What is no digit has bits beyond the lowest four.
    let value = ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)?;
    Some((value, &text[4..]))
}

/// What escapes of one letter mean; 0 for what is none.
static SHORT: [u8; 256] = {
    let mut meant = [0; 256];
    meant[b'"' as usize] = b'"';
    meant[b'\\' as usize] = b'\\';
    meant[b'/' as usize] = b'/';
    meant[b'b' as usize] = 0x08;
    meant[b'f' as usize] = 0x0c;
    meant[b'n' as usize] = b'\n';
    meant[b'r' as usize] = b'\r';
    meant[b't' as usize] = b'\t';
    meant
};

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
