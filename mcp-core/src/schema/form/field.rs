//! From the schema of a type to the fields of a form.

use std::collections::HashMap;

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::FormError;
use crate::protocol::{FormSchema, PrimitiveSchema};
use crate::schema::dialect::Forms;
use crate::schema::fold::constant;
use crate::schema::transform::{required_names, strip_null, visit};

/// What the variants of enums are called, by the field and by the string.
pub(super) type Titles = HashMap<String, HashMap<String, String>>;

/// The formats that a form can show; others are only enforced.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

const STRING: &[&str] = &[
    "type",
    "title",
    "description",
    "minLength",
    "maxLength",
    "format",
    "default",
];
const NUMBER: &[&str] = &[
    "type",
    "title",
    "description",
    "minimum",
    "maximum",
    "default",
];
const BOOLEAN: &[&str] = &["type", "title", "description", "default"];
const CHOICE: &[&str] = &["type", "title", "description", "enum", "default"];
const CHOICES: &[&str] = &[
    "type",
    "title",
    "description",
    "items",
    "minItems",
    "maxItems",
    "default",
];

/// Takes the titles and docs of variants out of the schema of a type, since a form shows them in their own place and
/// tools in the description. Null goes too: an answer leaves out what it does not have. A constant is the one thing to
/// choose from.
pub(super) fn take_titles(root: &mut Value) -> Titles {
    let mut all = Titles::new();
    let Some(Value::Object(properties)) = root.get_mut("properties") else {
        return all;
    };
    for (name, property) in properties {
        strip_null(property);
        let mut titles = HashMap::new();
        visit(property, &mut |map| {
            if let Some(only) = map.shift_remove("const") {
                map.insert("enum".to_owned(), Value::Array(vec![only]));
            }
            if let Some(Value::Array(variants)) = map.get_mut("oneOf") {
                variants
                    .iter_mut()
                    .for_each(|variant| take_title(variant, &mut titles));
            }
        });
        all.insert(name.clone(), titles);
    }
    all
}

fn take_title(variant: &mut Value, titles: &mut HashMap<String, String>) {
    let Some(value) = constant(variant).map(str::to_owned) else {
        return;
    };
    let Value::Object(map) = variant else {
        return;
    };
    let title = map.shift_remove("title");
    let docs = map.shift_remove("description");
    let title = title.as_ref().and_then(Value::as_str);
    let docs = docs.as_ref().and_then(Value::as_str);
    if let Some(title) = title.or(docs).map(first_paragraph) {
        titles.insert(value, title);
    }
}

/// A title is one line.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// The form that shows a type.
pub(super) fn form_of(forms: &mut Forms, titles: &Titles) -> Result<FormSchema, FormError> {
    let has_names_of_its_own = forms.checked.get("patternProperties").is_some()
        || forms
            .checked
            .get("additionalProperties")
            .is_some_and(|others| *others != Value::Bool(false));
    // What is left of a union that was merged into one object.
    let has_union = ["allOf", "oneOf", "anyOf"]
        .iter()
        .any(|union| forms.checked.get(*union).is_some());
    let found = if has_union {
        Some("an enum")
    } else {
        has_names_of_its_own.then_some("members of any name")
    };
    if let Some(found) = found {
        return Err(FormError::NotAStruct {
            found: found.to_owned(),
        });
    }
    let mut form = FormSchema::default();
    let no_titles = HashMap::new();
    let shown: &Value = forms.shown();
    if let Some(Value::Object(properties)) = shown.get("properties") {
        for (name, schema) in properties {
            let titles = titles.get(name).unwrap_or(&no_titles);
            let field = field(schema, titles).map_err(|reason| FormError::field(name, reason))?;
            form.properties.0.push((name.clone(), field));
        }
    }
    let required = shown.as_object().map(required_names);
    form.required = required.filter(|names| !names.is_empty());
    Ok(form)
}

/// One field, or why there cannot be one.
fn field(
    schema: &Value,
    titles: &HashMap<String, String>,
) -> Result<PrimitiveSchema, &'static str> {
    let map = schema.as_object().ok_or(ANYTHING)?;
    let kind = map.get("type").and_then(Value::as_str);
    let mut shown = match (kind, map.get("enum")) {
        (Some("string"), Some(values)) => {
            let mut shown = only(map, CHOICE);
            if let Some(options) = options(values, titles)? {
                shown.shift_remove("enum");
                shown.insert("oneOf".to_owned(), options);
            }
            shown
        }
        (Some("string"), None) => only(map, STRING),
        (Some("integer" | "number"), None) => only(map, NUMBER),
        (Some("boolean"), None) => only(map, BOOLEAN),
        (Some("array"), None) => {
            let mut shown = only(map, CHOICES);
            shown.insert("items".to_owned(), items(map, titles)?);
            shown
        }
        (Some(_), Some(_)) => return Err("only strings can be chosen from a list"),
        (kind, _) => return Err(unaskable(kind, map)),
    };
    let format = shown.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !FORMATS.contains(&format)) {
        shown.shift_remove("format");
    }
    PrimitiveSchema::deserialize(Value::Object(shown)).map_err(|_| "its schema makes no sense")
}

const ANYTHING: &str = "it may be of any kind; give it a type such as `String`";

fn unaskable(kind: Option<&str>, map: &Map<String, Value>) -> &'static str {
    match kind {
        Some("object") => "it has fields of its own, and a form is flat; ask for its parts",
        Some("null") => "it has no value",
        _ if map.contains_key("$ref") => "it refers to itself, and a form is flat",
        _ if map.contains_key("oneOf") || map.contains_key("anyOf") => {
            "it is one of several kinds; an enum in a form has no data"
        }
        _ if map.get("type").is_some_and(Value::is_array) => {
            "it is one of several kinds; give it one type"
        }
        _ => ANYTHING,
    }
}

fn only(map: &Map<String, Value>, keywords: &[&str]) -> Map<String, Value> {
    let kept = keywords.iter().filter_map(|keyword| {
        let value = map.get(*keyword)?.clone();
        Some(((*keyword).to_owned(), value))
    });
    kept.collect()
}

/// What the items of a list are chosen from.
fn items(
    list: &Map<String, Value>,
    titles: &HashMap<String, String>,
) -> Result<Value, &'static str> {
    let items = list.get("items");
    let is_text = items.is_some_and(|items| items.get("type").is_some_and(|kind| kind == "string"));
    let Some(values) = items
        .and_then(|items| items.get("enum"))
        .filter(|_| is_text)
    else {
        return Err("it is a list, and a form has only lists of enums without data");
    };
    Ok(match options(values, titles)? {
        Some(options) => json!({ "anyOf": options }),
        None => json!({ "type": "string", "enum": values }),
    })
}

/// The strings with their titles, when one of them has any.
fn options(
    values: &Value,
    titles: &HashMap<String, String>,
) -> Result<Option<Value>, &'static str> {
    let values: Option<Vec<&str>> = values
        .as_array()
        .and_then(|values| values.iter().map(Value::as_str).collect());
    let values = values.ok_or("only strings can be chosen from a list")?;
    let titled = values.iter().any(|value| titles.contains_key(*value));
    let option = |value: &&str| {
        let title = titles.get(*value).map_or(*value, String::as_str);
        json!({ "const": value, "title": title })
    };
    Ok(titled.then(|| values.iter().map(option).collect()))
}
