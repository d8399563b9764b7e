//! How members go over the wire: which are left out, which may be malformed without harm.
//!
//! `RawValue` gets lost inside serde's `flatten`, `untagged` and internally tagged buffers, so the unions of this
//! module are read by hand: the raw text first, then what it says it is.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::RawJson;

/// A struct of the protocol as a value, by way of its text: so every struct is written by one serialiser, the one for text,
/// and the program has no second copy of all that code for a thing that is rare.
pub(crate) fn as_value<T: Serialize>(plain: &T) -> Value {
    serde_json::to_string(plain)
        .and_then(|text| serde_json::from_str(&text))
        .unwrap_or_default()
}

/// Declares a struct of the protocol with its constructor and builders.
///
/// Members in the body and under `exact` are required and become arguments of `new`, which takes `impl Into` of the
/// type of the former. The other sections hold optional members, each with the name of its builder: `lenient` ones
/// read as absent when malformed, `strict` ones fail the message (a call must not run without the arguments it was
/// sent with), `present` ones tell null from absent. A builder takes `impl Into` of its type, or exactly its type
/// when marked so, which lets integer literals infer.
macro_rules! wire {
    (@builder $set:ident $field:ident [$ty:ty]) => {
        #[doc = concat!("The same with `", stringify!($field), "` set.")]
        #[must_use]
        pub fn $set(mut self, $field: impl Into<$ty>) -> Self {
            self.$field = Some($field.into());
            self
        }
    };
    (@builder $set:ident $field:ident [$ty:ty] exact) => {
        #[doc = concat!("The same with `", stringify!($field), "` set.")]
        #[must_use]
        pub fn $set(mut self, $field: $ty) -> Self {
            self.$field = Some($field);
            self
        }
    };
    (
        $(#[$attr:meta])*
        pub struct $name:ident {
            $($(#[$r_attr:meta])* pub $r:ident: $r_ty:ty,)*
        }
        $(exact {
            $($(#[$e_attr:meta])* pub $e:ident: $e_ty:ty,)*
        })?
        $(strict {
            $($(#[$s_attr:meta])* pub $s:ident: $s_ty:ty, $s_set:ident $($s_how:ident)?;)*
        })?
        $(lenient {
            $($(#[$l_attr:meta])* pub $l:ident: $l_ty:ty, $l_set:ident $($l_how:ident)?;)*
        })?
        $(present {
            $($(#[$p_attr:meta])* pub $p:ident: $p_ty:ty, $p_set:ident $($p_how:ident)?;)*
        })?
        $(_meta as $meta:ident)?
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$r_attr])* pub $r: $r_ty,)*
            $($($(#[$e_attr])* pub $e: $e_ty,)*)?
            $($(
                $(#[$s_attr])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $s: Option<$s_ty>,
            )*)?
            $($(
                $(#[$l_attr])*
                #[serde(
                    default,
                    deserialize_with = "crate::protocol::wire::lenient",
                    skip_serializing_if = "Option::is_none"
                )]
                pub $l: Option<$l_ty>,
            )*)?
            $($(
                $(#[$p_attr])*
                #[serde(
                    default,
                    deserialize_with = "crate::protocol::wire::present",
                    skip_serializing_if = "Option::is_none"
                )]
                pub $p: Option<$p_ty>,
            )*)?
            $(
                /// Metadata; left out when empty.
                #[serde(
                    default,
                    rename = "_meta",
                    deserialize_with = "crate::protocol::wire::lenient_meta",
                    skip_serializing_if = "crate::protocol::Meta::is_empty"
                )]
                pub $meta: crate::protocol::Meta,
            )?
        }

        impl $name {
            /// One with what is required, and nothing else.
            #[must_use]
            pub fn new($($r: impl Into<$r_ty>,)* $($($e: $e_ty,)*)?) -> Self {
                Self {
                    $($r: $r.into(),)*
                    $($($e,)*)?
                    $($($s: None,)*)?
                    $($($l: None,)*)?
                    $($($p: None,)*)?
                    $($meta: crate::protocol::Meta::default(),)?
                }
            }

            $($(wire!(@builder $s_set $s [$s_ty] $($s_how)?);)*)?
            $($(wire!(@builder $l_set $l [$l_ty] $($l_how)?);)*)?
            $($(wire!(@builder $p_set $p [$p_ty] $($p_how)?);)*)?

            $(
                /// The same with this metadata.
                #[must_use]
                pub fn with_meta(mut self, $meta: crate::protocol::Meta) -> Self {
                    self.$meta = $meta;
                    self
                }
            )?
        }
    };
}

/// Declares an enum of strings that keeps a string it does not know.
macro_rules! open_enum {
    (
        $(#[$attr:meta])*
        pub enum $name:ident {
            $($(#[$v_attr:meta])* $variant:ident = $text:literal,)*
        }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$v_attr])* $variant,)*
            /// A value that this version of the SDK does not know, as it came.
            Other(String),
        }

        impl $name {
            /// The string on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)
                    .map(|text| Self::from(&*text))
            }
        }
    };
}

/// Reads a union by its tag, which is a string member; a kind that is not listed is kept as raw JSON.
macro_rules! read_by_tag {
    ($name:ident by $tag:literal $(default $default:literal)? { $($text:literal => $variant:ident,)* }) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                struct Tag {
                    #[serde(rename = $tag)]
                    $(#[serde(default = $default)])?
                    tag: String,
                }
                let raw = crate::protocol::RawJson::deserialize(deserializer)?;
                let tag = raw.parse::<Tag>().map_err(serde::de::Error::custom)?.tag;
                match tag.as_str() {
                    $($text => raw.parse().map(Self::$variant),)*
                    _ => Ok(Self::Other(raw)),
                }
                .map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declares a request by its marker type.
macro_rules! request {
    ($(#[$attr:meta])* $name:ident = $method:literal, $params:ty => $result:ty) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name;

        impl crate::protocol::Request for $name {
            const METHOD: &'static str = $method;
            type Params = $params;
            type Result = $result;
        }
    };
}

/// Declares a notification by its marker type.
macro_rules! notification {
    ($(#[$attr:meta])* $name:ident = $method:literal, $params:ty) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name;

        impl crate::protocol::Notification for $name {
            const METHOD: &'static str = $method;
            type Params = $params;
        }
    };
}

pub(super) use {notification, open_enum, read_by_tag, request, wire};

/// An optional member whose mistakes do no harm: null and what does not fit read as absent.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let raw = RawJson::deserialize(deserializer)?;
    Ok(raw.parse::<Option<T>>().ok().flatten())
}

/// `_meta` that is not an object reads as none.
pub(super) fn lenient_meta<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<super::Meta, D::Error> {
    lenient(deserializer).map(Option::unwrap_or_default)
}

/// A list for which null stands: some languages write their empty lists so.
pub(super) fn nullable<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A member for which null is a value.
pub(super) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A capability, read leniently: null and false are absent, anything else declares it.
pub(super) fn declared<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let raw = RawJson::deserialize(deserializer)?;
    Ok(match raw.get() {
        "null" | "false" => None,
        _ => Some(raw.parse().unwrap_or_default()),
    })
}

/// Capabilities by name, each read as [`declared`] does; settings are kept as they came.
pub(super) fn declared_map<'de, D>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, RawJson>>, D::Error>
where
    D: Deserializer<'de>,
{
    let Some(mut map) = declared::<D, BTreeMap<String, RawJson>>(deserializer)? else {
        return Ok(None);
    };
    map.retain(|_, settings| !matches!(settings.get(), "null" | "false"));
    for settings in map.values_mut().filter(|settings| !settings.is_object()) {
        *settings = RawJson::empty_object();
    }
    Ok(Some(map))
}

/// The largest integer up to which every integer is a `f64`.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Writes whole numbers as integers, since some readers of other languages refuse `50.0` for `50`.
pub(super) fn number<S: Serializer>(n: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if !n.is_finite() {
        return Err(serde::ser::Error::custom("JSON has no number for this"));
    }
    if n.fract() == 0.0 && n.abs() <= MAX_SAFE_INTEGER {
        return serializer.serialize_i64(*n as i64);
    }
    serializer.serialize_f64(*n)
}

/// As [`number`], for an optional member, which is skipped when absent.
pub(super) fn optional_number<S: Serializer>(
    n: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match n {
        Some(n) => number(n, serializer),
        None => serializer.serialize_none(),
    }
}
