use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Number;

use super::RawJson;
use super::wire::{open_enum, wire};

wire! {
    /// The fields of a form that a person fills in: an object of plain values.
    ///
    /// ```
    /// use mcp_core::protocol::{ElicitFormParams, FormSchema, PrimitiveSchema, RawJson};
    ///
    /// let form = FormSchema::default()
    ///     .with_field("sure", PrimitiveSchema::boolean())
    ///     .with_required(["sure".to_owned()]);
    /// let ask = ElicitFormParams::new("Delete it?", RawJson::from_value(&form)?);
    /// assert_eq!(ask.form()?, form);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[derive(Default)]
    pub struct FormSchema {
        /// Says that this is an object.
        #[serde(rename = "type", default)]
        pub kind: ObjectKind,
        /// The fields, in the order to show them.
        pub properties: Fields,
    }
    lenient {
        /// The dialect of JSON Schema (2025-11-25).
        #[serde(rename = "$schema")]
        pub schema: String, with_schema;
        /// The fields that must be filled in.
        pub required: Vec<String>, with_required;
    }
}

impl FormSchema {
    /// The same with one more field.
    #[must_use]
    pub fn with_field(
        mut self,
        name: impl Into<String>,
        field: impl Into<PrimitiveSchema>,
    ) -> Self {
        self.properties.0.push((name.into(), field.into()));
        self
    }
}

/// `"object"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "it stands for one string")]
pub enum ObjectKind {
    /// The one value.
    #[default]
    Object,
}

/// The fields of a form, in order.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Fields(
    /// Each with its name.
    pub Vec<(String, PrimitiveSchema)>,
);

impl Fields {
    /// The field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&PrimitiveSchema> {
        self.0
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, schema)| schema)
    }
}

impl From<Vec<(String, PrimitiveSchema)>> for Fields {
    fn from(fields: Vec<(String, PrimitiveSchema)>) -> Self {
        Self(fields)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, field) in &self.0 {
            map.serialize_entry(name, field)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of schemas")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PrimitiveSchema {
    /// Text.
    String(StringSchema),
    /// A number.
    Number(NumberSchema),
    /// Yes or no.
    Boolean(BooleanSchema),
    /// One of some strings.
    Choice(ChoiceSchema),
    /// One of some strings that have titles (2025-11-25).
    TitledChoice(TitledChoiceSchema),
    /// Some of some strings (2025-11-25).
    Choices(ChoicesSchema),
    /// Some of some strings that have titles (2025-11-25).
    TitledChoices(TitledChoicesSchema),
    /// A schema that this version of the SDK does not know, as it came.
    Other(RawJson),
}

impl PrimitiveSchema {
    /// Text.
    #[must_use]
    pub fn string() -> StringSchema {
        StringSchema::new(StringKind::String)
    }

    /// A number, with a fraction or without.
    #[must_use]
    pub fn number() -> NumberSchema {
        NumberSchema::new(NumberKind::Number)
    }

    /// A whole number.
    #[must_use]
    pub fn integer() -> NumberSchema {
        NumberSchema::new(NumberKind::Integer)
    }

    /// Yes or no.
    #[must_use]
    pub fn boolean() -> BooleanSchema {
        BooleanSchema::new(BooleanKind::Boolean)
    }

    /// One of some strings.
    #[must_use]
    pub fn choice<V: Into<String>>(values: impl IntoIterator<Item = V>) -> ChoiceSchema {
        let values = values.into_iter().map(Into::into).collect::<Vec<String>>();
        ChoiceSchema::new(StringKind::String, values)
    }

    /// One of some strings that have titles.
    #[must_use]
    pub fn titled_choice(options: impl Into<Vec<TitledOption>>) -> TitledChoiceSchema {
        TitledChoiceSchema::new(StringKind::String, options)
    }

