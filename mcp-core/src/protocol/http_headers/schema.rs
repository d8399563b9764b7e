use std::fmt;

use serde_json::{Map, Value};

use super::param::{HeaderParam, HeaderParamKind};

pub(crate) const ANNOTATION: &str = "x-mcp-header";
/// The most headers of one tool. Servers of HTTP take about a hundred headers in all.
const MAX_PARAMS: usize = 64;
/// Keywords that hold one schema, or a list of them.
const SCHEMAS: [&str; 17] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];
/// Keywords that hold schemas by name.
const NAMED_SCHEMAS: [&str; 5] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
];

/// The arguments that a tool wants mirrored into headers, from the JSON Schema of its input.
///
/// A property is annotated with `"x-mcp-header": "Region"` to be sent as `Mcp-Param-Region` as well. It must be reached
/// from the root by `properties` alone, so that everybody finds its value without applying the schema.
///
/// # Errors
///
/// When an annotation breaks the rules: its name is no token or is used twice, it stands elsewhere than on such a property,
/// or the property is not a `string`, an `integer` or a `boolean`. A client leaves such a tool out of the lists that it
/// gets by HTTP.
///
/// ```
/// use mcp_core::protocol::http_headers::header_params;
/// use serde_json::json;
///
/// let params = header_params(&json!({
///     "type": "object",
///     "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}},
/// }))?;
/// assert_eq!(params.len(), 1);
/// assert_eq!(params[0].header_name(), "mcp-param-region");
/// assert_eq!(params[0].path(), ["region"]);
/// # Ok::<(), mcp_core::protocol::http_headers::InvalidHeaderParam>(())
/// ```
pub fn header_params(input_schema: &Value) -> Result<Vec<HeaderParam>, InvalidHeaderParam> {
    let mut walk = Walk::default();
    walk.schema(input_schema, Place::Root)?;
    Ok(walk.found)
}

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Root,
    /// A property that is reached by `properties` alone.
    Property,
    /// Wherever the value is not found without applying the schema.
    Elsewhere,
}

#[derive(Default)]
struct Walk {
    path: Vec<String>,
    found: Vec<HeaderParam>,
}

impl Walk {
    fn schema(&mut self, schema: &Value, place: Place) -> Result<(), InvalidHeaderParam> {
        let Value::Object(members) = schema else {
            return Ok(());
        };
        if let Some(name) = members.get(ANNOTATION) {
            self.annotated(name, members, place)?;
        }
        for (keyword, value) in members {
            match keyword.as_str() {
                "properties" => {
                    let place = match place {
                        Place::Root | Place::Property => Place::Property,
                        Place::Elsewhere => Place::Elsewhere,
                    };
                    self.named(value, place)?;
                }
                keyword if NAMED_SCHEMAS.contains(&keyword) => {
                    self.named(value, Place::Elsewhere)?;
                }
                keyword if SCHEMAS.contains(&keyword) => self.unnamed(value)?,
                // Values, such as a default, hold no schemas, whatever their members are called.
                _ => {}
            }
        }
        Ok(())
    }

    fn named(&mut self, schemas: &Value, place: Place) -> Result<(), InvalidHeaderParam> {
        for (name, schema) in schemas.as_object().into_iter().flatten() {
            self.path.push(name.clone());
            self.schema(schema, place)?;
            self.path.pop();
        }
        Ok(())
    }

    fn unnamed(&mut self, schemas: &Value) -> Result<(), InvalidHeaderParam> {
        match schemas {
            Value::Array(schemas) => {
                (schemas.iter()).try_for_each(|schema| self.schema(schema, Place::Elsewhere))
            }
            schema => self.schema(schema, Place::Elsewhere),
        }
    }

    fn annotated(
        &mut self,
        name: &Value,
        members: &Map<String, Value>,
        place: Place,
    ) -> Result<(), InvalidHeaderParam> {
        let Value::String(name) = name else {
            return Err(self.invalid("", "the name is no text"));
        };
        if place != Place::Property {
            let why = "only what `properties` alone lead to can be a header";
            return Err(self.invalid(name, why));
        }
        if !is_token(name) {
            return Err(self.invalid(name, "the name is no token of HTTP"));
        }
        let kind = match members.get("type").and_then(Value::as_str) {
            Some("string") => HeaderParamKind::String,
            Some("integer") => HeaderParamKind::Integer,
            Some("boolean") => HeaderParamKind::Boolean,
            _ => {
                let why = "only a `string`, `integer` or `boolean` can be a header";
                return Err(self.invalid(name, why));
            }
        };
        let is_taken = |known: &HeaderParam| known.name().eq_ignore_ascii_case(name);
        if self.found.iter().any(is_taken) {
            return Err(self.invalid(name, "another property has the same header"));
        }
        if self.found.len() >= MAX_PARAMS {
            return Err(self.invalid(name, "there are too many headers before it"));
        }
        self.found
            .push(HeaderParam::new(name, self.path.clone(), kind));
        Ok(())
    }

    fn invalid(&self, name: &str, why: &'static str) -> InvalidHeaderParam {
        InvalidHeaderParam {
            name: clean(name),
            property: clean(&self.path.join(".")),
            why,
        }
    }
}

/// What RFC 9110 calls a token.
fn is_token(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_allowed)
}

/// A text of a server's for an error: short, and without control characters.
fn clean(text: &str) -> String {
    let shown = text.chars().take(80);
    shown
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// An annotation that breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidHeaderParam {
    name: String,
    property: String,
    why: &'static str,
}

impl fmt::Display for InvalidHeaderParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            property,
            why,
        } = self;
        write!(f, "the header {name:?} of the property {property:?}: {why}")
    }
}

