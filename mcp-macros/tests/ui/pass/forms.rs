//! Types that are forms, and types that are not, which is no error until a person is asked for them.
#![allow(dead_code, reason = "only the traits of the types are looked at")]

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU8;

use mcp_core::{Context, Form, FormChoice, FormField, data};

/// How to sort.
#[data]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
enum Order {
    ByDate,
    /// By its name.
    ByName,
}

#[data]
struct Email(String);

#[data]
#[serde(transparent)]
struct Age {
    years: u8,
    #[serde(skip)]
    _unused: Vec<Vec<u8>>,
}

#[data]
struct Address {
    city: String,
}

#[data]
struct Everything {
    text: String,
    letter: char,
    boxed: Box<str>,
    cow: Cow<'static, str>,
    flag: bool,
    count: u64,
    small: NonZeroU8,
    part: f32,
    maybe: Option<i16>,
    order: Order,
    orders: Vec<Order>,
    set: BTreeSet<Order>,
    others: Option<HashSet<Order>>,
    email: Email,
    age: Age,
    #[serde(flatten)]
    address: Address,
    #[serde(skip)]
    skipped: Vec<Address>,
    #[schemars(with = "String")]
    #[serde(deserialize_with = "parts")]
    parts: Vec<String>,
    #[cfg(any())]
    gone: NotThere,
}

fn parts<'de, D: mcp_core::__private::serde::Deserializer<'de>>(
    from: D,
) -> Result<Vec<String>, D::Error> {
    let text: String = mcp_core::__private::Deserialize::deserialize(from)?;
    Ok(text.split(' ').map(str::to_owned).collect())
}

#[data]
struct Page<T> {
    value: T,
}

#[data]
struct Nothing {}

/// What is no form is data all the same.
#[data]
struct Nested {
    address: Address,
    all: Vec<Self>,
}

#[data]
enum WithData {
    One(Nested),
    Two,
}

#[data]
struct Borrows<'a> {
    text: &'a str,
}

/// By hand.
struct Money;

impl FormField for Money {}

#[derive(Form)]
struct Derived {
    money: Money,
    days: Vec<Day>,
}

#[derive(Form)]
enum Day {
    Monday,
}

fn is_form<T: Form>() {}
fn is_choice<T: FormChoice + FormField>() {}

async fn asks(cx: &Context) {
    let _ = cx.elicit::<Everything>("all", "All?").await;
    let _ = cx.elicit::<()>("sure", "Sure?").await;
}

#[test]
fn each_is_a_form() {
    is_form::<Everything>();
    is_form::<Page<Order>>();
    is_form::<Page<Option<String>>>();
    is_form::<Nothing>();
    is_form::<Derived>();
    is_choice::<Order>();
    let _ = asks;
}
