//! Structured results against the output schemas of their tools.

#[cfg(feature = "jsonschema")]
mod limits;
#[cfg(feature = "jsonschema")]
mod refs;
#[cfg(feature = "jsonschema")]
mod walk;

#[cfg(feature = "jsonschema")]
use serde_json::Value;

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
#[cfg(feature = "jsonschema")]
use super::shown::shown;
use crate::protocol::{CallTool, CallToolResult, RawJson, Request};

#[cfg(feature = "jsonschema")]
/// Of what is wrong, this many things are told.
const SHOWN: usize = 8;
#[cfg(feature = "jsonschema")]
/// And of each of them this many characters: where it is and what was expected are the server's words.
const SHOWN_CHARS: usize = 200;
#[cfg(feature = "jsonschema")]
/// What is kept of one regular expression while it runs.
const PATTERN_CACHE: usize = 1 << 20;

impl Client {
    /// The result, if its structured content fits the schema that the server lists for the tool.
    pub(super) async fn check_output(
        &self,
        tool: &str,
        result: CallToolResult,
    ) -> Result<CallToolResult, ClientError> {
        if result.is_error == Some(true) {
            return Ok(result);
        }
        let tools = self.list_all_tools().await?;
        let listed = tools.iter().find(|listed| listed.name == tool);
        let Some(schema) = listed.and_then(|listed| listed.output_schema.as_ref()) else {
            return Ok(result);
        };
        let why = match result.structured_content.as_ref() {
            None => format!(
                "it does not fit the output schema of `{tool}`: there is no structured content"
            ),
            Some(content) => match check(schema, content) {
                Verdict::Fits => return Ok(result),
                Verdict::Misfits(why) => {
                    format!("it does not fit the output schema of `{tool}`: {why}")
                }
                Verdict::Unchecked(why) => {
                    format!("it can't be checked against the output schema of `{tool}`: {why}")
                }
            },
        };
        Err(self
            .shared()
            .error(CallTool::METHOD, ClientErrorKind::Malformed(why)))
    }
}

/// What comes of a check.
#[cfg_attr(
    not(feature = "jsonschema"),
    expect(dead_code, reason = "nobody can ask for the check then")
)]
enum Verdict {
    Fits,
    /// What is wrong. The values themselves are not told: errors end up in logs.
    Misfits(String),
    /// Why nobody can say.
    Unchecked(String),
}

#[cfg(feature = "jsonschema")]
fn check(schema: &RawJson, content: &RawJson) -> Verdict {
    if let Err(why) = limits::sizes(schema, content) {
        return Verdict::Unchecked(why);
    }
    let (Ok(schema), Ok(content)) = (schema.parse(), content.parse()) else {
        return Verdict::Unchecked("one of them can't be read".to_owned());
    };
    match checked(&schema, &content) {
        Ok(None) => Verdict::Fits,
        Ok(Some(why)) => Verdict::Misfits(why),
        Err(why) => Verdict::Unchecked(why),
    }
}

/// What is wrong, if anything is.
#[cfg(feature = "jsonschema")]
fn checked(schema: &Value, content: &Value) -> Result<Option<String>, String> {
    let references = limits::parts(schema)?;
    let validator = compiled(schema, &references, content)?;
    if validator.is_valid(content) {
        return Ok(None);
    }
    if !walk::can_be_told(schema, &references, content) {
        return Ok(Some("it would take too long to tell where".to_owned()));
    }
    let places: Vec<String> = (validator.iter_errors(content).take(SHOWN))
        .map(|error| {
            let told = format!("at `{}`: {}", error.instance_path(), error.masked());
            shown(&told, SHOWN_CHARS)
        })
        .collect();
    Ok(Some(places.join("; ")))
}

/// What checks the content, which it can do in bounded time.
#[cfg(feature = "jsonschema")]
fn compiled(
    schema: &Value,
    references: &limits::References<'_>,
    content: &Value,
) -> Result<jsonschema::Validator, String> {
    for patterns in [walk::Patterns::SMALL, walk::Patterns::LARGE] {
        walk::work(schema, references, content, patterns)?;
        let regex = jsonschema::PatternOptions::regex()
            .size_limit(patterns.program)
            .dfa_size_limit(PATTERN_CACHE);
        // A format asserts nothing by itself in the newer dialects, and some are checked by work without a bound.
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(regex);
        if let Ok(validator) = options.build(schema) {
            return Ok(validator);
        }
    }
    Err("the schema is none that can be checked, by its keywords or by a regular expression that is large or does not run in linear time".to_owned())
}

#[cfg(not(feature = "jsonschema"))]
fn check(_schema: &RawJson, _content: &RawJson) -> Verdict {
    // Nobody can ask for the check then.
    Verdict::Fits
}
