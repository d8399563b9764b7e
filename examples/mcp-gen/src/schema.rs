//! Shapes from JSON schemas. What is not understood is `Shape::Any`.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::docs;
use crate::names::{self, Names};
use crate::shape::{Field, Kind, Shape, Struct, Types, Variant};

/// Schemas that go deeper are not followed.
const MAX_DEPTH: usize = 32;
/// Longer lists of strings are texts, and of alternatives anything.
const MAX_CHOICES: usize = 500;
const MAX_ALTERNATIVES: usize = 32;

/// Reads one schema with all that is in it.
pub(crate) struct Reader<'a> {
    root: &'a Value,
    types: &'a mut Types,
    /// What the names of inner types begin with.
    base: &'a str,
    /// What the type of the root is.
    about: String,
    references: HashMap<String, Reference>,
    depth: usize,
}

/// How far a definition that others refer to has come.
enum Reference {
    /// It is being made, as the type with this index if it is one.
    Begun(Option<usize>),
    Done(Shape),
}

/// Where a shape is wanted.
struct Place<'p> {
    /// What a type there is called.
    name: String,
    docs: String,
    /// What others refer to it by.
    reference: Option<&'p str>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(root: &'a Value, types: &'a mut Types, base: &'a str, about: String) -> Self {
        Self {
            root,
            types,
            base,
            about,
            references: HashMap::new(),
            depth: 0,
        }
    }

    /// Whether it is a schema of objects that have no members.
    pub(crate) fn takes_nothing(&self) -> bool {
        let Value::Object(schema) = self.root else {
            return false;
        };
        const SAYS_MORE: [&str; 8] = [
            "$ref",
            "allOf",
            "anyOf",
            "oneOf",
            "patternProperties",
            "required",
            "enum",
            "const",
        ];
        let is_empty = schema
            .get("properties")
            .and_then(Value::as_object)
            .is_none_or(Map::is_empty);
        let is_open = schema
            .get("additionalProperties")
            .is_some_and(|rest| rest != &Value::Bool(false));
        is_empty && !is_open && !SAYS_MORE.iter().any(|word| schema.contains_key(*word))
    }

    /// The shape of the whole schema.
    pub(crate) fn root(&mut self, name: &str) -> Shape {
        let place = Place {
            name: name.to_owned(),
            docs: self.about.clone(),
            reference: Some("#"),
        };
        self.references
            .insert("#".to_owned(), Reference::Begun(None));
        let root = self.root;
        self.shape(root, place)
    }

    fn shape(&mut self, schema: &Value, place: Place<'_>) -> Shape {
        let Value::Object(schema) = schema else {
            return Shape::Any;
        };
        if self.depth >= MAX_DEPTH {
            return Shape::Any;
        }
        self.depth += 1;
        let shape = self.shape_of(schema, place);
        self.depth -= 1;
        shape
    }

    fn shape_of(&mut self, schema: &Map<String, Value>, place: Place<'_>) -> Shape {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            return self.referred(reference);
        }
        if schema
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|all| !all.is_empty())
        {
            return self.object(schema, place);
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return self.choice(values, place);
        }
        if let Some(value) = schema.get("const") {
            return self.choice(std::slice::from_ref(value), place);
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = schema.get(word) {
                return self.alternatives(alternatives, place);
            }
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            return self.all_of(parts, place);
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.typed(name, schema, place),
            Some(Value::Array(names)) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                match names[..] {
                    [name] => self.typed(name, schema, place),
                    [name, "null"] | ["null", name] => self.typed(name, schema, place).optional(),
                    _ => Shape::Any,
                }
            }
            _ if schema.contains_key("items") => self.typed("array", schema, place),
            _ => Shape::Any,
        }
    }

    fn typed(&mut self, name: &str, schema: &Map<String, Value>, place: Place<'_>) -> Shape {
        match name {
            "null" => Shape::Null,
            "boolean" => Shape::Bool,
            "integer" => integer(schema),
            "number" => Shape::Float,
            "string" => Shape::Text,
            "array" => {
                let place = Place {
                    name: format!("{}Item", place.name),
                    reference: None,
                    ..place
                };
                let items = schema
                    .get("items")
                    .filter(|_| !schema.contains_key("prefixItems"));
                let items = items.map_or(Shape::Any, |items| self.shape(items, place));
                Shape::List(Box::new(items))
            }
            "object" => match schema.get("additionalProperties") {
                Some(rest @ Value::Object(_)) => {
                    let place = Place {
                        name: format!("{}Value", place.name),
                        reference: None,
                        ..place
                    };
                    Shape::Map(Box::new(self.shape(rest, place)))
                }
                _ => Shape::Map(Box::new(Shape::Any)),
            },
            _ => Shape::Any,
        }
    }

    fn referred(&mut self, reference: &str) -> Shape {
        match self.references.get(reference) {
            Some(Reference::Done(shape)) => return shape.clone(),
            Some(Reference::Begun(Some(index))) => {
                return Shape::Named {
                    index: *index,
                    is_recursive: true,
                };
            }
            Some(Reference::Begun(None)) => return Shape::Any,
            None => {}
        }
        let root = self.root;
        let Some(target) = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer))
        else {
            return Shape::Any;
        };
        let name = reference.rsplit('/').next().unwrap_or_default();
        let place = Place {
            name: format!("{}{}", self.base, names::type_name(name)),
            docs: self.described(target, name),
            reference: Some(reference),
        };
        self.references
            .insert(reference.to_owned(), Reference::Begun(None));
        let shape = self.shape(target, place);
        self.references
            .insert(reference.to_owned(), Reference::Done(shape.clone()));
        shape
    }

    fn object(&mut self, schema: &Map<String, Value>, place: Place<'_>) -> Shape {
        let Some(index) = self.begin(&place) else {
            return Shape::Any;
        };
        let required: Vec<&str> = (schema.get("required").and_then(Value::as_array))
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut idents = Names::none();
        let mut made = Struct::default();
        // The names of what is inside begin as the tool's do, and not with `Arguments`.
        let outer = place.name.strip_suffix("Arguments").unwrap_or(&place.name);
        for (wire, inner) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let inner_place = Place {
                name: format!("{outer}{}", names::type_name(wire)),
                docs: self.described(inner, wire),
                reference: None,
            };
            made.fields.push(Field {
                ident: idents.take(&names::field_name(wire)),
                wire: wire.clone(),
                docs: description(inner),
                shape: self.shape(inner, inner_place),
                is_required: required.contains(&wire.as_str()),
            });
        }
        made.rest = match schema.get("additionalProperties") {
            Some(Value::Bool(true)) => Some(Shape::Any),
            Some(rest @ Value::Object(_)) => {
                let place = Place {
                    name: format!("{outer}Value"),
                    docs: self.described(rest, "others"),
                    reference: None,
                };
                Some(self.shape(rest, place))
            }
            _ => None,
        };
        self.types.fill(index, Kind::Struct(made));
        Shape::Named {
            index,
            is_recursive: false,
        }
    }

    /// One of some values: an enum, if all are strings.
    fn choice(&mut self, values: &[Value], place: Place<'_>) -> Shape {
        let is_nullable = values.contains(&Value::Null);
        let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        let strings: Option<Vec<(&str, Option<String>)>> = values
            .iter()
            .map(|value| value.as_str().map(|text| (text, None)))
            .collect();
        let shape = match strings {
            Some(strings) => self.strings(&strings, place),
            None if values.iter().all(|value| value.is_boolean()) => Shape::Bool,
            None if values.iter().all(|value| value.is_u64()) => Shape::Unsigned,
            None if values.iter().all(|value| value.is_i64()) => Shape::Signed,
            None if values.iter().all(|value| value.is_number()) => Shape::Float,
            None => Shape::Any,
        };
        if is_nullable { shape.optional() } else { shape }
    }

    fn strings(&mut self, strings: &[(&str, Option<String>)], place: Place<'_>) -> Shape {
        if strings.is_empty() || strings.len() > MAX_CHOICES {
            return if strings.is_empty() {
                Shape::Null
            } else {
                Shape::Text
            };
        }
        let Some(index) = self.begin(&place) else {
            return Shape::Text;
        };
        let mut idents = Names::none();
        let mut seen = std::collections::HashSet::new();
        let variants = strings
            .iter()
            .filter(|(wire, _)| seen.insert(*wire))
            .map(|(wire, docs)| Variant {
                ident: idents.take(&names::type_name(wire)),
                wire: (*wire).to_owned(),
                docs: docs.clone(),
            });
        self.types.fill(index, Kind::Choice(variants.collect()));
        Shape::Named {
            index,
            is_recursive: false,
        }
    }

    fn alternatives(&mut self, all: &[Value], mut place: Place<'_>) -> Shape {
        let is_null = |schema: &&Value| {
            schema.get("type").is_some_and(|name| name == "null")
                || schema.get("const").is_some_and(Value::is_null)
        };
        let some: Vec<&Value> = all.iter().filter(|schema| !is_null(schema)).collect();
        let is_nullable = some.len() < all.len();
        let strings: Option<Vec<(&str, Option<String>)>> = some
            .iter()
            .map(|schema| Some((schema.get("const")?.as_str()?, description(schema))))
            .collect();
        let shape = match (&some[..], strings) {
            ([], _) => Shape::Null,
            // Whoever refers to it means the optional one.
            ([one], _) => self.shape(
                one,
                Place {
                    reference: place.reference.take().filter(|_| !is_nullable),
                    ..place
                },
            ),
            (_, Some(strings)) => self.strings(&strings, place),
            _ if some.len() > MAX_ALTERNATIVES => Shape::Any,
            _ => self.union(&some, place),
        };
        if is_nullable { shape.optional() } else { shape }
    }

    fn union(&mut self, alternatives: &[&Value], place: Place<'_>) -> Shape {
        let Some(index) = self.begin(&place) else {
            return Shape::Any;
        };
        let mut idents = Names::none();
        let mut variants = Vec::new();
        for schema in alternatives {
            let word = alternative_name(schema);
            let inner = Place {
                name: format!("{}{word}", place.name),
                docs: self.described(schema, &word),
                reference: None,
            };
            let shape = self.shape(schema, inner);
            if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
                self.types.close(&shape);
            }
            variants.push((idents.take(&word), shape));
        }
        // The first that fits is taken, so what asks for most comes first, and what takes all last.
        variants.sort_by_key(|(_, shape)| {
            (
                *shape == Shape::Any,
                std::cmp::Reverse(self.types.required(shape)),
            )
        });
        self.types.fill(index, Kind::Union(variants));
        Shape::Named {
            index,
            is_recursive: false,
        }
    }

    /// Parts that hold together: objects become one.
    fn all_of(&mut self, parts: &[Value], place: Place<'_>) -> Shape {
        if let [one] = parts {
            return self.shape(one, place);
        }
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for part in parts {
            let part = match part.get("$ref").and_then(Value::as_str) {
                Some(reference) => reference
                    .strip_prefix('#')
                    .and_then(|pointer| self.root.pointer(pointer)),
                None => Some(part),
            };
            let Some(Value::Object(members)) = part.and_then(|part| part.get("properties")) else {
                return Shape::Any;
            };
            properties.extend(members.clone());
            let names = part
                .and_then(|part| part.get("required"))
                .and_then(Value::as_array);
            required.extend(names.into_iter().flatten().cloned());
        }
        let mut merged = Map::new();
        merged.insert("properties".to_owned(), properties.into());
        merged.insert("required".to_owned(), required.into());
        self.object(&merged, place)
    }

    /// Makes room for a type, which others may refer to from now on.
    fn begin(&mut self, place: &Place<'_>) -> Option<usize> {
        let index = self.types.reserve(&place.name, place.docs.clone())?;
        if let Some(reference) = place.reference {
            self.references
                .insert(reference.to_owned(), Reference::Begun(Some(index)));
        }
        Some(index)
    }

    fn described(&self, schema: &Value, name: &str) -> String {
        description(schema).unwrap_or_else(|| format!("{} in {}.", docs::quoted(name), self.base))
    }
}

fn description(schema: &Value) -> Option<String> {
    let text = ["description", "title"]
        .into_iter()
        .find_map(|word| schema.get(word)?.as_str());
    text.filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

/// What an alternative is called: by its title, its definition, what tells it from others, or its type.
fn alternative_name(schema: &Value) -> String {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let referred = || Some(text(schema.get("$ref"))?.rsplit('/').next()?.to_owned());
    let told = || {
        let mut members = schema.get("properties")?.as_object()?.values();
        members.find_map(|member| text(member.get("const")))
    };
    let name = text(schema.get("title"))
        .or_else(referred)
        .or_else(told)
        .or_else(|| text(schema.get("type")));
    names::type_name(&name.unwrap_or_else(|| "other".to_owned()))
}

fn integer(schema: &Map<String, Value>) -> Shape {
    let least = schema.get("minimum").and_then(Value::as_f64);
    if least.is_some_and(|least| least >= 0.0) {
        Shape::Unsigned
    } else {
        Shape::Signed
    }
}
