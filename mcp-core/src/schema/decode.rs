//! Arguments decoded from their text. The outermost object and the strings in it are read here, all else by serde_json.
//!
//! Nearly all bytes of large arguments are in such strings. serde_json looks for the end of one in small steps, and
//! goes over its escapes one by one; here the search is that of `memchr`, and runs between escapes are copied whole.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::de::StrRead;

use super::cursor::{Cursor, Kind, RawString, Unreadable};

/// Decodes a text as `serde_json::from_str` does.
pub(super) fn decode<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Misread> {
    T::deserialize(Root { text })
}

/// Why a text could not be decoded, and where.
#[derive(Debug)]
pub(super) struct Misread {
    why: serde_json::Error,
    /// An offset into the text inside of the value at fault, or at its end; `None` when it is the outermost.
    at: Option<usize>,
}

impl Misread {
    /// What serde_json says, of the outermost value or of one that begins at `start`.
    fn by_serde_json(why: serde_json::Error, text: &str, start: usize) -> Self {
        let at = start + offset(text, why.line(), why.column());
        Self { why, at: Some(at) }
    }

    /// The text is no JSON.
    #[cold]
    fn malformed(text: &str) -> Self {
        match serde_json::from_str::<IgnoredAny>(text) {
            Err(why) => Self::by_serde_json(why, text, 0),
            Ok(_) => de::Error::custom("the text is not as expected"),
        }
    }

    /// The message without a place.
    pub(super) fn message(&self) -> String {
        let message = self.why.to_string();
        let (line, column) = (self.why.line(), self.why.column());
        let place = format!(" at line {line} column {column}");
        match message.strip_suffix(&place) {
            Some(message) => message.to_owned(),
            None => message,
        }
    }

    pub(super) fn offset(&self) -> usize {
        self.at.unwrap_or(0)
    }
}

/// Where a line and column are, in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    before + column
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<M: fmt::Display>(message: M) -> Self {
        let why = de::Error::custom(message);
        Self { why, at: None }
    }
}

/// Methods that leave it all to serde_json.
macro_rules! by_serde_json {
    ($($method:ident($($argument:ident: $kind:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'a>>(
            self,
            $($argument: $kind,)*
            visitor: V,
        ) -> Result<V::Value, Misread> {
            self.by_serde_json(|reader| reader.$method($($argument,)* visitor))
        }
    )+};
}

/// The whole text.
struct Root<'a> {
    text: &'a str,
}

type Reader<'a> = serde_json::Deserializer<StrRead<'a>>;

impl<'a> Root<'a> {
    fn by_serde_json<T>(
        self,
        read: impl FnOnce(&mut Reader<'a>) -> serde_json::Result<T>,
    ) -> Result<T, Misread> {
        read_whole(self.text, 0, read)
    }
}

/// Has serde_json read one value, which begins at `start` of the whole text.
fn read_whole<'a, T>(
    text: &'a str,
    start: usize,
    read: impl FnOnce(&mut Reader<'a>) -> serde_json::Result<T>,
) -> Result<T, Misread> {
    let mut reader = serde_json::Deserializer::from_str(text);
    read(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|why| Misread::by_serde_json(why, text, start))
}

impl<'a> Deserializer<'a> for Root<'a> {
    type Error = Misread;

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let mut cursor = Cursor::new(self.text);
        match cursor.kind() {
            Ok(Kind::Object) => {}
            Ok(_) => {
                return Err(de::Error::invalid_type(
                    Unexpected::Other("no object"),
                    &visitor,
                ));
            }
            Err(_) => return Err(Misread::malformed(self.text)),
        }
        let more = cursor.enter(b'}');
        let mut members = Members { cursor, more };
        let value = visitor.visit_map(&mut members)?;
        if members.more || !members.cursor.at_end() {
            return Err(Misread::malformed(self.text));
        }
        Ok(value)
    }

    // Maps take keys of many types out of strings, which is not repeated here.
    by_serde_json! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(),
        deserialize_i64(), deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(),
        deserialize_u64(), deserialize_u128(), deserialize_f32(), deserialize_f64(), deserialize_char(),
        deserialize_str(), deserialize_string(), deserialize_bytes(), deserialize_byte_buf(), deserialize_option(),
        deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str), deserialize_seq(), deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize), deserialize_map(),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]), deserialize_identifier(),
        deserialize_ignored_any(),
    }
}

