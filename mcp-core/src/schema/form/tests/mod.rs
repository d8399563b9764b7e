mod answers;
mod by_hand;
mod by_type;
mod fixtures;
mod oracle;
mod revisions;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Form, FormError};
use crate::protocol::{FormSchema, PrimitiveSchema, ProtocolVersion};

#[track_caller]
fn form<T: JsonSchema>() -> Form {
    Form::of::<T>().unwrap()
}

/// What the newest revision shows.
#[track_caller]
fn shown<T: JsonSchema>() -> Value {
    shown_at::<T>(ProtocolVersion::LATEST)
}

#[track_caller]
fn shown_at<T: JsonSchema>(version: ProtocolVersion) -> Value {
    form::<T>().json(version).unwrap().parse().unwrap()
}

#[track_caller]
fn field<T: JsonSchema>(name: &str) -> Value {
    shown::<T>()["properties"][name].clone()
}

/// A form of one field by hand.
fn one(field: impl Into<PrimitiveSchema>) -> FormSchema {
    FormSchema::default().with_field("a", field)
}

#[track_caller]
fn read<T: JsonSchema + DeserializeOwned>(content: &str) -> T {
    form::<T>().read(content).unwrap()
}

/// The lines of the report, without its heading.
#[track_caller]
fn refusal(form: &Form, content: &str) -> Vec<String> {
    let report = form.check(content).unwrap_err().to_string();
    let lines = report.lines().skip(1);
    lines
        .map(|line| line.trim_start_matches("- ").to_owned())
        .collect()
}
