//! Structured results against the output schemas of their tools.

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use crate::protocol::{CallTool, CallToolResult, RawJson, Request};

#[cfg(feature = "jsonschema")]
/// Of what is wrong, this many things are told.
const SHOWN: usize = 8;

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
        match violations(schema, result.structured_content.as_ref()) {
            None => Ok(result),
            Some(why) => {
                let why = format!("it does not fit the output schema of `{tool}`: {why}");
                Err(self
                    .shared()
                    .error(CallTool::METHOD, ClientErrorKind::Malformed(why)))
            }
        }
    }
}

/// What is wrong, if anything is. The values themselves are not told: errors end up in logs.
fn violations(schema: &RawJson, content: Option<&RawJson>) -> Option<String> {
    let Some(content) = content else {
        return Some("there is no structured content".to_owned());
    };
    check(schema, content)
}

#[cfg(feature = "jsonschema")]
fn check(schema: &RawJson, content: &RawJson) -> Option<String> {
    let (Ok(schema), Ok(content)) = (schema.parse(), content.parse()) else {
        return Some("it can't be read".to_owned());
    };
    let Ok(validator) = jsonschema::validator_for(&schema) else {
        return Some("the schema is none that can be checked".to_owned());
    };
    let places: Vec<String> = (validator.iter_errors(&content).take(SHOWN))
        .map(|error| format!("at `{}`: {}", error.instance_path(), error.masked()))
        .collect();
    (!places.is_empty()).then(|| places.join("; "))
}

#[cfg(not(feature = "jsonschema"))]
fn check(_schema: &RawJson, _content: &RawJson) -> Option<String> {
    // Nobody can ask for the check then.
    None
}
