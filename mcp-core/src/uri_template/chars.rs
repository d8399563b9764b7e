//! Characters of URIs, their escapes, and the one spelling in which URIs are compared.

use std::borrow::Cow;

/// A set of ASCII characters, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chars(u128);

impl Chars {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut bits = 0;
        let mut at = 0;
        while at < bytes.len() {
            bits |= 1 << (bytes[at] & 0x7F);
            at += 1;
        }
        Self(bits)
    }

    pub(super) fn from_byte(byte: u8) -> Self {
        Self(if byte.is_ascii() { 1 << byte } else { 0 })
    }

    pub(super) const fn has(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 & (1 << (byte & 0x7F)) != 0
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What never needs an escape (RFC 3986, 2.3).
pub(super) const UNRESERVED: Chars =
    Chars::of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~");
/// What may delimit the parts of a URI (RFC 3986, 2.2).
pub(super) const RESERVED: Chars = Chars::of(":/?#[]@!$&'()*+,;=");
pub(super) const ANY: Chars = UNRESERVED.and(RESERVED);
/// What one segment of a path may hold without an escape (RFC 3986, 3.3).
pub(super) const SEGMENT: Chars = UNRESERVED.and(Chars::of("!$&'()*+,;=:@"));
/// What a query may hold without an escape (RFC 3986, 3.4).
pub(super) const QUERY: Chars = SEGMENT.and(Chars::of("/?"));

/// The length of `%` and two digits.
const ESCAPE: usize = 3;

/// Writes `text` with an escape for whatever is not in `plain`.
pub(super) fn encode(text: &str, plain: Chars, out: &mut String) {
    for byte in text.bytes() {
        if plain.has(byte) {
            out.push(char::from(byte));
        } else {
            push_escape(byte, out);
        }
    }
}

/// Like [`encode`], but leaves the escapes that `text` holds as they are.
pub(super) fn encode_around_escapes(text: &str, plain: Chars, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        encode(&rest[..at], plain, out);
        let (kept, after) = match escaped(&rest.as_bytes()[at..]) {
            Some(_) => rest[at..].split_at(ESCAPE),
            None => ("%25", &rest[at + 1..]),
        };
        out.push_str(kept);
        rest = after;
    }
    encode(rest, plain, out);
}

/// The text that `text` stands for: its escapes decoded, once. `None` if it is not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let (byte, length) = escaped(rest).map_or((first, 1), |byte| (byte, ESCAPE));
        decoded.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8(decoded).ok()
}

/// Writes a segment of a path, with an escape for whatever may not stand in one.
#[cfg(feature = "fs")]
pub(crate) fn encode_segment(segment: &str, out: &mut String) {
    encode(segment, SEGMENT, out);
}

/// Whether `text` holds a `%` with two hexadecimal digits.
pub(crate) fn has_escape(text: &str) -> bool {
    text.match_indices('%')
        .any(|(at, _)| escaped(&text.as_bytes()[at..]).is_some())
}

/// The one spelling of `uri` that stands for all that mean the same (RFC 3986, 6.2.2): digits of escapes in upper case,
/// no escapes of unreserved characters, escapes for what is not ASCII. It is ASCII, and every `%` in it begins an escape.
///
/// `None` if `uri` holds a malformed escape or a character that no URI holds: a space, a control, one of `"<>\^`{|}`.
pub(crate) fn normalise(uri: &str) -> Option<Cow<'_, str>> {
    if uri.bytes().all(|byte| ANY.has(byte)) {
        return Some(Cow::Borrowed(uri));
    }
    let bytes = uri.as_bytes();
    let mut normal = String::with_capacity(bytes.len() + 16);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if ANY.has(byte) {
            normal.push(char::from(byte));
        } else if byte == b'%' {
            let meant = escaped(&bytes[at - 1..])?;
            at += ESCAPE - 1;
            if UNRESERVED.has(meant) {
                normal.push(char::from(meant));
            } else {
                push_escape(meant, &mut normal);
            }
        } else if byte.is_ascii() {
            return None;
        } else {
            push_escape(byte, &mut normal);
        }
    }
    Some(Cow::Owned(normal))
}

/// What URIs are compared by: the [normal](normalise) form, with scheme and host in lower case. What is no URI is
/// compared as it is.
pub(crate) fn compared(uri: &str) -> Cow<'_, str> {
    match normalise(uri) {
        Some(Cow::Borrowed(normal)) => fold(normal),
        Some(Cow::Owned(normal)) => Cow::Owned(fold(&normal).into_owned()),
        None => Cow::Borrowed(uri),
    }
}

/// A normalised URI, or the beginning of one, with scheme and host in lower case (RFC 3986, 6.2.2.1).
pub(super) fn fold(normal: &str) -> Cow<'_, str> {
    let Authority { start, end } = authority(normal);
    let host = normal[start..end]
        .rfind('@')
        .map_or(start, |at| start + at + 1);
    let lower = lowered(&normal[..start]) + &normal[start..host] + &lowered(&normal[host..end]);
    if normal.starts_with(&lower) {
        return Cow::Borrowed(normal);
    }
    Cow::Owned(lower + &normal[end..])
}

/// Where the authority of a URI stands, or where it would, which is at the end of its scheme.
pub(super) struct Authority {
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) fn authority(uri: &str) -> Authority {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let scheme = (uri.find(':')).filter(|at| {
        uri.starts_with(|c: char| c.is_ascii_alphabetic()) && uri[..*at].bytes().all(allowed)
    });
    let start = scheme.map_or(0, |at| at + 1);
    let Some(rest) = uri[start..].strip_prefix("//").filter(|_| start > 0) else {
        return Authority { start, end: start };
    };
    let length = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let start = start + 2;
    Authority {
        start,
        end: start + length,
    }
}

/// Puts all but escapes into lower case.
pub(super) fn lowered(text: &str) -> String {
    let mut lower = text.to_ascii_lowercase();
    for (at, _) in text.match_indices('%') {
        let end = text.len().min(at + ESCAPE);
        lower.replace_range(at..end, &text[at..end]);
    }
    lower
}

/// The byte that the escape at the beginning of `text` stands for.
pub(super) fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *text else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// How many bytes the character or escape at `at` takes, if it may stand in a value of `class`. `text` is normalised.
pub(super) fn unit(text: &[u8], at: usize, class: Chars) -> Option<usize> {
    match *text.get(at)? {
        b'%' => Some(ESCAPE),
        byte => class.has(byte).then_some(1),
    }
}

/// Where the character or escape that ends at `end` begins. `text` is normalised.
pub(super) fn unit_before(text: &[u8], end: usize) -> usize {
    match end.checked_sub(ESCAPE) {
        Some(start) if text[start] == b'%' => start,
        _ => end - 1,
    }
}

fn push_escape(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 0xF)]));
}
