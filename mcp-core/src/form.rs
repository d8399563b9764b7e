//! Which types a person can be asked to fill in, as far as the compiler can tell.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;
use std::path::PathBuf;

/// What a person can be asked to fill in by [`Context::elicit`](crate::Context::elicit): a struct whose fields are all
/// [`FormField`]s, or `()`, which asks for consent alone.
///
/// `#[data]` derives it, and so does `#[derive(mcp_core::Form)]`. A struct inside of the form is refused by the compiler:
///
#[cfg_attr(feature = "macros", doc = "```compile_fail,E0277")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{Context, data};
///
/// #[data]
/// struct Address {
///     city: String,
/// }
///
/// #[data]
/// struct Order {
///     address: Address,
/// }
///
/// async fn ask(cx: &Context) {
///     let _: Result<Order, _> = cx.elicit("order", "Where to?").await;
/// }
/// ```
///
/// With `#[serde(flatten)]` on it, the fields of the address are fields of the form:
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// # use mcp_core::{Context, data};
/// #
/// # #[data]
/// # struct Address {
/// #     city: String,
/// # }
/// #
/// #[data]
/// struct Order {
///     #[serde(flatten)]
///     address: Address,
/// }
///
/// async fn ask(cx: &Context) {
///     let _: Result<Order, _> = cx.elicit("order", "Where to?").await;
/// }
/// ```
///
/// A field that says how it is decoded or shown (`#[schemars(with = "String")]`, `#[serde(deserialize_with = "…")]`) is
/// taken at its word, so that types of other crates can be fields. What the compiler can't tell is checked when the
/// question is asked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "not a form",
    note = "a form is a struct under `#[mcp_core::data]` or `#[derive(mcp_core::Form)]` with plain fields: text, numbers, booleans, enums without data, lists of such enums, and `Option`s of these"
)]
pub trait Form {}

/// What a field of a [`Form`] may be: text, a number, a boolean, an enum without data under `#[data]`, a list or a set of
/// such enums, and an `Option` of these.
///
/// A type of one's own that is written as one of these may say so: `impl FormField for Money {}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a form",
    label = "holds what a form can't",
    note = "a form is flat: its fields are text, numbers, booleans, enums without data, lists of such enums, and `Option`s of these",
    note = "to have the fields of a struct in the form, put `#[serde(flatten)]` on it"
)]
pub trait FormField {}

/// What a person chooses from a list: an enum without data under `#[data]`.
#[diagnostic::on_unimplemented(
    message = "a form can't hold a list of `{Self}`",
    label = "holds what a form can't",
    note = "the one kind of list in a form is that of an enum without data, under `#[mcp_core::data]`"
)]
pub trait FormChoice {}

impl Form for () {}

macro_rules! fields {
    ($($ty:ty),+ $(,)?) => {
        $(impl FormField for $ty {})+
    };
}

fields! {
    bool, char, f32, f64,
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize,
    NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>,
    NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>,
    String, Box<str>, Cow<'_, str>, PathBuf, IpAddr, Ipv4Addr, Ipv6Addr,
}

impl<T: FormField> FormField for Option<T> {}
impl<T: FormChoice> FormField for Vec<T> {}
impl<T: FormChoice> FormField for BTreeSet<T> {}
impl<T: FormChoice, S> FormField for HashSet<T, S> {}
