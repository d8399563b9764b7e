//! The names that a type reads, aliases and all, found out without reading anything.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The names of the fields of a struct that derives `Deserialize`, with their aliases; `None` for types that read
/// any name (maps, structs with flattened fields) or choose by what they read (enums).
pub(super) fn names_of<'de, T: Deserialize<'de>>() -> Option<&'static [&'static str]> {
    match T::deserialize(Probe) {
        Err(Answer::Names(names)) => Some(names),
        Err(Answer::AnyName | Answer::Unknown) | Ok(_) => None,
    }
}

/// Whether a type reads any name: a map, or a struct with flattened fields.
pub(super) fn reads_any_name<'de, T: Deserialize<'de>>() -> bool {
    matches!(T::deserialize(Probe), Err(Answer::AnyName))
}

/// A deserializer that only listens to what it is asked for. A struct asks with the names of its fields.
struct Probe;

/// What was heard, as the error that ends the question.
#[derive(Debug)]
enum Answer {
    Names(&'static [&'static str]),
    AnyName,
    Unknown,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("asked only for the names of fields")
    }
}

impl std::error::Error for Answer {}

impl de::Error for Answer {
    fn custom<M: std::fmt::Display>(_: M) -> Self {
        Self::Unknown
    }
}

impl<'de> Deserializer<'de> for Probe {
    type Error = Answer;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Answer> {
        Err(Answer::Unknown)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Answer> {
        Err(Answer::Names(fields))
    }

    fn deserialize_map<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Answer> {
        Err(Answer::AnyName)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Answer> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Plain {
        #[serde(alias = "user")]
        user_name: String,
        #[serde(rename = "max-age")]
        max_age: u32,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Wrapped(Plain);

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Flattened {
        a: u32,
        #[serde(flatten)]
        rest: HashMap<String, u32>,
    }

    #[test]
    fn names_come_with_aliases_and_renames() {
        let names = names_of::<Plain>().unwrap();
        for name in ["user", "user_name", "max-age"] {
            assert!(names.contains(&name), "{name}");
        }
        assert_eq!(names_of::<Wrapped>().map(<[_]>::len), Some(3));
    }

    #[test]
    fn types_that_read_any_name_have_no_list() {
        assert!(names_of::<Flattened>().is_none());
        assert!(names_of::<HashMap<String, u32>>().is_none());
        assert!(reads_any_name::<Flattened>() && !reads_any_name::<Plain>());
    }
}