impl std::error::Error for InvalidHeaderParam {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn of_property(schema: Value) -> Result<Vec<HeaderParam>, InvalidHeaderParam> {
        header_params(&json!({"type": "object", "properties": {"p": schema}}))
    }

    fn refused(schema: Value) -> String {
        header_params(&schema).unwrap_err().to_string()
    }

    #[test]
    fn annotated_properties_are_found_at_any_depth() {
        let params = header_params(&json!({
            "type": "object",
            "x-other": {"x-mcp-header": "no schema"},
            "properties": {
                "region": {"type": "string", "x-mcp-header": "Region", "enum": ["a"]},
                "plain": {"type": "object", "default": {"x-mcp-header": 5}, "enum": [{"x-mcp-header": []}]},
                "x-mcp-header": {"type": "string"},
                "deep": {
                    "type": "object",
                    "properties": {
                        "count": {"type": "integer", "x-mcp-header": "Method"},
                        "flag": {"type": "boolean", "x-mcp-header": "!#$%&'*+-.^_`|~9"},
                    },
                },
            },
        }));
        let found: Vec<_> = params
            .unwrap()
            .into_iter()
            .map(|param| {
                (
                    param.name().to_owned(),
                    param.path().join("/"),
                    param.kind(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (
                    "Region".to_owned(),
                    "region".to_owned(),
                    HeaderParamKind::String
                ),
                (
                    "Method".to_owned(),
                    "deep/count".to_owned(),
                    HeaderParamKind::Integer
                ),
                (
                    "!#$%&'*+-.^_`|~9".to_owned(),
                    "deep/flag".to_owned(),
                    HeaderParamKind::Boolean
                ),
            ]
        );
    }

    /// S26-05, the schemas.
    #[test]
    fn types_that_are_no_texts_of_one_kind_are_refused() {
        for kind in [
            json!("number"),
            json!("object"),
            json!("array"),
            json!("null"),
            json!(["string", "null"]),
            json!(null),
        ] {
            let schema = json!({"type": kind, "x-mcp-header": "Region"});
            let error = of_property(schema).unwrap_err().to_string();
            let expected = "the header \"Region\" of the property \"p\": only a `string`, `integer` or `boolean` can be a header";
            assert_eq!(error, expected);
        }
        assert!(of_property(json!({"x-mcp-header": "Region"})).is_err());
    }

    /// S26-05, the names.
    #[test]
    fn names_that_are_no_tokens_are_refused() {
        for name in [
            "", " ", "a b", "a:b", "größe", "a\r\nb", "a\0", "a\u{7f}", "a/b", "(a)",
        ] {
            let error = of_property(json!({"type": "string", "x-mcp-header": name}));
            let error = error.unwrap_err().to_string();
            assert!(error.ends_with("the name is no token of HTTP"), "{error}");
        }
        for name in [json!(5), json!(null), json!({}), json!(["a"])] {
            let schema = json!({"type": "string", "x-mcp-header": name});
            assert!(of_property(schema).is_err());
        }
    }

    #[test]
    fn names_are_unique_whatever_their_case() {
        let error = refused(json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Region"},
            "b": {"type": "object", "properties": {"c": {"type": "string", "x-mcp-header": "rEGION"}}},
        }}));
        let expected =
            "the header \"rEGION\" of the property \"b.c\": another property has the same header";
        assert_eq!(error, expected);
    }

    #[test]
    fn only_properties_lead_to_a_header() {
        let annotated = json!({"type": "string", "x-mcp-header": "Region"});
        let nested = json!({"properties": {"a": annotated}});
        for keyword in SCHEMAS {
            refused(json!({"properties": {"p": {keyword: annotated}}}));
            refused(json!({keyword: [nested]}));
            refused(json!({keyword: nested}));
        }
        for keyword in NAMED_SCHEMAS {
            refused(json!({keyword: {"a": annotated}}));
            refused(json!({"properties": {"p": {keyword: {"a": nested}}}}));
        }
        refused(annotated);
    }

    #[test]
    fn there_are_so_many_headers_and_no_more() {
        let schema = |count: usize| {
            let property = |at| {
                let name = format!("h{at}");
                (
                    name.clone(),
                    json!({"type": "string", "x-mcp-header": name}),
                )
            };
            let properties: Map<String, Value> = (0..count).map(property).collect();
            json!({"properties": properties})
        };
        assert_eq!(header_params(&schema(64)).unwrap().len(), 64);
        assert!(refused(schema(65)).contains("too many"));
    }

    #[test]
    fn what_is_no_schema_has_no_headers() {
        for schema in [
            json!(true),
            json!(null),
            json!([]),
            json!({"properties": [1]}),
            json!({"properties": {"a": true}}),
        ] {
            assert_eq!(header_params(&schema), Ok(Vec::new()));
        }
    }

    fn anything() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!("string")),
            Just(json!("Region")),
            Just(json!(null)),
            Just(json!(1)),
        ];
        let key = prop::sample::select(vec![
            "properties",
            "items",
            "type",
            ANNOTATION,
            "$defs",
            "a",
            "anyOf",
        ]);
        leaf.prop_recursive(6, 64, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::vec((key.clone(), inner), 0..5).prop_map(|members| {
                    Value::Object(
                        members
                            .into_iter()
                            .map(|(k, v)| (k.to_owned(), v))
                            .collect(),
                    )
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_found_is_where_it_is_said_to_be(schema in anything()) {
            for param in header_params(&schema).into_iter().flatten() {
                let at = param.path().iter().try_fold(&schema, |schema, name| schema.get("properties")?.get(name));
                let name = at.and_then(|schema| schema.get(ANNOTATION)).and_then(Value::as_str);
                prop_assert_eq!(name, Some(param.name()));
            }
        }
    }
}
