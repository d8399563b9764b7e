//! Which providers the schema of a tool would upset, and why.

use std::fmt;

use serde_json::{Map, Value};

/// One thing in the schema of a tool that a provider refuses or passes over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintFinding {
    /// Who minds.
    pub provider: Provider,
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// What the provider minds.
    pub problem: String,
}

impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at `{}`: {}",
            self.provider, self.pointer, self.problem
        )
    }
}

/// Whose models read the schemas of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's function calling with `strict`.
    OpenAiStrict,
    /// Gemini's function declarations.
    Gemini,
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anthropic => "Anthropic",
            Self::OpenAiStrict => "OpenAI strict",
            Self::Gemini => "Gemini",
        })
    }
}

/// Says what providers would mind in the schema of a tool's arguments, given as JSON.
///
/// The findings of one provider do not bear on the others: a schema that is fine for Anthropic may be refused by
/// OpenAI's strict mode. Text that is no JSON object is minded by all.
#[must_use]
pub fn lint(schema_json: &str) -> Vec<LintFinding> {
    let mut linter = Linter {
        findings: Vec::new(),
    };
    match serde_json::from_str(schema_json) {
        Ok(Value::Object(root)) => {
            linter.root(&root);
            linter.schema(&Value::Object(root), "", 0);
        }
        _ => linter.everyone("", "the schema is not a JSON object"),
    }
    linter.findings
}

/// How deep OpenAI lets objects nest.
const OPENAI_LEVELS: usize = 10;

/// Keywords that OpenAI's strict mode answers with an error.
const OPENAI_REFUSES: [&str; 19] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
    "propertyNames",
    "prefixItems",
    "contains",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "default",
];

/// The formats of OpenAI's strict mode.
const OPENAI_FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Keywords that the `Schema` object of Gemini's API does not have.
const GEMINI_REFUSES: [&str; 20] = [
    "$ref",
    "const",
    "oneOf",
    "allOf",
    "not",
    "additionalProperties",
    "patternProperties",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "prefixItems",
    "contains",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "propertyNames",
    "$schema",
    "$defs",
];

struct Linter {
    findings: Vec<LintFinding>,
}

impl Linter {
    fn find(&mut self, provider: Provider, at: &str, problem: impl Into<String>) {
        self.findings.push(LintFinding {
            provider,
            pointer: at.to_owned(),
            problem: problem.into(),
        });
    }

    fn everyone(&mut self, at: &str, problem: &str) {
        for provider in [
            Provider::Anthropic,
            Provider::OpenAiStrict,
            Provider::Gemini,
        ] {
            self.find(provider, at, problem);
        }
    }

    fn root(&mut self, root: &Map<String, Value>) {
        if root.get("type").is_none_or(|name| name != "object") {
            self.everyone("", "the root must have `\"type\": \"object\"`");
        }
        for union in ["oneOf", "anyOf", "allOf"] {
            if root.contains_key(union) {
                self.everyone("", &format!("`{union}` at the top is refused"));
            }
        }
        for name in root
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
        {
            let fine = (1..=64).contains(&name.len())
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
            if !fine {
                let problem = "names of arguments must match `^[a-zA-Z0-9_.-]{1,64}$`";
                self.find(
                    Provider::Anthropic,
                    &format!("/properties/{}", escaped(name)),
                    problem,
                );
            }
        }
    }

