mod arguments;
mod foreign_outputs;
mod generation;
mod hostile;
mod oracle;
mod others;

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{ArgumentPolicy, InputSchema, SchemaError, SchemaProfile};

const PLAIN: ArgumentPolicy = ArgumentPolicy {
    open: false,
    strict: false,
};

fn input<T: JsonSchema>() -> InputSchema {
    InputSchema::of::<T>(SchemaProfile::Portable, PLAIN).unwrap()
}

/// What the portable profile shows for a type.
fn shown<T: JsonSchema>() -> Value {
    serde_json::from_str(input::<T>().json()).unwrap()
}

/// The schema of the property `name`.
fn property<T: JsonSchema>(name: &str) -> Value {
    shown::<T>()["properties"][name].clone()
}

fn decode<T: JsonSchema + DeserializeOwned>(arguments: &str) -> Result<T, String> {
    decode_by(&input::<T>(), arguments)
}

fn decode_by<T: DeserializeOwned>(schema: &InputSchema, arguments: &str) -> Result<T, String> {
    schema
        .decode(arguments, &OnceLock::new())
        .map_err(|errors| errors.to_string())
}

/// The lines of the report, without its heading.
#[track_caller]
fn violations<T: JsonSchema + DeserializeOwned>(arguments: &str) -> Vec<String> {
    violations_by::<T>(&input::<T>(), arguments)
}

#[track_caller]
fn violations_by<T: DeserializeOwned>(schema: &InputSchema, arguments: &str) -> Vec<String> {
    match decode_by::<T>(schema, arguments) {
        Ok(_) => panic!("{arguments} was accepted"),
        Err(report) => report
            .lines()
            .skip(1)
            .map(|line| line.trim_start_matches("- ").to_owned())
            .collect(),
    }
}
