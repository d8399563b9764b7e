//! Reading JSON text in place: tokens without a tree.

use std::borrow::Cow;

use super::escapes::unescape;
use crate::words::plain_nearby;

/// Values nested deeper than this are refused; serde_json has the same limit.
pub(super) const MAX_DEPTH: usize = 128;

/// So many bytes are set aside for a string of unknown length.
const UNESCAPED: usize = 16 << 10;

/// Why a text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Not JSON.
    Syntax,
    /// Nested deeper than [`MAX_DEPTH`].
    Depth,
}

/// What kind of value a token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// A string token: what stands between the quotes, escapes and all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawString<'a> {
    pub(super) inner: &'a str,
    pub(super) escaped: bool,
}

impl<'a> RawString<'a> {
    /// The string meant, and whether all of its escapes were Unicode: what was not is U+FFFD.
    pub(super) fn decode(self) -> (Cow<'a, str>, bool) {
        if !self.escaped {
            return (Cow::Borrowed(self.inner), true);
        }
        let mut text = String::with_capacity(self.inner.len());
        let (_, valid) = unescape(&mut text, self.inner);
        (Cow::Owned(text), valid)
    }
}

/// A place in a JSON text. Every step either reads a whole token or fails; nothing is copied.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The whole text.
    pub(super) fn whole(&self) -> &'a str {
        self.text
    }

    /// How many bytes were read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes back to an earlier position.
    pub(super) fn back_to(&mut self, position: usize) {
        self.at = position;
    }

    /// The text from an earlier position to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    fn peek_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek_byte() {
            self.at += 1;
        }
    }

    /// Steps over `byte` if it is next after white space.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_whitespace();
        let found = self.peek_byte() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Moves to the value that comes next and says what it is.
    pub(super) fn kind(&mut self) -> Result<Kind, Unreadable> {
        self.skip_whitespace();
        match self.peek_byte() {
            Some(b'n') => Ok(Kind::Null),
            Some(b't' | b'f') => Ok(Kind::Boolean),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b'"') => Ok(Kind::String),
            Some(b'[') => Ok(Kind::Array),
            Some(b'{') => Ok(Kind::Object),
            _ => Err(Unreadable::Syntax),
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip_whitespace();
        self.at == self.text.len()
    }

    /// Reads `null`, `true` or `false`.
    pub(super) fn literal(&mut self) -> Result<&'a str, Unreadable> {
        let rest = &self.text[self.at..];
        let word = ["null", "true", "false"]
            .into_iter()
            .find(|word| rest.starts_with(word))
            .ok_or(Unreadable::Syntax)?;
        self.at += word.len();
        Ok(&rest[..word.len()])
    }

    /// Reads a number, exactly as written.
    pub(super) fn number(&mut self) -> Result<&'a str, Unreadable> {
        let start = self.at;
        self.at += usize::from(self.peek_byte() == Some(b'-'));
        match self.peek_byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(Unreadable::Syntax),
        }
        if self.peek_byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek_byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek_byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(self.since(start))
    }

    fn digits(&mut self) -> Result<(), Unreadable> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek_byte() {
            self.at += 1;
        }
        if self.at == start {
            return Err(Unreadable::Syntax);
        }
        Ok(())
    }

    /// Reads a string.
    pub(super) fn string(&mut self) -> Result<RawString<'a>, Unreadable> {
        match self.plain_string() {
            Some(inner) => Ok(RawString {
                inner,
                escaped: false,
            }),
            None => self.any_string(),
        }
    }

    #[inline(never)]
    fn any_string(&mut self) -> Result<RawString<'a>, Unreadable> {
        if self.peek_byte() != Some(b'"') {
            return Err(Unreadable::Syntax);
        }
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        let mut escaped = false;
        while let Some(found) = find_quote_or_backslash(&bytes[end..]) {
            end += found;
            if bytes[end] == b'"' {
                return self.finish_string(start, end, escaped);
            }
            escaped = true;
            end = (end + 2).min(bytes.len());
        }
        Err(Unreadable::Syntax)
    }

    /// Reads a string and decodes it, in one go: the string meant, and whether it was written as JSON has it, without
    /// controls and with none but Unicode escapes.
    pub(super) fn text(&mut self) -> Result<(Cow<'a, str>, bool), Unreadable> {
        match self.plain_string() {
            Some(text) => Ok((Cow::Borrowed(text), true)),
            None => self.long_text(),
        }
    }

    /// Reads a short string, if everything in it stands for itself: names and most values are like this.
    #[inline]
    fn plain_string(&mut self) -> Option<&'a str> {
        let [b'"', inner @ ..] = self.text.as_bytes().get(self.at..)? else {
            return None;
        };
        let len = plain_nearby(inner)?;
        if inner.get(len) != Some(&b'"') {
            return None;
        }
        let start = self.at + 1;
        self.at = start + len + 1;
        self.text.get(start..start + len)
    }

    #[inline(never)]
    fn long_text(&mut self) -> Result<(Cow<'a, str>, bool), Unreadable> {
        if self.peek_byte() != Some(b'"') {
            return Err(Unreadable::Syntax);
        }
        let start = self.at + 1;
        let rest = &self.text[start..];
        let end = find_quote_or_backslash(rest.as_bytes()).ok_or(Unreadable::Syntax)?;
        let (plain, rest) = rest.split_at(end);
        let (text, valid, after) = if rest.starts_with('"') {
            (Cow::Borrowed(plain), true, rest)
        } else {
            // How much more there is, is not known yet; most texts are shorter than this.
            let mut text = String::with_capacity(end + rest.len().min(UNESCAPED));
            text.push_str(plain);
            let (after, valid) = unescape(&mut text, rest);
            if !after.starts_with('"') {
                return Err(Unreadable::Syntax);
            }
            if text.capacity() / 2 > text.len() {
                text.shrink_to_fit();
            }
            (Cow::Owned(text), valid, after)
        };
        self.at = self.text.len() - after.len() + 1;
        let lowest = self.since(start).bytes().fold(u8::MAX, u8::min);
        Ok((text, valid && lowest >= b' '))
    }

    fn finish_string(
        &mut self,
        start: usize,
        end: usize,
        escaped: bool,
    ) -> Result<RawString<'a>, Unreadable> {
        self.at = end + 1;
        // Both ends stand next to an ASCII byte, so this cannot cut a character in two; `get` says so without a panic.
        let inner = self.text.get(start..end).ok_or(Unreadable::Syntax)?;
        Ok(RawString { inner, escaped })
    }

    /// Steps into an array or object, whose first byte is next. Whether it has anything in it.
    pub(super) fn enter(&mut self, close: u8) -> bool {
        self.at += 1;
        !self.take(close)
    }

    /// After an element: `true` when another follows, `false` when the array or object has ended.
    pub(super) fn more(&mut self, close: u8) -> Result<bool, Unreadable> {
        self.skip_whitespace();
        let more = match self.peek_byte() {
            Some(b',') => true,
            Some(byte) if byte == close => false,
            _ => return Err(Unreadable::Syntax),
        };
        self.at += 1;
        Ok(more)
    }

    /// Reads the name of a member and the colon behind it.
    pub(super) fn key(&mut self) -> Result<RawString<'a>, Unreadable> {
        self.skip_whitespace();
        let name = self.string()?;
        if !self.take(b':') {
            return Err(Unreadable::Syntax);
        }
        Ok(name)
    }

    /// Steps over one value of any kind, `depth` levels deep already.
    pub(super) fn skip(&mut self, depth: usize) -> Result<(), Unreadable> {
        if depth > MAX_DEPTH {
            return Err(Unreadable::Depth);
        }
        match self.kind()? {
            Kind::Null | Kind::Boolean => self.literal().map(drop),
            Kind::Number => self.number().map(drop),
            Kind::String => self.string().map(drop),
            Kind::Array => {
                let mut more = self.enter(b']');
                while more {
                    self.skip(depth + 1)?;
                    more = self.more(b']')?;
                }
                Ok(())
            }
            Kind::Object => {
                let mut more = self.enter(b'}');
                while more {
                    self.key()?;
                    self.skip(depth + 1)?;
                    more = self.more(b'}')?;
                }
                Ok(())
            }
        }
    }
}