    fn schema(&mut self, schema: &Value, at: &str, level: usize) {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(_) => {
                self.find(
                    Provider::OpenAiStrict,
                    at,
                    "`true` and `false` as schemas are refused",
                );
                self.find(
                    Provider::Gemini,
                    at,
                    "`true` and `false` as schemas are refused",
                );
                return;
            }
            _ => return self.everyone(at, "a schema must be an object"),
        };
        self.openai(map, at, level);
        self.gemini(map, at);
        let outside = map
            .get("$ref")
            .and_then(Value::as_str)
            .is_some_and(|reference| !reference.starts_with('#'));
        if outside {
            self.everyone(at, "a `$ref` out of the schema is never fetched");
        }
        self.below(map, at, level);
    }

    fn below(&mut self, map: &Map<String, Value>, at: &str, level: usize) {
        for (keyword, value) in map {
            let here = format!("{at}/{keyword}");
            match (keyword.as_str(), value) {
                (
                    "properties" | "patternProperties" | "$defs" | "definitions",
                    Value::Object(schemas),
                ) => {
                    let level = level + usize::from(keyword == "properties");
                    for (name, schema) in schemas {
                        self.schema(schema, &format!("{here}/{}", escaped(name)), level);
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter().enumerate() {
                        self.schema(schema, &format!("{here}/{index}"), level);
                    }
                }
                ("items" | "not" | "if" | "then" | "else" | "contains", schema) => {
                    self.schema(schema, &here, level);
                }
                ("additionalProperties", Value::Object(_)) => self.schema(value, &here, level),
                _ => {}
            }
        }
    }

    fn openai(&mut self, map: &Map<String, Value>, at: &str, level: usize) {
        for keyword in OPENAI_REFUSES {
            if map.contains_key(keyword) {
                self.find(
                    Provider::OpenAiStrict,
                    at,
                    format!("`{keyword}` is not supported"),
                );
            }
        }
        let says = [
            "type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "not",
        ];
        if !says.iter().any(|keyword| map.contains_key(*keyword)) {
            self.find(Provider::OpenAiStrict, at, "every schema needs a `type`");
        }
        let format = map.get("format").and_then(Value::as_str);
        if let Some(format) = format.filter(|format| !OPENAI_FORMATS.contains(format)) {
            self.find(
                Provider::OpenAiStrict,
                at,
                format!("the format `{format}` is not supported"),
            );
        }
        if level == OPENAI_LEVELS + 1 {
            let problem = format!("objects may nest {OPENAI_LEVELS} levels deep");
            self.find(Provider::OpenAiStrict, at, problem);
        }
        if names_type(map, "object") {
            self.openai_object(map, at);
        }
    }

    fn openai_object(&mut self, map: &Map<String, Value>, at: &str) {
        if map.get("additionalProperties") != Some(&Value::Bool(false)) {
            let problem = "every object must have `\"additionalProperties\": false`";
            self.find(Provider::OpenAiStrict, at, problem);
        }
        let required = super::transform::required_names(map);
        for name in map
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
        {
            if !required.contains(name) {
                let problem = format!("`{name}` must be in `required`; make it nullable instead");
                self.find(Provider::OpenAiStrict, at, problem);
            }
        }
    }

    fn gemini(&mut self, map: &Map<String, Value>, at: &str) {
        for keyword in GEMINI_REFUSES {
            if map.contains_key(keyword) {
                self.find(
                    Provider::Gemini,
                    at,
                    format!("`{keyword}` is not supported"),
                );
            }
        }
        if map.get("type").is_some_and(Value::is_array) {
            self.find(
                Provider::Gemini,
                at,
                "`type` must be one name; use `nullable` or `anyOf`",
            );
        }
        if names_type(map, "array") && !map.contains_key("items") {
            self.find(Provider::Gemini, at, "an array needs `items`");
        }
        let values = map.get("enum").and_then(Value::as_array);
        if values.is_some_and(|values| values.iter().any(|value| !value.is_string())) {
            self.find(Provider::Gemini, at, "`enum` may hold strings only");
        }
        let formats = ["date-time", "enum", "float", "double", "int32", "int64"];
        let format = map.get("format").and_then(Value::as_str);
        if let Some(format) = format.filter(|format| !formats.contains(format)) {
            self.find(
                Provider::Gemini,
                at,
                format!("the format `{format}` is not supported"),
            );
        }
    }
}

fn names_type(map: &Map<String, Value>, name: &str) -> bool {
    super::transform::has_type(map, name)
}

/// A name as part of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minded_by(provider: Provider, schema: &str) -> Vec<String> {
        lint(schema)
            .into_iter()
            .filter(|finding| finding.provider == provider)
            .map(|finding| format!("{} {}", finding.pointer, finding.problem))
            .collect()
    }

    #[test]
    fn a_plain_schema_upsets_nobody_but_gemini() {
        let schema = r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#;
        let providers: Vec<Provider> = lint(schema)
            .into_iter()
            .map(|finding| finding.provider)
            .collect();
        assert_eq!(providers, [Provider::Gemini]);
    }

    #[test]
    fn a_union_at_the_top_upsets_everyone() {
        let schema = r#"{"oneOf":[{"type":"object"}]}"#;
        for provider in [
            Provider::Anthropic,
            Provider::OpenAiStrict,
            Provider::Gemini,
        ] {
            assert!(!minded_by(provider, schema).is_empty(), "{provider}");
        }
    }

    #[test]
    fn optional_arguments_upset_openai_strict() {
        let schema = r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#;
        assert_eq!(
            minded_by(Provider::OpenAiStrict, schema),
            [" `a` must be in `required`; make it nullable instead"]
        );
    }

    #[test]
    fn every_place_is_found() {
        let schema = r##"{"type":"object","properties":{"a b":{"type":"array","items":{"anyOf":[{"const":1},{"$ref":"http://x"}]}}}}"##;
        assert_eq!(minded_by(Provider::Anthropic, schema).len(), 2);
        assert_eq!(
            minded_by(Provider::Gemini, schema),
            [
                "/properties/a b/items/anyOf/0 `const` is not supported",
                "/properties/a b/items/anyOf/1 `$ref` is not supported",
                "/properties/a b/items/anyOf/1 a `$ref` out of the schema is never fetched",
            ]
        );
    }

    #[test]
    fn what_is_no_schema_upsets_everyone() {
        for text in ["", "[]", "true", "{"] {
            assert_eq!(lint(text).len(), 3, "{text}");
        }
    }
}
