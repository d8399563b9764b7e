use std::fmt;
use std::sync::Arc;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a request: an integer or a string, echoed exactly as it came.
///
/// `1` and `"1"` are different ids. Integers reach from [`i64::MIN`] to [`u64::MAX`] and never pass through a
/// floating-point number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Repr);

/// `Unsigned` holds only what `Integer` cannot, so that equal ids are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    Integer(i64),
    Unsigned(u64),
    Text(Arc<str>),
}

impl RequestId {
    /// The integer, when the id is one that fits an `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Integer(n) => Some(n),
            Repr::Unsigned(_) | Repr::Text(_) => None,
        }
    }

    /// The string, when the id is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Text(text) => Some(text),
            Repr::Integer(_) | Repr::Unsigned(_) => None,
        }
    }

    /// The number of a request of ours, which some servers give back as text.
    pub(crate) fn as_number(&self) -> Option<u64> {
        match &self.0 {
            Repr::Integer(n) => u64::try_from(*n).ok(),
            Repr::Unsigned(_) => None,
            Repr::Text(text) => text.parse().ok().filter(|n: &u64| *n.to_string() == **text),
        }
    }

    /// Reads an id from the JSON text of its value; `None` for what MCP forbids: null, fractions, exponents,
    /// integers beyond 64 bits, booleans, arrays and objects.
    pub(crate) fn from_json(json: &str) -> Option<Self> {
        match json.as_bytes().first()? {
            b'"' => serde_json::from_str::<String>(json).ok().map(Self::from),
            b'-' | b'0'..=b'9' => json
                .parse::<i64>()
                .map(Self::from)
                .or_else(|_| json.parse::<u64>().map(Self::from))
                .ok(),
            _ => None,
        }
    }
}

impl From<i64> for RequestId {
    fn from(n: i64) -> Self {
        Self(Repr::Integer(n))
    }
}

impl From<u64> for RequestId {
    fn from(n: u64) -> Self {
        Self(i64::try_from(n).map_or(Repr::Unsigned(n), Repr::Integer))
    }
}

impl From<String> for RequestId {
    fn from(text: String) -> Self {
        Self(Repr::Text(text.into()))
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self(Repr::Text(text.into()))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Integer(n) => n.fmt(f),
            Repr::Unsigned(n) => n.fmt(f),
            Repr::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Integer(n) => serializer.serialize_i64(*n),
            Repr::Unsigned(n) => serializer.serialize_u64(*n),
            Repr::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = RequestId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a string")
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<RequestId, E> {
                Ok(n.into())
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<RequestId, E> {
                Ok(n.into())
            }

            fn visit_f64<E: de::Error>(self, n: f64) -> Result<RequestId, E> {
                Err(E::invalid_type(Unexpected::Float(n), &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RequestId, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}
