use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value kept as its text: what we pass on, we pass on byte for byte.
///
/// It always holds valid JSON on one line, since a frame is one line: line breaks between tokens are removed when a
/// value is made. Clones share the text. Equality is equality of the text.
///
/// ```
/// use mcp_core::protocol::RawJson;
///
/// let schema: RawJson = r#"{"type": "object"}"#.parse()?;
/// assert_eq!(schema.get(), r#"{"type": "object"}"#);
/// let value: serde_json::Value = schema.parse()?;
/// assert_eq!(value["type"], "object");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// The text of a value as serde writes it.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON, such as a map whose keys are no strings.
    pub fn from_value<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        serde_json::value::to_raw_value(value).map(Self::from)
    }

    /// `null`.
    #[must_use]
    pub fn null() -> Self {
        Self(Arc::from(RawValue::NULL.to_owned()))
    }

    /// `{}`.
    #[must_use]
    pub fn empty_object() -> Self {
        serde_json::Value::Object(serde_json::Map::new()).into()
    }

    /// The text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the text as a `T`, which may borrow from it.
    ///
    /// # Errors
    ///
    /// When the text does not fit `T`.
    pub fn parse<'a, T: Deserialize<'a>>(&'a self) -> serde_json::Result<T> {
        serde_json::from_str(self.get())
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.get() == "null"
    }

    /// Whether this is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.get().starts_with('{')
    }

    /// The text of a plain struct of the protocol: string keys only and no float that could be infinite, so that
    /// writing it cannot fail.
    pub(super) fn of_plain<T: Serialize>(value: &T) -> Self {
        Self::from_value(value).unwrap_or_else(|_| Self::null())
    }
}

impl From<Box<RawValue>> for RawJson {
    fn from(raw: Box<RawValue>) -> Self {
        let text = raw.get();
        if !text.contains(['\n', '\r']) {
            return Self(raw.into());
        }
        // Strings hold no raw line breaks, so these stand between tokens, where nothing depends on them.
        let mut line = text.to_owned();
        line.retain(|c| !matches!(c, '\n' | '\r'));
        Self(RawValue::from_string(line).map_or_else(|_| Self::null().0, Arc::from))
    }
}

impl From<&RawValue> for RawJson {
    fn from(raw: &RawValue) -> Self {
        raw.to_owned().into()
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> Self {
        Self::of_plain(&value)
    }
}

impl std::str::FromStr for RawJson {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str::<&RawValue>(text).map(Self::from)
    }
}

impl TryFrom<String> for RawJson {
    type Error = serde_json::Error;

    fn try_from(text: String) -> serde_json::Result<Self> {
        RawValue::from_string(text).map(Self::from)
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl Hash for RawJson {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from)
    }
}
