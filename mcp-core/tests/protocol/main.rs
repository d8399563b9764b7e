//! The types of the protocol against the specification: its examples, its schemas, and what peers send instead.

#![expect(
    clippy::unwrap_used,
    reason = "what helpers of tests unwrap is what the tests assert"
)]

mod examples;
mod reading;
mod round_trips;
mod samples;
mod schemas;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a `T` and writes it again, as a frame would.
fn through<T: Serialize + DeserializeOwned>(json: &Value) -> Result<Value, String> {
    let read: T = serde_json::from_str(&json.to_string()).map_err(|error| error.to_string())?;
    let written = serde_json::to_string(&read).map_err(|error| error.to_string())?;
    serde_json::from_str(&written).map_err(|error| error.to_string())
}
