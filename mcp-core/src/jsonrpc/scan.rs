//! Walks over JSON text once, checks its syntax, and gives out slices of it. Builds nothing, recurses nowhere.

use std::borrow::Cow;

use crate::words::{NEAR, is_special, plain_nearby, special_in_word};

/// How deep a text may nest. serde_json stops at the same depth.
pub(crate) const MAX_DEPTH: u32 = 127;

/// Why a text was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxError {
    /// It is not JSON.
    Malformed,
    /// It nests deeper than [`MAX_DEPTH`].
    TooDeep,
}

type Result<T> = std::result::Result<T, SyntaxError>;

/// A place in a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that is no white space, without taking it.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Checks that nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.peek().map_or(Ok(()), |_| Err(SyntaxError::Malformed))
    }

    /// Walks over the members of the object that starts here. Stops early when `member` says so.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(Cow<'t, str>, &'t str) -> Result<()>,
    ) -> Result<()> {
        let mut walk = self.begin_object()?;
        while let Some(key) = self.key(&mut walk)? {
            let value = self.value()?;
            member(key, value)?;
        }
        Ok(())
    }

    /// Walks over the elements of the array that starts here.
    pub(crate) fn array(&mut self, mut element: impl FnMut(&'t str) -> Result<()>) -> Result<()> {
        self.array_of(|scanner| element(scanner.value()?))
    }

    /// The same, where `element` takes each element out of the text by itself.
    pub(crate) fn array_of(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            element(self)?;
            match self.take()? {
                b',' => {}
                b']' => return Ok(()),
                _ => return Err(SyntaxError::Malformed),
            }
        }
    }

    /// Steps over a text that is nothing but what comes next; false when it is not.
    pub(crate) fn skip_text(&mut self, text: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let found = rest.starts_with(text.as_bytes());
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Enters the object that starts here; [`key`](Self::key) then goes from member to member.
    pub(crate) fn begin_object(&mut self) -> Result<ObjectWalk> {
        self.expect(b'{')?;
        Ok(ObjectWalk { first: true })
    }

    /// The key of the next member, with the place moved to its value; `None` after the last.
    pub(crate) fn key(&mut self, walk: &mut ObjectWalk) -> Result<Option<Cow<'t, str>>> {
        if self.text.as_bytes().get(self.at) == Some(&b'}') {
            // A comma before the brace was refused below, where a key had to follow it.
            self.at += 1;
            return Ok(None);
        }
        match self.plain_key(walk.first) {
            Some(key) => {
                walk.first = false;
                Ok(Some(Cow::Borrowed(key)))
            }
            None => self.any_key(walk),
        }
    }

    /// The same for a key without escapes, and without white space around it, as programs write them.
    #[inline]
    fn plain_key(&mut self, first: bool) -> Option<&'t str> {
        let inner = match self.text.as_bytes().get(self.at..)? {
            [b'"', inner @ ..] if first => inner,
            [b',', b'"', inner @ ..] if !first => inner,
            _ => return None,
        };
        let len = plain_nearby(inner)?;
        let Some([b'"', b':', after @ ..]) = inner.get(len..) else {
            return None;
        };
        self.at = self.text.len() - after.len();
        let end = self.at - 2;
        self.text.get(end - len..end)
    }

    #[inline(never)]
    fn any_key(&mut self, walk: &mut ObjectWalk) -> Result<Option<Cow<'t, str>>> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !walk.first => {
                self.at += 1;
                self.peek();
            }
            Some(_) if walk.first => {}
            _ => return Err(SyntaxError::Malformed),
        }
        walk.first = false;
        let start = self.at;
        let escaped = self.skip_string()?;
        let end = self.at;
        self.expect(b':')?;
        if escaped {
            let raw = self.text.get(start..end).unwrap_or_default();
            return unescape(raw).map(Some);
        }
        let inner = self.text.get(start + 1..end - 1).unwrap_or_default();
        Ok(Some(Cow::Borrowed(inner)))
    }

    /// Takes the value that starts here, whatever it is.
    pub(crate) fn value(&mut self) -> Result<&'t str> {
        match self.plain_string() {
            Some(string) => Ok(string),
            None => self.any_value(),
        }
    }

    #[inline(never)]
    fn any_value(&mut self) -> Result<&'t str> {
        let first = self.peek();
        let start = self.at;
        match first {
            Some(b'-' | b'0'..=b'9') => self.skip_number()?,
            _ => self.skip_value()?,
        }
        self.slice(start)
    }

    /// A short string without escapes, quotes and all.
    #[inline]
    fn plain_string(&mut self) -> Option<&'t str> {
        let [b'"', inner @ ..] = self.text.as_bytes().get(self.at..)? else {
            return None;
        };
        let len = plain_nearby(inner)?;
        if inner.get(len) != Some(&b'"') {
            return None;
        }
        let start = self.at;
        self.at += len + 2;
        self.text.get(start..self.at)
    }

    /// Takes what `take` takes, as a slice.
    pub(crate) fn spanned(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<&'t str> {
        self.peek();
        let start = self.at;
        take(self)?;
        self.slice(start)
    }

    fn slice(&self, start: usize) -> Result<&'t str> {
        self.text.get(start..self.at).ok_or(SyntaxError::Malformed)
    }

    fn skip_value(&mut self) -> Result<()> {
        let mut open = Containers::default();
        loop {
            if self.skip_scalar_or_open(&mut open)? {
                continue;
            }
            // A value has ended: close what it ends, or move on to its neighbour.
            loop {
                let Some(inside) = open.innermost() else {
                    return Ok(());
                };
                match (self.take()?, inside) {
                    (b',', Container::Array) => break,
                    (b',', Container::Object) => {
                        self.skip_key()?;
                        break;
                    }
                    (b'}', Container::Object) | (b']', Container::Array) => open.pop(),
                    _ => return Err(SyntaxError::Malformed),
                }
            }
        }
    }

    /// Takes one scalar or an empty container, or enters a container; true when a value must follow.
    #[inline]
    fn skip_scalar_or_open(&mut self, open: &mut Containers) -> Result<bool> {
        match self.peek().ok_or(SyntaxError::Malformed)? {
            b'"' => {
                self.skip_string()?;
            }
            b'{' => {
                self.at += 1;
                if self.peek() == Some(b'}') {
                    self.at += 1;
                } else {
                    open.push(Container::Object)?;
                    self.skip_key()?;
                    return Ok(true);
                }
            }
            b'[' => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.at += 1;
                } else {
                    open.push(Container::Array)?;
                    return Ok(true);
                }
            }
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => self.skip_number()?,
        }
        Ok(false)
    }

    fn skip_key(&mut self) -> Result<()> {
        self.peek();
        self.skip_string()?;
        self.expect(b':')
    }

    /// True when the string has escapes.
    fn skip_string(&mut self) -> Result<bool> {
        let bytes = self.text.as_bytes();
        let Some([b'"', inner @ ..]) = bytes.get(self.at..) else {
            return Err(SyntaxError::Malformed);
        };
        let len = plain_len(inner);
        if inner.get(len) == Some(&b'"') {
            self.at += len + 2;
            return Ok(false);
        }
        self.skip_escaped(self.at + 1 + len).map(|()| true)
    }

    /// Skips the rest of a string from an escape on.
    #[cold]
    fn skip_escaped(&mut self, at: usize) -> Result<()> {
        let mut rest = self.text.as_bytes().get(at..).unwrap_or_default();
        loop {
            rest = match rest {
                [b'"', after @ ..] => {
                    self.at = self.text.len() - after.len();
                    return Ok(());
                }
                // Escapes come in rows, and what is between them is short.
                [b'\\', after @ ..] => skip_escape(after)?,
                [byte, ..] if *byte >= 0x20 => {
                    let near = rest.first_chunk().and_then(|word| special_in_word(*word));
                    let len = near.unwrap_or_else(|| plain_len(rest));
                    rest.get(len..).unwrap_or_default()
                }
                _ => return Err(SyntaxError::Malformed),
            }
        }
    }

    fn skip_number(&mut self) -> Result<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        if bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let integer = digits(bytes, at);
        let zero_first = bytes.get(at) == Some(&b'0');
        if integer == 0 || (zero_first && integer > 1) {
            return Err(SyntaxError::Malformed);
        }
        at += integer;
        if bytes.get(at) == Some(&b'.') {
            let fraction = digits(bytes, at + 1);
            if fraction == 0 {
                return Err(SyntaxError::Malformed);
            }
            at += 1 + fraction;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            if matches!(bytes.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            let exponent = digits(bytes, at);
            if exponent == 0 {
                return Err(SyntaxError::Malformed);
            }
            at += exponent;
        }
        self.at = at;
        Ok(())
    }

    fn literal(&mut self, word: &str) -> Result<()> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(SyntaxError::Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    fn take(&mut self) -> Result<u8> {
        let byte = self.peek().ok_or(SyntaxError::Malformed)?;
        self.at += 1;
        Ok(byte)
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        if self.take()? == wanted {
            Ok(())
        } else {
            Err(SyntaxError::Malformed)
        }
    }
}