/// The members of the outermost object.
struct Members<'a> {
    cursor: Cursor<'a>,
    more: bool,
}

/// For steps of a cursor.
fn malformed(cursor: &Cursor<'_>) -> impl FnOnce(Unreadable) -> Misread {
    let text = cursor.whole();
    move |_| Misread::malformed(text)
}

impl<'a> MapAccess<'a> for &mut Members<'a> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misread> {
        if !self.more {
            return Ok(None);
        }
        let name = self.cursor.key().map_err(malformed(&self.cursor))?;
        seed.deserialize(Name(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Misread> {
        let cursor = &mut self.cursor;
        let kind = cursor.kind().map_err(malformed(cursor))?;
        let start = cursor.position();
        let value = seed.deserialize(Value { cursor, kind });
        if cursor.position() == start {
            cursor.skip(1).map_err(malformed(cursor))?;
        }
        let end = cursor.position();
        let value = value.map_err(|misread| Misread {
            at: misread.at.or(Some(end)),
            ..misread
        })?;
        self.more = cursor.more(b'}').map_err(malformed(cursor))?;
        Ok(value)
    }
}

/// The name of a member.
struct Name<'a>(RawString<'a>);

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.decode() {
            (Cow::Borrowed(name), _) => visitor.visit_borrowed_str(name),
            (Cow::Owned(name), true) => visitor.visit_string(name),
            (Cow::Owned(_), false) => Err(de::Error::custom(
                "a name has escapes that are no characters",
            )),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The value of a member, which the cursor is before until it has been read.
struct Value<'m, 'a> {
    cursor: &'m mut Cursor<'a>,
    kind: Kind,
}

impl<'a> Value<'_, 'a> {
    fn by_serde_json<T>(
        self,
        read: impl FnOnce(&mut Reader<'a>) -> serde_json::Result<T>,
    ) -> Result<T, Misread> {
        let start = self.cursor.position();
        self.cursor.skip(1).map_err(malformed(self.cursor))?;
        read_whole(self.cursor.since(start), start, read)
    }

    /// Reads the string that this is. What is none, and a string that serde_json would find fault with, is left.
    fn string(&mut self) -> Result<Option<Cow<'a, str>>, Misread> {
        if self.kind != Kind::String {
            return Ok(None);
        }
        let start = self.cursor.position();
        let (text, valid) = self.cursor.text().map_err(malformed(self.cursor))?;
        if !valid {
            self.cursor.back_to(start);
            return Ok(None);
        }
        Ok(Some(text))
    }
}

macro_rules! as_string {
    ($($method:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'a>>(mut self, visitor: V) -> Result<V::Value, Misread> {
            match self.string()? {
                Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
                Some(Cow::Owned(text)) => visitor.visit_string(text),
                None => self.by_serde_json(|reader| reader.$method(visitor)),
            }
        }
    )+};
}

impl<'a> Deserializer<'a> for Value<'_, 'a> {
    type Error = Misread;

    as_string! { deserialize_any, deserialize_str, deserialize_string, deserialize_char }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Misread> {
        if self.kind != Kind::Null {
            return visitor.visit_some(self);
        }
        self.cursor.literal().map_err(malformed(self.cursor))?;
        visitor.visit_none()
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.cursor.skip(1).map_err(malformed(self.cursor))?;
        visitor.visit_unit()
    }