fn find_quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    // Runs between escapes are often shorter than a vector search takes to begin.
    match plain_nearby(bytes) {
        Some(len) if matches!(bytes.get(len), Some(b'"' | b'\\')) => Some(len),
        _ => memchr::memchr2(b'"', b'\\', bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(inner: &str) -> (String, bool) {
        let (text, valid) = RawString {
            inner,
            escaped: inner.contains('\\'),
        }
        .decode();
        (text.into_owned(), valid)
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(
            decoded(r#"a\n\"\\\/\u00e9\ud83d\ude00z"#),
            ("a\n\"\\/é😀z".to_owned(), true)
        );
    }

    #[test]
    fn lone_surrogates_are_noticed_and_replaced() {
        for inner in [r"\ud800", r"\udc00", r"\ud800\u0041", r"\ud800x"] {
            let (text, valid) = decoded(inner);
            assert!(!valid, "{inner}");
            assert!(text.starts_with('\u{fffd}'), "{inner}");
        }
        assert_eq!(decoded(r"\ud800\u0041").0, "\u{fffd}A");
    }

    #[test]
    fn every_prefix_of_a_text_is_refused_without_a_panic() {
        let text = r#"{"a":[1,-0.5e+3,"x\u00e9\\","é",true,null],"b":{}}"#;
        for (end, _) in text.char_indices() {
            let mut cursor = Cursor::new(&text[..end]);
            assert!(cursor.skip(0).is_err(), "{end}");
        }
        let mut cursor = Cursor::new(text);
        assert_eq!(cursor.skip(0), Ok(()));
        assert!(cursor.at_end());
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(MAX_DEPTH + 2);
        assert_eq!(Cursor::new(&deep).skip(0), Err(Unreadable::Depth));
    }

    #[test]
    fn numbers_follow_the_grammar_of_json() {
        for good in ["0", "-0", "10", "1.5", "1e9", "1E-9", "-1.25e+3"] {
            assert_eq!(Cursor::new(good).number(), Ok(good));
        }
        for bad in ["-", "1.", "1e", ".5", "+1"] {
            assert!(Cursor::new(bad).number().is_err(), "{bad}");
        }
    }
}
