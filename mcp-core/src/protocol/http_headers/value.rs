use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const BEGIN: &str = "=?base64?";
const END: &str = "?=";

/// Writes a text as the value of an `Mcp-Name` or `Mcp-Param-*` header: as it is where that is safe, else its UTF-8 in
/// Base64 between markers.
///
/// ```
/// use mcp_core::protocol::http_headers::encode_value;
///
/// assert_eq!(encode_value("us west"), "us west");
/// assert_eq!(encode_value("größe"), "=?base64?Z3LDtsOfZQ==?=");
/// ```
#[must_use]
pub fn encode_value(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    let mut value = BEGIN.to_owned();
    STANDARD.encode_string(text, &mut value);
    value.push_str(END);
    value.into()
}

/// Whether a header carries the text unchanged, and nobody reads anything else into it.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
        && bytes.first() != Some(&b' ')
        && bytes.last() != Some(&b' ')
        && !(text.starts_with(BEGIN) && text.ends_with(END))
}

/// Reads the value of an `Mcp-Name` or `Mcp-Param-*` header.
///
/// White space around it does not count. Only the exact markers make it Base64; with one of them, or in other letters,
/// it is taken as it is.
///
/// # Errors
///
/// When it holds characters that a header can't, or what is between the markers is not Base64 of UTF-8, with its padding.
/// A server refuses such a request with [`ErrorCode::HEADER_MISMATCH`](crate::ErrorCode::HEADER_MISMATCH).
///
/// ```
/// use mcp_core::protocol::http_headers::{InvalidHeaderValue, decode_value};
///
/// assert_eq!(decode_value(b" us west ")?, "us west");
/// assert_eq!(decode_value(b"=?base64?Z3LDtsOfZQ==?=")?, "größe");
/// assert_eq!(decode_value(b"=?base64?Z3LDtsOfZQ?="), Err(InvalidHeaderValue::Base64));
/// # Ok::<(), InvalidHeaderValue>(())
/// ```
pub fn decode_value(value: &[u8]) -> Result<Cow<'_, str>, InvalidHeaderValue> {
    let value = trim(value);
    // A tab may stand inside of a header; we write none.
    let is_allowed = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
    if !value.iter().all(is_allowed) {
        return Err(InvalidHeaderValue::Characters);
    }
    let text = std::str::from_utf8(value).map_err(|_| InvalidHeaderValue::Characters)?;
    let wrapped = text
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.strip_suffix(END));
    let Some(wrapped) = wrapped else {
        return Ok(text.into());
    };
    let bytes = STANDARD
        .decode(wrapped)
        .map_err(|_| InvalidHeaderValue::Base64)?;
    let text = String::from_utf8(bytes).map_err(|_| InvalidHeaderValue::Utf8)?;
    Ok(text.into())
}

fn trim(value: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b' ' | b'\t');
    let start = value.iter().position(is_text).unwrap_or(value.len());
    let end = value.iter().rposition(is_text).map_or(start, |at| at + 1);
    value.get(start..end).unwrap_or_default()
}

/// Why the value of a header can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidHeaderValue {
    /// It holds characters other than printable ASCII.
    Characters,
    /// It is marked as Base64, and is not.
    Base64,
    /// It is Base64 of what is not UTF-8.
    Utf8,
}

impl fmt::Display for InvalidHeaderValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Characters => "it holds characters other than printable ASCII",
            Self::Base64 => "it is marked as Base64, and is not",
            Self::Utf8 => "it is Base64 of what is not UTF-8",
        })
    }
}

impl std::error::Error for InvalidHeaderValue {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn printable_ascii_travels_as_it_is() {
        for text in [
            "",
            "us-west1",
            "us west 1",
            "a=b;c,\"d\"~",
            "=?base64?x",
            "x?=",
            "=?BASE64?eA==?=",
        ] {
            assert_eq!(encode_value(text), text);
            assert_eq!(decode_value(text.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn everything_else_travels_as_base64() {
        for (text, value) in [
            (" a", "=?base64?IGE=?="),
            ("a ", "=?base64?YSA=?="),
            (" ", "=?base64?IA==?="),
            ("\ta", "=?base64?CWE=?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("a\u{7f}", "=?base64?YX8=?="),
            ("日本語", "=?base64?5pel5pys6Kqe?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
            ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
        ] {
            assert_eq!(encode_value(text), value);
            assert_eq!(decode_value(value.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn white_space_around_a_value_does_not_count() {
        for value in [" a b\t", "\t a b", "a b"] {
            assert_eq!(decode_value(value.as_bytes()).unwrap(), "a b");
        }
        assert_eq!(decode_value(b" \t ").unwrap(), "");
        assert_eq!(decode_value(b" =?base64?IGE=?= ").unwrap(), " a");
    }

    #[test]
    fn only_both_exact_markers_make_it_base64() {
        for text in [
            "=?Base64?YQ==?=",
            "=?base64?YQ==",
            "base64?YQ==?=",
            "=?base64?=",
            "YQ==",
        ] {
            assert_eq!(decode_value(text.as_bytes()).unwrap(), text);
        }
        assert_eq!(decode_value(b"=?base64??=").unwrap(), "");
    }

    #[test]
    fn base64_is_read_strictly() {
        for value in [
            "=?base64?YQ?=",
            "=?base64?YQ=?=",
            "=?base64?Y!==?=",
            "=?base64?YQ== ?=",
            "=?base64?YR==?=",
            "=?base64?_-8=?=",
        ] {
            assert_eq!(
                decode_value(value.as_bytes()),
                Err(InvalidHeaderValue::Base64),
                "{value}"
            );
        }
        assert_eq!(
            decode_value(b"=?base64?/w==?="),
            Err(InvalidHeaderValue::Utf8)
        );
    }

    #[test]
    fn characters_that_no_header_holds_are_refused() {
        for value in [
            &b"a\xffb"[..],
            "größe".as_bytes(),
            b"a\0",
            b"a\r\nb",
            b"a\x7f",
        ] {
            assert_eq!(decode_value(value), Err(InvalidHeaderValue::Characters));
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_was(text in any::<String>()) {
            let value = encode_value(&text);
            prop_assert!(value.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            prop_assert_eq!(decode_value(value.as_bytes()).unwrap(), text.as_str());
        }

        #[test]
        fn whatever_comes_is_read_or_refused(value in any::<Vec<u8>>()) {
            let _: Result<_, _> = decode_value(&value);
        }
    }
}
