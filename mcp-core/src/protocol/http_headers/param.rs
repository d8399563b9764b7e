use std::fmt;

use serde_json::{Number, Value};

use super::PARAM_PREFIX;

/// The largest integer that a header may carry: beyond it, not every reader of JSON keeps the last digit.
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// An argument of a tool that requests by HTTP repeat in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderParam {
    name: String,
    header: String,
    path: Vec<String>,
    kind: HeaderParamKind,
}

/// What such an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderParamKind {
    /// Text, which is [encoded](super::encode_value) where it has to be.
    String,
    /// A whole number, in decimal.
    Integer,
    /// `true` or `false`.
    Boolean,
}

impl HeaderParam {
    pub(super) fn new(name: &str, path: Vec<String>, kind: HeaderParamKind) -> Self {
        Self {
            name: name.to_owned(),
            header: format!("{PARAM_PREFIX}{}", name.to_ascii_lowercase()),
            path,
            kind,
        }
    }

    /// The name in the schema.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the header, in lower case.
    #[must_use]
    pub fn header_name(&self) -> &str {
        &self.header
    }

    /// Where the argument is: the names of properties, from the outermost inwards.
    #[must_use]
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// What the schema says it is.
    #[must_use]
    pub const fn kind(&self) -> HeaderParamKind {
        self.kind
    }

    /// What the header says for these arguments, before it is [encoded](super::encode_value). Without the argument, or
    /// when it is null, there is no header; neither is there for an array or object, which breaks the schema anyway.
    ///
    /// # Errors
    ///
    /// When it is an integer beyond ±(2^53 − 1), which may not be sent.
    pub fn text(&self, arguments: &Value) -> Result<Option<String>, UnsafeInteger> {
        Ok(match self.find(arguments) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Bool(value)) => Some(value.to_string()),
            Some(Value::Number(number)) => Some(self.number(number)?),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => None,
        })
    }

    /// Whether what the header says, once [decoded](super::decode_value), is what the arguments say. Integers are
    /// compared as numbers: `42.0` is 42.
    #[must_use]
    pub fn agrees(&self, header: Option<&str>, arguments: &Value) -> bool {
        match (self.text(arguments), header) {
            (Ok(Some(text)), Some(header)) => {
                let is_number = matches!(self.find(arguments), Some(Value::Number(_)));
                text == header || (is_number && whole(header).is_some_and(|same| same == text))
            }
            (Ok(text), header) => text.is_none() && header.is_none(),
            (Err(_), _) => false,
        }
    }

    fn find<'v>(&self, arguments: &'v Value) -> Option<&'v Value> {
        (self.path.iter()).try_fold(arguments, |value, name| value.as_object()?.get(name))
    }

    fn number(&self, number: &Number) -> Result<String, UnsafeInteger> {
        let value = number.as_i64().or_else(|| {
            // 4e1 is an integer, too.
            let value = number.as_f64()?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is whole, and what does not fit becomes a number out of bounds"
            )]
            (value.fract() == 0.0).then_some(value as i64)
        });
        match value {
            Some(value) if value.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => {
                Ok(value.to_string())
            }
            Some(_) => Err(UnsafeInteger {
                name: self.name.clone(),
            }),
            None => Ok(number.to_string()),
        }
    }
}

/// The decimal digits of a whole number, however it is written, or `None`.
fn whole(text: &str) -> Option<String> {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_whole = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    if !is_whole || !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    digits.parse::<i64>().ok().map(|value| value.to_string())
}

/// An integer that can't travel in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsafeInteger {
    name: String,
}

impl fmt::Display for UnsafeInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        write!(
            f,
            "the argument of the header parameter {name} is an integer beyond ±{MAX_INTEGER}, which can't be sent by HTTP"
        )
    }
}

impl std::error::Error for UnsafeInteger {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn param(kind: HeaderParamKind) -> HeaderParam {
        HeaderParam::new("Region", vec!["a".to_owned(), "b".to_owned()], kind)
    }

    fn text(value: &Value) -> Option<String> {
        param(HeaderParamKind::String)
            .text(&json!({"a": {"b": value}}))
            .unwrap()
    }

    #[test]
    fn a_header_repeats_the_argument_at_its_path() {
        assert_eq!(text(&json!("us west")), Some("us west".to_owned()));
        assert_eq!(text(&json!("")), Some(String::new()));
        assert_eq!(text(&json!(true)), Some("true".to_owned()));
        assert_eq!(text(&json!(false)), Some("false".to_owned()));
        assert_eq!(text(&json!(-42)), Some("-42".to_owned()));
        assert_eq!(text(&json!(42.0)), Some("42".to_owned()));
        assert_eq!(
            text(&json!(9_007_199_254_740_991_i64)),
            Some("9007199254740991".to_owned())
        );
        // For the server to refuse.
        assert_eq!(text(&json!(1.5)), Some("1.5".to_owned()));
    }

    #[test]
    fn without_the_argument_there_is_no_header() {
        for nothing in [json!(null), json!([1]), json!({"c": 1})] {
            assert_eq!(text(&nothing), None);
        }
        let param = param(HeaderParamKind::String);
        for arguments in [
            json!({}),
            json!({"a": 5}),
            json!({"a": null}),
            json!({"b": "x"}),
            json!({"a": [{"b": 1}]}),
        ] {
            assert_eq!(param.text(&arguments), Ok(None));
            assert!(param.agrees(None, &arguments));
            assert!(!param.agrees(Some(""), &arguments));
        }
    }

    #[test]
    fn integers_that_not_everybody_can_read_are_refused() {
        for value in [
            json!(9_007_199_254_740_992_i64),
            json!(-9_007_199_254_740_992_i64),
            json!(u64::MAX),
            json!(1e300),
        ] {
            let param = param(HeaderParamKind::Integer);
            let arguments = json!({"a": {"b": value}});
            let error = param.text(&arguments).unwrap_err();
            assert!(error.to_string().contains("Region"), "{error}");
            assert!(!param.agrees(Some(&value.to_string()), &arguments));
        }
    }

    #[test]
    fn integers_are_compared_as_numbers() {
        let param = param(HeaderParamKind::Integer);
        let body = json!({"a": {"b": 42}});
        for same in ["42", "42.0", "42.00", "042"] {
            assert!(param.agrees(Some(same), &body), "{same}");
        }
        for other in [
            "43",
            "42.1",
            "42.",
            "+42",
            "4.2e1",
            "0x2a",
            "",
            "forty-two",
            "42 ",
        ] {
            assert!(!param.agrees(Some(other), &body), "{other}");
        }
        assert!(param.agrees(Some("42"), &json!({"a": {"b": 42.0}})));
        assert!(param.agrees(Some("-1.0"), &json!({"a": {"b": -1}})));
        assert!(!param.agrees(None, &body));
    }

    #[test]
    fn texts_and_booleans_are_compared_exactly() {
        let param = param(HeaderParamKind::String);
        let body = json!({"a": {"b": "42"}});
        assert!(param.agrees(Some("42"), &body));
        assert!(!param.agrees(Some("42.0"), &body));
        let body = json!({"a": {"b": true}});
        assert!(param.agrees(Some("true"), &body));
        assert!(!param.agrees(Some("True"), &body) && !param.agrees(Some("1"), &body));
    }

    #[test]
    fn the_name_of_the_header_is_in_lower_case() {
        assert_eq!(
            param(HeaderParamKind::String).header_name(),
            "mcp-param-region"
        );
        assert_eq!(param(HeaderParamKind::String).name(), "Region");
    }
}