    /// Some of some strings.
    #[must_use]
    pub fn choices<V: Into<String>>(values: impl IntoIterator<Item = V>) -> ChoicesSchema {
        let values = values.into_iter().map(Into::into).collect::<Vec<String>>();
        ChoicesSchema::new(
            ArrayKind::Array,
            ChoiceItems::new(StringKind::String, values),
        )
    }

    /// Some of some strings that have titles.
    #[must_use]
    pub fn titled_choices(options: impl Into<Vec<TitledOption>>) -> TitledChoicesSchema {
        TitledChoicesSchema::new(ArrayKind::Array, TitledItems::new(options))
    }
}

impl<'de> Deserialize<'de> for PrimitiveSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let shape = raw.parse::<Shape>().map_err(de::Error::custom)?;
        shape.read(raw).map_err(de::Error::custom)
    }
}

/// What tells the schemas apart: `type`, and which members there are.
#[derive(Deserialize)]
struct Shape {
    #[serde(rename = "type", default)]
    kind: Option<RawJson>,
    #[serde(rename = "enum")]
    values: Option<RawJson>,
    #[serde(rename = "oneOf")]
    options: Option<RawJson>,
    items: Option<RawJson>,
}

impl Shape {
    fn read(&self, raw: RawJson) -> serde_json::Result<PrimitiveSchema> {
        let kind = self.kind.as_ref().map_or("", RawJson::get);
        match kind {
            r#""string""# if self.values.is_some() => raw.parse().map(PrimitiveSchema::Choice),
            r#""string""# if self.options.is_some() => {
                raw.parse().map(PrimitiveSchema::TitledChoice)
            }
            r#""string""# => raw.parse().map(PrimitiveSchema::String),
            r#""number""# | r#""integer""# => raw.parse().map(PrimitiveSchema::Number),
            r#""boolean""# => raw.parse().map(PrimitiveSchema::Boolean),
            r#""array""# => self.read_array(raw),
            _ => Ok(PrimitiveSchema::Other(raw)),
        }
    }

    fn read_array(&self, raw: RawJson) -> serde_json::Result<PrimitiveSchema> {
        #[derive(Deserialize)]
        struct Items {
            #[serde(rename = "enum")]
            values: Option<RawJson>,
            #[serde(rename = "anyOf")]
            options: Option<RawJson>,
        }
        match self
            .items
            .as_ref()
            .and_then(|items| items.parse::<Items>().ok())
        {
            Some(Items {
                values: Some(_), ..
            }) => raw.parse().map(PrimitiveSchema::Choices),
            Some(Items {
                options: Some(_), ..
            }) => raw.parse().map(PrimitiveSchema::TitledChoices),
            Some(Items { .. }) | None => Ok(PrimitiveSchema::Other(raw)),
        }
    }
}