    by_serde_json! {
        deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(),
        deserialize_u128(), deserialize_f32(), deserialize_f64(), deserialize_bytes(), deserialize_byte_buf(),
        deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str), deserialize_seq(), deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize), deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]), deserialize_identifier(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Closed<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
        owned: String,
        letter: char,
        whole: i64,
        real: f64,
        yes: bool,
        nothing: (),
        pair: (u8, String),
        list: Vec<String>,
        map: BTreeMap<u8, String>,
        maybe: Option<String>,
        inner: Option<Inner>,
        choice: Option<Choice>,
        either: Option<Either>,
        wrapped: Option<Wrapped>,
        raw: Option<Box<RawValue>>,
        any: serde_json::Value,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    struct Inner {
        owned: String,
        deeper: Option<Box<Self>>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    enum Choice {
        A,
        B(String),
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    enum Either {
        Whole(i32),
        Text(String),
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    struct Wrapped(String);

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    struct Open {
        owned: String,
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    struct Flattened {
        owned: String,
        #[serde(flatten)]
        rest: BTreeMap<String, serde_json::Value>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "compared by what `Debug` shows")]
    struct Around(Inner);

    /// What came of it, or the message; and for a mistake, where it is.
    fn both<'a, T: Deserialize<'a> + fmt::Debug>(text: &'a str) -> [Result<String, String>; 2] {
        let ours = decode::<T>(text);
        let theirs =
            serde_json::from_str::<T>(text).map_err(|why| Misread::by_serde_json(why, text, 0));
        [ours, theirs].map(|outcome| {
            outcome
                .map(|value| format!("{value:?}"))
                .map_err(|misread| super::super::refused::violation(&misread, text).to_string())
        })
    }

    #[test]
    fn strings_without_escapes_are_borrowed() {
        let text = r#"{"text": "a b", "owned": "c\td"}"#;
        let closed: Closed<'_> = decode(text).unwrap();
        assert!(matches!(closed.text, Cow::Borrowed("a b")));
        assert_eq!(closed.owned, "c\td");
    }

    #[test]
    fn an_array_is_no_struct() {
        assert!(decode::<Open>(r#"["a", {"owned": "b"}]"#).is_err());
        assert!(decode::<Open>("null").is_err());
    }

    #[test]
    fn what_is_no_json_is_refused_as_serde_json_refuses_it() {
        for text in [
            "",
            "{",
            "{}}",
            r#"{"owned""#,
            r#"{"owned":}"#,
            r#"{"owned":"a" "yes":true}"#,
            r#"{"owned":"a",}"#,
            r#"{"owned":"\ud800"}"#,
            r#"{"owned":"\x"}"#,
            r#"{"\ud800":"a"}"#,
            "{\"owned\":\"a\u{1}\"}",
            "{\"owned\":\"\\n\u{1}\"}",
            r#"{"owned":"a"#,
            r#"{"owned":"\n"#,
            r#"{"unknown":tru}"#,
            r#"{"whole":1"#,
        ] {
            assert!(serde_json::from_str::<Closed<'_>>(text).is_err(), "{text}");
            assert!(decode::<Closed<'_>>(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn objects_are_read_as_serde_json_reads_them(text in object()) {
            for [ours, theirs] in [
                both::<Closed<'_>>(&text),
                both::<Open>(&text),
                both::<Flattened>(&text),
                both::<Around>(&text),
                both::<BTreeMap<String, serde_json::Value>>(&text),
                both::<serde_json::Value>(&text),
            ] {
                // serde_json does not always say where: of errors that types make themselves it has no place.
                let closer = match (&ours, &theirs) {
                    (Err(ours), Err(theirs)) => ours.ends_with(&format!(": {theirs}")),
                    _ => false,
                };
                prop_assert!(closer || ours == theirs, "{text}: {ours:?} {theirs:?}");
            }
        }
    }

    fn object() -> impl Strategy<Value = String> {
        let name = proptest::sample::select(vec![
            "text",
            "owned",
            "letter",
            "whole",
            "real",
            "yes",
            "nothing",
            "pair",
            "list",
            "map",
            "maybe",
            "inner",
            "choice",
            "either",
            "wrapped",
            "raw",
            "any",
            "unknown",
            "ow\\u006eed",
        ]);
        let value = proptest::sample::select(vec![
            r#""plain""#,
            r#""a\n\"b\" \u00e9\ud83d\ude00""#,
            r#""é""#,
            r#""A""#,
            r#""""#,
            "1",
            "-0",
            "1.5e3",
            "300",
            "99999999999999999999",
            "true",
            "null",
            "[]",
            r#"[1, "a"]"#,
            r#"["a\n", "b"]"#,
            r#"{"1": "a"}"#,
            r#"{"B": "\t"}"#,
            r#"{"owned": "a", "deeper": {"owned": "\n"}}"#,
            r#"{"owned": "a", "deeper": {"owned": 1}}"#,
            "{}",
        ]);
        let space = proptest::sample::select(vec!["", "", " ", "\n "]);
        let member =
            (name, space.clone(), value, space).prop_map(|(name, before, value, after)| {
                format!("\"{name}\"{after}:{before}{value}{after}")
            });
        proptest::collection::vec(member, 0..4)
            .prop_map(|members| format!(" {{ {} }}\n", members.join(",")))
    }
}