/// Where [`Scanner::key`] is in its object.
#[derive(Debug)]
pub(crate) struct ObjectWalk {
    first: bool,
}

impl ObjectWalk {
    /// In an object of which a member was passed by other means.
    pub(crate) const AFTER_MEMBER: Self = Self { first: false };
}

/// The containers that are open, one bit each.
#[derive(Default)]
struct Containers {
    depth: u32,
    objects: u128,
}

#[derive(Clone, Copy)]
enum Container {
    Array,
    Object,
}

impl Containers {
    fn push(&mut self, container: Container) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(SyntaxError::TooDeep);
        }
        self.objects = self.objects << 1 | u128::from(matches!(container, Container::Object));
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) {
        self.objects >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    fn innermost(&self) -> Option<Container> {
        match (self.depth, self.objects & 1) {
            (0, _) => None,
            (_, 0) => Some(Container::Array),
            _ => Some(Container::Object),
        }
    }
}

/// How many bytes at the front of `bytes` stand in a JSON string as they are: no quote, backslash or control.
///
/// Most strings are short, so the first bytes are looked at by words. Long ones go by blocks without a branch a byte,
/// which the compiler turns into vector instructions.
#[inline]
fn plain_len(bytes: &[u8]) -> usize {
    match plain_nearby(bytes) {
        Some(len) => len,
        None => NEAR + plain_len_by_blocks(bytes.get(NEAR..).unwrap_or_default()),
    }
}

