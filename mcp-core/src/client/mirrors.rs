//! The arguments that tools want repeated in headers, where requests have headers (2026-07-28, by HTTP).
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::shared::Shared;
use crate::diagnostics;
use crate::protocol::http_headers::{ANNOTATION, HeaderParam, UnsafeInteger, header_params};
use crate::protocol::{CallTool, Request, Tool};
use crate::session::client::text_of;

/// The most tools that are known to have such arguments. A list has no more elements.
const MAX_TOOLS: usize = 100_000;

/// The tools that have such arguments, as far as they were listed.
#[derive(Default)]
pub(super) struct Mirrors {
    by_tool: HashMap<String, Arc<[HeaderParam]>>,
}

impl Mirrors {
    /// Looks at a tool that was listed, and says whether it can be used: one with annotations that break the rules can't.
    pub(super) fn learn(&mut self, tool: &Tool) -> bool {
        match annotated(tool) {
            Ok(params) if params.is_empty() => {
                self.by_tool.remove(&tool.name);
            }
            Ok(params) => {
                if self.by_tool.len() < MAX_TOOLS || self.by_tool.contains_key(&tool.name) {
                    self.by_tool.insert(tool.name.clone(), params.into());
                }
            }
            Err(why) => {
                self.by_tool.remove(&tool.name);
                diagnostics::tool_left_out(&tool.name, &why);
                return false;
            }
        }
        true
    }
}

fn annotated(tool: &Tool) -> Result<Vec<HeaderParam>, String> {
    let schema = &tool.input_schema;
    // Most have none, and need not be read for that.
    if !schema.get().contains(ANNOTATION) {
        return Ok(Vec::new());
    }
    let schema: Value = schema.parse().map_err(|fault| fault.to_string())?;
    header_params(&schema).map_err(|why| why.to_string())
}

impl Shared {
    /// Whether requests repeat arguments in headers.
    pub(super) fn mirrors_arguments(&self) -> bool {
        self.lock().session.cancels_by_letting_go()
    }

    /// The headers of a request with these params, names and what they say.
    pub(super) fn mirrored(
        &self,
        method: &str,
        params: &[u8],
    ) -> Result<Vec<(String, String)>, UnsafeInteger> {
        let state = self.lock();
        let known = &state.mirrors.by_tool;
        if known.is_empty() || method != CallTool::METHOD {
            return Ok(Vec::new());
        }
        let tool = text_of("name", params);
        let Some(wanted) = tool.and_then(|tool| known.get(&tool).cloned()) else {
            return Ok(Vec::new());
        };
        drop(state);
        // They were written by this client.
        let params: Value = serde_json::from_slice(params).unwrap_or_default();
        let arguments = params.get("arguments").unwrap_or(&Value::Null);
        let mut headers = Vec::new();
        for param in &*wanted {
            if let Some(text) = param.text(arguments)? {
                headers.push((param.header_name().to_owned(), text));
            }
        }
        Ok(headers)
    }
}
