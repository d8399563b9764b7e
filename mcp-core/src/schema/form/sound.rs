//! Whether a form makes sense, and what a form that was put together by hand enforces.

use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};

use super::FormError;
use crate::protocol::{FormSchema, NumberKind, PrimitiveSchema, StringFormat, TitledOption};
use crate::schema::number::Decimal;

/// Finds contradictions in a form, and what no revision knows.
pub(super) fn inspect(form: &FormSchema) -> Result<(), FormError> {
    let mut names = HashSet::new();
    for (name, field) in &form.properties.0 {
        if !names.insert(name.as_str()) {
            return Err(FormError::field(name, "there are two fields of this name"));
        }
        inspect_field(field).map_err(|reason| FormError::field(name, reason))?;
    }
    let mut required = form.required.iter().flatten();
    match required.find(|name| !names.contains(name.as_str())) {
        Some(name) => Err(FormError::field(name, "it is required and not there")),
        None => Ok(()),
    }
}

fn inspect_field(field: &PrimitiveSchema) -> Result<(), &'static str> {
    match field {
        PrimitiveSchema::String(string) => {
            if matches!(string.format, Some(StringFormat::Other(_))) {
                return Err("no form knows its format");
            }
            in_order(string.min_length, string.max_length)
        }
        PrimitiveSchema::Number(number) => {
            if matches!(number.kind, NumberKind::Other(_)) {
                return Err(UNKNOWN);
            }
            numbers_in_order(number.minimum.as_ref(), number.maximum.as_ref())
        }
        PrimitiveSchema::Boolean(_) => Ok(()),
        PrimitiveSchema::Choice(choice) => {
            let names = choice.names.as_ref().map(Vec::len);
            if names.is_some_and(|names| names != choice.values.len()) {
                return Err("it has not as many names as values");
            }
            all_differ(choice.values.iter())
        }
        PrimitiveSchema::TitledChoice(choice) => all_differ(values(&choice.options)),
        PrimitiveSchema::Choices(choices) => {
            in_order(choices.min_items, choices.max_items)?;
            all_differ(choices.items.values.iter())
        }
        PrimitiveSchema::TitledChoices(choices) => {
            in_order(choices.min_items, choices.max_items)?;
            all_differ(values(&choices.items.options))
        }
        PrimitiveSchema::Other(_) => Err(UNKNOWN),
    }
}

const UNKNOWN: &str = "no form knows its kind";
const NOTHING_BETWEEN: &str = "its least is more than its most";

fn values(options: &[TitledOption]) -> impl Iterator<Item = &String> {
    options.iter().map(|option| &option.value)
}

fn in_order(least: Option<u64>, most: Option<u64>) -> Result<(), &'static str> {
    match (least, most) {
        (Some(least), Some(most)) if least > most => Err(NOTHING_BETWEEN),
        _ => Ok(()),
    }
}

fn numbers_in_order(least: Option<&Number>, most: Option<&Number>) -> Result<(), &'static str> {
    let (Some(least), Some(most)) = (least, most) else {
        return Ok(());
    };
    if Decimal::parse(&least.to_string()) > Decimal::parse(&most.to_string()) {
        return Err(NOTHING_BETWEEN);
    }
    Ok(())
}

fn all_differ<'v>(values: impl Iterator<Item = &'v String>) -> Result<(), &'static str> {
    let mut seen = HashSet::new();
    for value in values {
        if !seen.insert(value) {
            return Err("one of its values is there twice");
        }
    }
    if seen.is_empty() {
        return Err("there is nothing to choose from");
    }
    Ok(())
}

/// Offers nothing to begin with.
pub(super) fn drop_default(field: &mut PrimitiveSchema) {
    match field {
        PrimitiveSchema::String(field) => field.default = None,
        PrimitiveSchema::Number(field) => field.default = None,
        PrimitiveSchema::Boolean(field) => field.default = None,
        PrimitiveSchema::Choice(field) => field.default = None,
        PrimitiveSchema::TitledChoice(field) => field.default = None,
        PrimitiveSchema::Choices(field) => field.default = None,
        PrimitiveSchema::TitledChoices(field) => field.default = None,
        PrimitiveSchema::Other(_) => {}
    }
}

/// The schema by which answers to the form are checked. Titles say nothing, so titled choices are plain ones here, which
/// reports describe better.
pub(super) fn rules(form: &FormSchema) -> Value {
    let properties: Map<String, Value> = form
        .properties
        .0
        .iter()
        .map(|(name, field)| (name.clone(), rule(field)))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": form.required.as_deref().unwrap_or_default(),
    })
}

fn rule(field: &PrimitiveSchema) -> Value {
    let mut rule = json!(field);
    match field {
        PrimitiveSchema::TitledChoice(choice) => {
            let values: Vec<&String> = values(&choice.options).collect();
            rule = json!({ "type": "string", "enum": values });
        }
        PrimitiveSchema::TitledChoices(choices) => {
            let values: Vec<&String> = values(&choices.items.options).collect();
            rule["items"] = json!({ "type": "string", "enum": values });
        }
        PrimitiveSchema::String(_)
        | PrimitiveSchema::Number(_)
        | PrimitiveSchema::Boolean(_)
        | PrimitiveSchema::Choice(_)
        | PrimitiveSchema::Choices(_)
        | PrimitiveSchema::Other(_) => {}
    }
    rule
}