#[inline(never)]
fn plain_len_by_blocks(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks();
    let mut len = blocks.iter().take_while(|block| is_plain(block)).count() * BLOCK;
    while let Some(word) = bytes.get(len..).and_then(<[u8]>::first_chunk) {
        match special_in_word(*word) {
            None => len += 8,
            Some(at) => return len + at,
        }
    }
    len + plain_len_by_bytes(bytes.get(len..).unwrap_or_default())
}

fn plain_len_by_bytes(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|&b| is_special(b))
        .unwrap_or(bytes.len())
}

pub(super) const BLOCK: usize = 64;

/// Whether no byte is special. Bytes rather than booleans, so that the compiler keeps the comparisons in vectors.
#[inline]
pub(super) fn is_plain(block: &[u8; BLOCK]) -> bool {
    (block.iter()).fold(0, |found: u8, &b| found | u8::from(is_special(b))) == 0
}

/// Skips an escape whose backslash has been taken.
#[inline]
fn skip_escape(rest: &[u8]) -> Result<&[u8]> {
    match rest {
        [
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
            after @ ..,
        ] => Ok(after),
        [b'u', a, b, c, d, after @ ..] if [a, b, c, d].iter().all(|h| h.is_ascii_hexdigit()) => {
            Ok(after)
        }
        _ => Err(SyntaxError::Malformed),
    }
}

