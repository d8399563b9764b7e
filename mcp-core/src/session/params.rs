//! The params of a request to a server, taken apart while their frame is scanned: slices of the frame by member.

use bytes::Bytes;

use crate::jsonrpc::{ErrorCode, ErrorObject, Members};
use crate::protocol::Meta;
use crate::server::Given;

/// The members that some request or notification to a server has. All are JSON texts.
#[derive(Debug, Default)]
pub(crate) struct Params<'f> {
    pub(super) name: Option<&'f str>,
    pub(super) arguments: Option<&'f str>,
    pub(super) uri: Option<&'f str>,
    pub(super) reference: Option<&'f str>,
    pub(super) argument: Option<&'f str>,
    pub(super) context: Option<&'f str>,
    pub(super) cursor: Option<&'f str>,
    pub(super) level: Option<&'f str>,
    pub(super) notifications: Option<&'f str>,
    pub(super) protocol_version: Option<&'f str>,
    pub(super) capabilities: Option<&'f str>,
    pub(super) client_info: Option<&'f str>,
    pub(crate) request_id: Option<&'f str>,
    pub(super) input_responses: Option<&'f str>,
    pub(super) request_state: Option<&'f str>,
    pub(super) meta: Option<&'f str>,
    pub(super) request: RequestMeta<'f>,
    /// Whether one of these was there more than once, so that others may have read another value.
    twice: bool,
}

/// What `_meta` of a request says. All are JSON texts.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'f> {
    pub(super) version: Option<&'f str>,
    pub(super) capabilities: Option<&'f str>,
    pub(super) info: Option<&'f str>,
    pub(super) log_level: Option<&'f str>,
    pub(super) progress_token: Option<&'f str>,
}

impl<'f> Members<'f> for Params<'f> {
    fn member(&mut self, key: &str, value: &'f str) {
        let slot = match key {
            "name" => &mut self.name,
            "arguments" => &mut self.arguments,
            "_meta" => &mut self.meta,
            "uri" => &mut self.uri,
            "ref" => &mut self.reference,
            "argument" => &mut self.argument,
            "context" => &mut self.context,
            "cursor" => &mut self.cursor,
            "level" => &mut self.level,
            "notifications" => &mut self.notifications,
            "protocolVersion" => &mut self.protocol_version,
            "capabilities" => &mut self.capabilities,
            "clientInfo" => &mut self.client_info,
            "requestId" => &mut self.request_id,
            "inputResponses" => {
                // Null is a malformed answer rather than none.
                self.twice |= self.input_responses.replace(value).is_some();
                return;
            }
            "requestState" => &mut self.request_state,
            _ => return,
        };
        self.twice |= slot.is_some();
        *slot = unless_null(value);
    }

    fn wants_inner(key: &str) -> bool {
        key == "_meta"
    }

    fn inner(&mut self, key: &str, value: &'f str) {
        let slot = match key {
            Meta::PROTOCOL_VERSION => &mut self.request.version,
            Meta::CLIENT_CAPABILITIES => &mut self.request.capabilities,
            Meta::CLIENT_INFO => &mut self.request.info,
            Meta::LOG_LEVEL => &mut self.request.log_level,
            Meta::PROGRESS_TOKEN => &mut self.request.progress_token,
            _ => return,
        };
        self.twice |= slot.is_some();
        *slot = unless_null(value);
    }
}

/// Null in place of an optional member means that it is not there.
fn unless_null(value: &str) -> Option<&str> {
    Some(value).filter(|value| *value != "null")
}

impl Params<'_> {
    /// Checks that params, which were there or not, were an object, and their `_meta` too, of members that occur once.
    pub(super) fn check(&self, text: Option<&str>) -> Result<(), ErrorObject> {
        if text.is_some_and(|text| !text.starts_with('{')) {
            return Err(invalid_params("`params` must be an object"));
        }
        if self.meta.is_some_and(|text| !text.starts_with('{')) {
            return Err(invalid_params("`_meta` must be an object"));
        }
        if self.twice {
            return Err(invalid_params("a member of `params` occurs twice"));
        }
        Ok(())
    }

    /// What came with a request when the client was asked before.
    pub(super) fn given(&self, slice: impl Fn(&str) -> Bytes) -> Option<Box<Given>> {
        if self.input_responses.is_none() && self.request_state.is_none() {
            return None;
        }
        Some(Box::new(Given {
            responses: self.input_responses.map(slice),
            // What is no string is no state of ours, and refused as such.
            state: (self.request_state)
                .map(|text| string(text, "").map_or_else(|_| String::new(), Into::into)),
        }))
    }
}

pub(super) fn invalid_params(message: &'static str) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_PARAMS, message)
}

/// Reads a JSON text that must be a string.
pub(super) fn string<'f>(
    text: &'f str,
    message: &'static str,
) -> Result<std::borrow::Cow<'f, str>, ErrorObject> {
    crate::jsonrpc::unescape(text).map_err(|_| invalid_params(message))
}
