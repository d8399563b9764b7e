//! Arguments as people type them.

use mcp_core::protocol::RawJson;
use serde_json::{Map, Value};

use crate::Outcome;

/// Arguments of a tool. `name=value` is read as the tool's schema says; `name:=JSON` is JSON.
pub(crate) fn by_schema(given: &[String], schema: &RawJson) -> Outcome<Value> {
    let schema: Value = schema.parse()?;
    let mut arguments = Map::new();
    for argument in given {
        let (name, value) = split(argument)?;
        let value = match name.strip_suffix(':') {
            Some(_) => serde_json::from_str(value)
                .map_err(|fault| format!("`{argument}` holds no JSON: {fault}"))?,
            None => typed(name, value, &schema["properties"][name])?,
        };
        arguments.insert(name.trim_end_matches(':').to_owned(), value);
    }
    Ok(Value::Object(arguments))
}

/// Arguments of a prompt, which are texts.
pub(crate) fn texts(given: &[String]) -> Outcome<Vec<(String, String)>> {
    let pairs = given.iter().map(|argument| {
        let (name, value) = split(argument)?;
        Ok((name.to_owned(), value.to_owned()))
    });
    pairs.collect()
}

fn split(argument: &str) -> Outcome<(&str, &str)> {
    let parts = argument.split_once('=');
    Ok(parts.ok_or_else(|| format!("`{argument}` is not NAME=VALUE"))?)
}

fn typed(name: &str, value: &str, schema: &Value) -> Outcome<Value> {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let parsed = serde_json::from_str::<Value>(value).ok();
    let is_text = kinds.contains(&"string");
    match parsed {
        // What may be a text is one, unless only something else fits.
        _ if is_text && kinds.iter().all(|kind| matches!(*kind, "string" | "null")) => {
            Ok(Value::String(value.to_owned()))
        }
        Some(parsed) => Ok(parsed),
        None if is_text || kinds.is_empty() => Ok(Value::String(value.to_owned())),
        None => Err(format!(
            "`{name}` is to be of type {}, not `{value}`",
            kinds.join(" or ")
        )
        .into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(given: &[&str]) -> Result<Value, String> {
        let schema = json!({"properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "tags": {"type": "array"},
            "either": {"type": ["string", "number"]},
        }});
        let given: Vec<String> = given.iter().map(|&argument| argument.to_owned()).collect();
        by_schema(&given, &schema.into()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_what_the_schema_says() {
        let given = [
            "text=5",
            "count=5",
            r#"tags=["a"]"#,
            "either=5",
            "other=true",
        ];
        let read_as = json!({"text": "5", "count": 5, "tags": ["a"], "either": 5, "other": true});
        assert_eq!(read(&given), Ok(read_as));
        assert_eq!(
            read(&["either=x", "other=a b", "text=a=b"]),
            Ok(json!({"either": "x", "other": "a b", "text": "a=b"}))
        );
    }

    #[test]
    fn a_colon_says_that_it_is_json() {
        assert_eq!(read(&["text:=5"]), Ok(json!({"text": 5})));
        assert!(read(&["text:=x"]).unwrap_err().contains("holds no JSON"));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(read(&["count"]).unwrap_err(), "`count` is not NAME=VALUE");
        assert_eq!(
            read(&["count=x"]).unwrap_err(),
            "`count` is to be of type integer, not `x`"
        );
    }
}
