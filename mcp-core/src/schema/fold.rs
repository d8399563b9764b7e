//! Unions that need not be unions: branches folded into one schema.

use serde_json::{Map, Value, json};

use super::SchemaError;
use super::transform::required_names;

/// A union of one branch is that branch; what is said outside of it wins.
pub(super) fn collapse_single(map: &mut Map<String, Value>) {
    for union in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(branches)) = map.get(union) else {
            continue;
        };
        let [Value::Object(only)] = branches.as_slice() else {
            continue;
        };
        let may_meet =
            |keyword: &str| keyword == "description" || keyword == "title" || keyword == union;
        let clashes = only
            .keys()
            .any(|keyword| !may_meet(keyword) && map.contains_key(keyword));
        if clashes {
            continue;
        }
        let only = only.clone();
        map.remove(union);
        for (keyword, value) in only {
            map.entry(keyword).or_insert(value);
        }
        // The branch may have been a union of one itself.
        return collapse_single(map);
    }
}

/// A union of string constants is an `enum`; what was said of each constant goes into the description.
pub(super) fn fold_strings(map: &mut Map<String, Value>) {
    for union in ["oneOf", "anyOf"] {
        if map.contains_key("enum") || map.contains_key("type") {
            return;
        }
        let Some(Value::Array(branches)) = map.get(union) else {
            continue;
        };
        let Some((values, docs)) = string_values(branches) else {
            continue;
        };
        map.remove(union);
        map.insert("type".to_owned(), "string".into());
        map.insert("enum".to_owned(), values.into());
        describe(map, &docs);
    }
}

/// The strings that branches allow, each with its description.
fn string_values(branches: &[Value]) -> Option<(Vec<Value>, Vec<String>)> {
    let mut values = Vec::new();
    let mut docs = Vec::new();
    for branch in branches {
        let branch = branch.as_object()?;
        if branch.get("type")? != "string" {
            return None;
        }
        let known = [
            "type",
            "enum",
            "title",
            "description",
            "deprecated",
            "const",
        ];
        if branch
            .keys()
            .any(|keyword| !known.contains(&keyword.as_str()))
        {
            return None;
        }
        let allowed = match (branch.get("enum"), branch.get("const")) {
            (Some(Value::Array(allowed)), None) => allowed.clone(),
            (None, Some(only)) => vec![only.clone()],
            _ => return None,
        };
        if let (Some(doc), [Value::String(name)]) =
            (text(branch, "description"), allowed.as_slice())
        {
            docs.push(format!("- `{name}`: {doc}"));
        }
        for value in allowed {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    Some((values, docs))
}

fn text<'m>(map: &'m Map<String, Value>, keyword: &str) -> Option<&'m str> {
    map.get(keyword).and_then(Value::as_str)
}

/// Adds lines to a description.
pub(super) fn describe(map: &mut Map<String, Value>, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let added = lines.join("\n");
    let text = match text(map, "description") {
        Some(before) => format!("{before}\n{added}"),
        None => added,
    };
    map.insert("description".to_owned(), text.into());
}

/// Makes one object of a root that is a union of objects told apart by a tag, as serde's `tag` attribute makes them.
///
/// The tag becomes an `enum`; what is not in every variant becomes optional, and its description says which variants
/// have it. The unions themselves are returned: that a variant has all it needs is still checked.
pub(super) fn merge_root(root: &mut Map<String, Value>) -> Result<Vec<Value>, SchemaError> {
    let mut unions: Vec<(&'static str, Vec<Value>)> = Vec::new();
    for union in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = root.remove(union) {
            unions.push((name_of(union), branches));
        }
    }
    if let Some(Value::Array(parts)) = root.remove("allOf") {
        for part in parts {
            let Value::Object(mut part) = part else {
                return Err(SchemaError::RootUnion { union: "`allOf`" });
            };
            for union in ["oneOf", "anyOf"] {
                if let Some(Value::Array(branches)) = part.remove(union) {
                    unions.push((name_of(union), branches));
                }
            }
            if !part.is_empty() {
                return Err(SchemaError::RootUnion { union: "`allOf`" });
            }
        }
    }
    let mut merged = Vec::new();
    for (union, branches) in unions {
        let variants = Variants::new(&branches).ok_or(SchemaError::RootUnion { union })?;
        variants.merge_into(root);
        merged.push(json!({ "oneOf": branches }));
    }
    // Left by flattened maps beside a union, where it means the same once the union is gone.
    if let Some(others) = root.remove("unevaluatedProperties") {
        root.entry("additionalProperties").or_insert(others);
    }
    Ok(merged)
}