/// The `type` of a schema that can have one only.
macro_rules! kind {
    ($(#[$attr:meta])* $name:ident $variant:ident) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        #[expect(clippy::exhaustive_enums, reason = "it stands for one string")]
        pub enum $name {
            /// The one value.
            #[default]
            $variant,
        }
    };
}

kind!(/** `"string"`. */ StringKind String);
kind!(/** `"boolean"`. */ BooleanKind Boolean);
kind!(/** `"array"`. */ ArrayKind Array);

open_enum! {
    /// Which numbers a field takes.
    pub enum NumberKind {
        /// Any.
        Number = "number",
        /// Whole ones.
        Integer = "integer",
    }
}

open_enum! {
    /// What a text must look like.
    pub enum StringFormat {
        /// A mail address.
        Email = "email",
        /// A URI.
        Uri = "uri",
        /// A day.
        Date = "date",
        /// A day and a time.
        DateTime = "date-time",
    }
}

wire! {
    /// A field that takes text.
    pub struct StringSchema {
        /// Says so.
        #[serde(rename = "type")]
        pub kind: StringKind,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// The fewest characters.
        pub min_length: u64, with_min_length exact;
        /// The most characters.
        pub max_length: u64, with_max_length exact;
        /// What it must look like.
        pub format: StringFormat, with_format;
        /// What it begins with (2025-11-25).
        pub default: String, with_default;
    }
}

wire! {
    /// A field that takes a number.
    pub struct NumberSchema {
        /// Says so, and which.
        #[serde(rename = "type")]
        pub kind: NumberKind,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// The least.
        pub minimum: Number, with_minimum;
        /// The most.
        pub maximum: Number, with_maximum;
        /// What it begins with (2025-11-25).
        pub default: Number, with_default;
    }
}

wire! {
    /// A field that takes yes or no.
    pub struct BooleanSchema {
        /// Says so.
        #[serde(rename = "type")]
        pub kind: BooleanKind,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// What it begins with.
        pub default: bool, with_default;
    }
}

wire! {
    /// A field that takes one of some strings.
    pub struct ChoiceSchema {
        /// Says that the value is a string.
        #[serde(rename = "type")]
        pub kind: StringKind,
        /// The strings.
        #[serde(rename = "enum")]
        pub values: Vec<String>,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// A title for each string: the only way in 2025-06-18, later [`TitledChoiceSchema`] replaces it.
        #[serde(rename = "enumNames")]
        pub names: Vec<String>, with_names;
        /// What it begins with (2025-11-25).
        pub default: String, with_default;
    }
}

wire! {
    /// A field that takes one of some strings that have titles.
    pub struct TitledChoiceSchema {
        /// Says that the value is a string.
        #[serde(rename = "type")]
        pub kind: StringKind,
        /// The strings.
        #[serde(rename = "oneOf")]
        pub options: Vec<TitledOption>,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// What it begins with.
        pub default: String, with_default;
    }
}

wire! {
    /// A string with a title.
    pub struct TitledOption {
        /// The string.
        #[serde(rename = "const")]
        pub value: String,
        /// Its title.
        pub title: String,
    }
}

wire! {
    /// A field that takes some of some strings.
    pub struct ChoicesSchema {
        /// Says that the value is an array.
        #[serde(rename = "type")]
        pub kind: ArrayKind,
        /// The strings.
        pub items: ChoiceItems,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// The fewest to choose.
        pub min_items: u64, with_min_items exact;
        /// The most to choose.
        pub max_items: u64, with_max_items exact;
        /// What it begins with.
        pub default: Vec<String>, with_default;
    }
}

wire! {
    /// The strings to choose from.
    pub struct ChoiceItems {
        /// Says that each is a string.
        #[serde(rename = "type", default)]
        pub kind: StringKind,
        /// The strings.
        #[serde(rename = "enum")]
        pub values: Vec<String>,
    }
}

wire! {
    /// A field that takes some of some strings that have titles.
    pub struct TitledChoicesSchema {
        /// Says that the value is an array.
        #[serde(rename = "type")]
        pub kind: ArrayKind,
        /// The strings.
        pub items: TitledItems,
    }
    lenient {
        /// The label.
        pub title: String, with_title;
        /// What it is.
        pub description: String, with_description;
        /// The fewest to choose.
        pub min_items: u64, with_min_items exact;
        /// The most to choose.
        pub max_items: u64, with_max_items exact;
        /// What it begins with.
        pub default: Vec<String>, with_default;
    }
}

wire! {
    /// The strings with titles to choose from.
    pub struct TitledItems {
        /// The strings.
        #[serde(rename = "anyOf")]
        pub options: Vec<TitledOption>,
    }
}

/// Each schema is a field.
macro_rules! into_primitive {
    ($($schema:ident => $variant:ident,)*) => {$(
        impl From<$schema> for PrimitiveSchema {
            fn from(schema: $schema) -> Self {
                Self::$variant(schema)
            }
        }
    )*};
}

into_primitive! {
    StringSchema => String,
    NumberSchema => Number,
    BooleanSchema => Boolean,
    ChoiceSchema => Choice,
    TitledChoiceSchema => TitledChoice,
    ChoicesSchema => Choices,
    TitledChoicesSchema => TitledChoices,
}