fn digits(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(rest.len())
}

/// The text of a JSON string, borrowed when it has no escapes.
pub(crate) fn unescape(raw: &str) -> Result<Cow<'_, str>> {
    let inner = raw
        .strip_prefix('"')
        .and_then(|raw| raw.strip_suffix('"'))
        .ok_or(SyntaxError::Malformed)?;
    // A method or a name is too short for a search by words to be worth it.
    if inner.len() < NEAR && !inner.bytes().any(|byte| byte == b'\\') {
        return Ok(Cow::Borrowed(inner));
    }
    unescape_any(raw, inner)
}

#[inline(never)]
fn unescape_any<'t>(raw: &'t str, inner: &'t str) -> Result<Cow<'t, str>> {
    if !inner.contains('\\') {
        return Ok(Cow::Borrowed(inner));
    }
    serde_json::from_str(raw)
        .map(Cow::Owned)
        .map_err(|_| SyntaxError::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn valid(text: &str) -> Result<()> {
        let mut scanner = Scanner::new(text);
        scanner.value()?;
        scanner.end()
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert_eq!(valid(&deep(127)), Ok(()));
        assert_eq!(valid(&deep(129)), Err(SyntaxError::TooDeep));
        assert_eq!(valid(&"[".repeat(1 << 20)), Err(SyntaxError::TooDeep));
        assert_eq!(valid(&"{\"a\":".repeat(1 << 20)), Err(SyntaxError::TooDeep));
    }

    #[test]
    fn numbers_follow_the_grammar() {
        for good in ["0", "-0", "10", "1.5", "1e9", "1E-9", "-1.0e+1"] {
            assert_eq!(valid(good), Ok(()), "{good}");
        }
        for bad in [
            "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "--1",
        ] {
            assert!(valid(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_with_escapes_is_the_key_it_spells() {
        let mut keys = Vec::new();
        Scanner::new(r#"{"\u0069d":1,"x":2}"#)
            .object(|key, value| {
                keys.push((key.into_owned(), value));
                Ok(())
            })
            .unwrap();
        assert_eq!(keys, [("id".to_owned(), "1"), ("x".to_owned(), "2")]);
    }

    proptest! {
        #[test]
        fn the_scanner_and_serde_json_agree_on_what_json_is(text in json_like()) {
            // serde_json's raw values check no depth, ours does, and the strategy stays shallow.
            prop_assert_eq!(
                valid(&text).is_ok(),
                serde_json::from_str::<&RawValue>(text.trim_matches([' ', '\n', '\t', '\r'])).is_ok(),
                "{}", text
            );
        }

        #[test]
        fn plain_bytes_are_found_in_any_position(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let expected = bytes.iter().position(|&b| is_special(b)).unwrap_or(bytes.len());
            prop_assert_eq!(plain_len(&bytes), expected);
        }
    }

    fn json_like() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("{".to_owned()),
            Just("}".to_owned()),
            Just("[".to_owned()),
            Just("]".to_owned()),
            Just(",".to_owned()),
            Just(":".to_owned()),
            Just("\"a\"".to_owned()),
            Just("\"\\u12\"".to_owned()),
            Just("\"\\ud800\"".to_owned()),
            Just("\"\\n\"".to_owned()),
            Just("true".to_owned()),
            Just("null".to_owned()),
            Just("1".to_owned()),
            Just("-0.5e3".to_owned()),
            Just(" ".to_owned()),
            Just("\"a\":1".to_owned()),
            Just("\u{1}".to_owned()),
            Just("\"é\u{2028}\"".to_owned()),
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }
}
