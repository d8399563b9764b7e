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

/// Which era a message is of, by its headers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport that forgets one must not compile"
)]
pub enum Claim {
    /// 2026-07-28 or later, or something that nobody knows: the message stands for itself.
    Modern,
    /// Before 2026-07-28.
    Legacy(ProtocolVersion),
    /// They do not say. So do `initialize`, and what follows it in 2025-03-26.
    Unclaimed,
}

impl Claim {
    /// What the headers claim.
    #[must_use]
    pub fn of(headers: &dyn Headers) -> Self {
        let text = match headers.get(http_headers::PROTOCOL_VERSION) {
            Header::Missing => return Self::Unclaimed,
            Header::Value(value) => std::str::from_utf8(value).unwrap_or_default(),
            Header::Repeated => return Self::Modern,
        };
        match ProtocolVersion::parse(text.trim_matches([' ', '\t'])) {
            Some(version) if !version.is_modern() => Self::Legacy(version),
            _ => Self::Modern,
        }
    }

    /// The revision of a message that is of an older one: that before the header came, if there is none.
    pub(crate) const fn legacy_version(self) -> ProtocolVersion {
        match self {
            Self::Legacy(version) => version,
            Self::Modern | Self::Unclaimed => ProtocolVersion::V2025_03_26,
        }
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

/// Headers that repeat arguments of a tool must do so exactly, where the revision has such headers.
pub(crate) fn check_parameters(
    version: ProtocolVersion,
    parameters: &[HeaderParam],
    arguments: Option<&[u8]>,
    headers: &dyn Headers,
) -> Result<(), ErrorObject> {
    if !version.has_header_params() {
        return Ok(());
    }
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