fn name_of(union: &str) -> &'static str {
    if union == "oneOf" {
        "an enum without a tag"
    } else {
        "an untagged enum"
    }
}

/// The variants of an internally or adjacently tagged enum.
struct Variants<'v> {
    tag: String,
    variants: Vec<Variant<'v>>,
}

struct Variant<'v> {
    name: &'v str,
    schema: &'v Map<String, Value>,
    properties: &'v Map<String, Value>,
    required: Vec<String>,
}

impl<'v> Variants<'v> {
    fn new(branches: &'v [Value]) -> Option<Self> {
        let first = branches.first()?.as_object()?;
        let candidates = first.get("properties")?.as_object()?;
        candidates
            .keys()
            .find_map(|tag| Self::told_apart_by(tag, branches))
    }

    fn told_apart_by(tag: &str, branches: &'v [Value]) -> Option<Self> {
        let mut variants: Vec<Variant<'v>> = Vec::new();
        for branch in branches {
            let schema = branch.as_object()?;
            let unions = [
                "oneOf",
                "anyOf",
                "allOf",
                "$ref",
                "not",
                "patternProperties",
            ];
            if schema.get("type")? != "object"
                || unions.iter().any(|union| schema.contains_key(*union))
            {
                return None;
            }
            let properties = schema.get("properties")?.as_object()?;
            let required = required_names(schema);
            let name = constant(properties.get(tag)?)?;
            let distinct = variants.iter().all(|other| other.name != name);
            if !distinct || !required.iter().any(|required| required == tag) {
                return None;
            }
            variants.push(Variant {
                name,
                schema,
                properties,
                required,
            });
        }
        Some(Self {
            tag: tag.to_owned(),
            variants,
        })
    }

    fn merge_into(&self, root: &mut Map<String, Value>) {
        root.insert("type".to_owned(), "object".into());
        let mut properties = match root.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        properties.insert(self.tag.clone(), self.tag_schema());
        for variant in &self.variants {
            for name in variant.properties.keys() {
                if *name != self.tag && !properties.contains_key(name) {
                    properties.insert(name.clone(), self.property(name));
                }
            }
        }
        let mut required = required_names(root);
        let always = self
            .variants
            .first()
            .map_or(&[][..], |variant| variant.required.as_slice());
        for name in always {
            let everywhere = self
                .variants
                .iter()
                .all(|variant| variant.required.contains(name));
            if everywhere && !required.contains(name) {
                required.push(name.clone());
            }
        }
        root.insert("properties".to_owned(), Value::Object(properties));
        root.insert("required".to_owned(), required.into());
    }

    fn tag_schema(&self) -> Value {
        let names: Vec<&str> = self.variants.iter().map(|variant| variant.name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), names.into());
        let docs: Vec<String> = self
            .variants
            .iter()
            .filter_map(|variant| {
                let doc = text(variant.schema, "description")?;
                Some(format!("- `{}`: {doc}", variant.name))
            })
            .collect();
        describe(&mut schema, &docs);
        Value::Object(schema)
    }

    /// What a property is in the variants that have it.
    fn property(&self, name: &str) -> Value {
        let mut kinds: Vec<&Value> = Vec::new();
        let mut holders = Vec::new();
        for variant in &self.variants {
            if let Some(schema) = variant.properties.get(name) {
                holders.push(format!("`{}`", variant.name));
                if !kinds.contains(&schema) {
                    kinds.push(schema);
                }
            }
        }
        let mut schema = match kinds.as_slice() {
            [Value::Object(only)] => only.clone(),
            [Value::Bool(true)] => Map::new(),
            kinds => {
                let branches: Vec<Value> = kinds.iter().map(|&kind| kind.clone()).collect();
                Map::from_iter([("anyOf".to_owned(), Value::Array(branches))])
            }
        };
        if holders.len() < self.variants.len() {
            let note = format!("Only with `{}` {}.", self.tag, holders.join(" or "));
            describe(&mut schema, &[note]);
        }
        Value::Object(schema)
    }
}

/// The only string that a schema allows.
pub(super) fn constant(schema: &Value) -> Option<&str> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => only.as_str(),
        (None, Some(Value::Array(values))) => match values.as_slice() {
            [only] => only.as_str(),
            _ => None,
        },
        _ => None,
    }
}
