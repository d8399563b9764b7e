//! The params of a request to a server, taken apart in one pass: slices of the frame by member.

use crate::jsonrpc::{ErrorCode, ErrorObject, Scanner, SyntaxError};
use crate::protocol::Meta;

/// The members that some request or notification to a server has. All are JSON texts.
#[derive(Debug, Default)]
pub(super) struct Params<'f> {
    pub(super) name: Option<&'f str>,
    pub(super) arguments: Option<&'f str>,
    pub(super) cursor: Option<&'f str>,
    pub(super) level: Option<&'f str>,
    pub(super) notifications: Option<&'f str>,
    pub(super) protocol_version: Option<&'f str>,
    pub(super) capabilities: Option<&'f str>,
    pub(super) client_info: Option<&'f str>,
    pub(super) request_id: Option<&'f str>,
    pub(super) meta: Option<&'f str>,
    pub(super) request: RequestMeta<'f>,
}

/// What `_meta` of a request says. All are JSON texts.
#[derive(Debug, Default)]
pub(super) struct RequestMeta<'f> {
    pub(super) version: Option<&'f str>,
    pub(super) capabilities: Option<&'f str>,
    pub(super) info: Option<&'f str>,
    pub(super) log_level: Option<&'f str>,
    pub(super) progress_token: Option<&'f str>,
}

impl<'f> Params<'f> {
    /// Takes params apart; absent ones have no members.
    pub(super) fn scan(text: Option<&'f str>) -> Result<Self, ErrorObject> {
        let mut params = Self::default();
        let Some(text) = text else {
            return Ok(params);
        };
        let scanned = Scanner::new(text).object(|key, value| {
            let slot = match &*key {
                "name" => &mut params.name,
                "arguments" => &mut params.arguments,
                "cursor" => &mut params.cursor,
                "level" => &mut params.level,
                "notifications" => &mut params.notifications,
                "protocolVersion" => &mut params.protocol_version,
                "capabilities" => &mut params.capabilities,
                "clientInfo" => &mut params.client_info,
                "requestId" => &mut params.request_id,
                "_meta" => &mut params.meta,
                _ => return Ok(()),
            };
            // Null in place of an optional member means that it is not there.
            *slot = Some(value).filter(|value| *value != "null");
            Ok(())
        });
        scanned.map_err(|_| invalid_params("`params` must be an object"))?;
        if let Some(meta) = params.meta {
            params.request = RequestMeta::scan(meta)
                .map_err(|_| invalid_params("`_meta` must be an object"))?;
        }
        Ok(params)
    }
}

impl<'f> RequestMeta<'f> {
    fn scan(text: &'f str) -> Result<Self, SyntaxError> {
        let mut meta = Self::default();
        Scanner::new(text).object(|key, value| {
            let slot = match &*key {
                Meta::PROTOCOL_VERSION => &mut meta.version,
                Meta::CLIENT_CAPABILITIES => &mut meta.capabilities,
                Meta::CLIENT_INFO => &mut meta.info,
                Meta::LOG_LEVEL => &mut meta.log_level,
                Meta::PROGRESS_TOKEN => &mut meta.progress_token,
                _ => return Ok(()),
            };
            *slot = Some(value).filter(|value| *value != "null");
            Ok(())
        })?;
        Ok(meta)
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
