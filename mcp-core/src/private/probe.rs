//! Whether an argument is left out.

use std::error::Error;
use std::fmt;

use serde::Serialize;
use serde::ser::{Error as _, Impossible, Serializer};

/// Whether a value is written as the `None` of an `Option`, which is an argument left out.
pub fn is_none<T: Serialize + ?Sized>(value: &T) -> bool {
    value.serialize(NoneProbe).is_ok()
}

/// Succeeds for `None` and fails for everything else, at the first step.
struct NoneProbe;

/// It is something.
#[derive(Debug)]
struct Something;

impl fmt::Display for Something {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not `None`")
    }
}

impl Error for Something {}

impl serde::ser::Error for Something {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

macro_rules! is_something {
    ($($method:ident($($kind:ty),*)),+ $(,)?) => {$(
        fn $method(self, $(_: $kind),*) -> Result<(), Something> {
            Err(Something)
        }
    )+};
}

macro_rules! holds_something {
    ($($method:ident($($kind:ty),*) -> $compound:ty),+ $(,)?) => {$(
        fn $method(self, $(_: $kind),*) -> Result<$compound, Something> {
            Err(Something)
        }
    )+};
}

type Never = Impossible<(), Something>;

impl Serializer for NoneProbe {
    type Ok = ();
    type Error = Something;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    fn serialize_none(self) -> Result<(), Something> {
        Ok(())
    }

    is_something! {
        serialize_bool(bool), serialize_char(char), serialize_str(&str), serialize_bytes(&[u8]),
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64), serialize_i128(i128),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_u128(u128),
        serialize_f32(f32), serialize_f64(f64), serialize_unit(), serialize_unit_struct(&'static str),
        serialize_unit_variant(&'static str, u32, &'static str),
    }

    holds_something! {
        serialize_seq(Option<usize>) -> Never,
        serialize_tuple(usize) -> Never,
        serialize_tuple_struct(&'static str, usize) -> Never,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never,
        serialize_map(Option<usize>) -> Never,
        serialize_struct(&'static str, usize) -> Never,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never,
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Something> {
        Err(Something)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Something> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Something> {
        Err(Something)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), Something> {
        Err(Something::custom(""))
    }
}
