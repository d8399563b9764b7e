//! What the headers of an HTTP request say of the message in its body (2026-07-28).
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>

use std::borrow::Cow;

use serde_json::Value;

use super::call::{CallRequest, Incoming};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::ProtocolVersion;
use crate::protocol::http_headers::{self, HeaderParam, decode_value};

/// The headers of the request that a message came with. Names are compared without their case.
pub trait Headers {
    /// The value of a header.
    fn get(&self, name: &str) -> Header<'_>;
}

/// What a request says under the name of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a header is there not at all, once, or more often"
)]
pub enum Header<'h> {
    /// Nothing.
    Missing,
    /// This.
    Value(&'h [u8]),
    /// More than one thing, so that nobody knows which counts.
    Repeated,
}

impl<'h> Header<'h> {
    /// The value without the blanks around it; `None` where there is none.
    fn text(self, name: &str) -> Result<Option<&'h str>, ErrorObject> {
        match self {
            Self::Missing => Ok(None),
            Self::Value(value) => std::str::from_utf8(value)
                .map(|text| Some(text.trim_matches([' ', '\t'])))
                .map_err(|_| mismatch(name, "is not text")),
            Self::Repeated => Err(mismatch(name, "occurs twice")),
        }
    }
}

/// The revision that the headers name, if they name one that is known, and whether they name any.
pub(crate) fn named_version(headers: &dyn Headers) -> (Option<ProtocolVersion>, bool) {
    match headers.get(http_headers::PROTOCOL_VERSION) {
        Header::Missing => (None, false),
        Header::Value(value) => {
            let text = std::str::from_utf8(value).unwrap_or_default();
            (ProtocolVersion::parse(text.trim_matches([' ', '\t'])), true)
        }
        Header::Repeated => (None, true),
    }
}

/// The header must name the revision that the request does.
pub(super) fn check_version(request: &Incoming<'_>, named: &str) -> Result<(), ErrorObject> {
    let Some(headers) = request.headers else {
        return Ok(());
    };
    expect(
        headers,
        http_headers::PROTOCOL_VERSION,
        named,
        "the revision in `_meta`",
    )
}

pub(super) fn check_method(request: &Incoming<'_>) -> Result<(), ErrorObject> {
    let Some(headers) = request.headers else {
        return Ok(());
    };
    expect(
        headers,
        http_headers::METHOD,
        &request.method,
        "the method of the request",
    )
}

/// The header must name what is called or read.
pub(super) fn check_name(request: &Incoming<'_>, what: &CallRequest) -> Result<(), ErrorObject> {
    let Some(headers) = request.headers else {
        return Ok(());
    };
    let (CallRequest::CallTool { name, .. }
    | CallRequest::GetPrompt { name, .. }
    | CallRequest::ReadResource { uri: name }) = what
    else {
        return Ok(());
    };
    let header = http_headers::NAME;
    match decoded(headers, header)? {
        Some(value) if value == name.as_str() => Ok(()),
        Some(_) => Err(mismatch(header, "is not what the request names")),
        None => Err(mismatch(header, "is missing")),
    }
}

/// Headers that repeat arguments of a tool must do so exactly.
pub(crate) fn check_parameters(
    parameters: &[HeaderParam],
    arguments: Option<&[u8]>,
    headers: &dyn Headers,
) -> Result<(), ErrorObject> {
    let arguments = arguments.map_or(Ok(Value::Null), serde_json::from_slice);
    let arguments = arguments.unwrap_or_default();
    for parameter in parameters {
        let name = parameter.header_name();
        let value = decoded(headers, name)?;
        if !parameter.agrees(value.as_deref(), &arguments) {
            return Err(mismatch(name, "is not what the argument is"));
        }
    }
    Ok(())
}

/// The value of a header, free of the encoding that some texts need.
fn decoded<'h>(headers: &'h dyn Headers, name: &str) -> Result<Option<Cow<'h, str>>, ErrorObject> {
    match headers.get(name) {
        Header::Missing => Ok(None),
        Header::Value(value) => decode_value(value)
            .map(Some)
            .map_err(|_| mismatch(name, "is not encoded as it should be")),
        Header::Repeated => Err(mismatch(name, "occurs twice")),
    }
}

fn expect(
    headers: &dyn Headers,
    name: &'static str,
    value: &str,
    what: &str,
) -> Result<(), ErrorObject> {
    match headers.get(name).text(name)? {
        Some(found) if found == value => Ok(()),
        Some(_) => Err(mismatch(name, &format!("is not {what}"))),
        None => Err(mismatch(name, "is missing")),
    }
}

pub(crate) fn mismatch(name: &str, what: &str) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::HEADER_MISMATCH,
        format!("the header `{name}` {what}"),
    )
}
