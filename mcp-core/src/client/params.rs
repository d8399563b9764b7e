//! Params as they are sent: what they say, and the metadata that a caller adds.

use serde::Serialize;

use crate::jsonrpc::{Scanner, write_json, write_string};
use crate::protocol::Meta;
use crate::session::client::{Outline, Patience};

/// The params of a request.
pub(super) struct Params {
    /// An object without `_meta`, on one line.
    pub(super) text: Vec<u8>,
    /// The members of `_meta` of the caller's own, without braces.
    pub(super) meta: Vec<u8>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            text: b"{}".to_vec(),
            meta: Vec::new(),
        }
    }
}

impl Params {
    /// Writes a value that serialises as an object.
    ///
    /// # Errors
    ///
    /// When serde can't write it.
    pub(super) fn written<T: Serialize>(params: &T) -> Result<Self, String> {
        let mut text = serde_json::to_vec(params).map_err(|fault| fault.to_string())?;
        on_one_line(&mut text);
        let text = String::from_utf8(text).map_err(|fault| fault.to_string())?;
        Ok(Self::parted(&text))
    }

    /// Takes the metadata out of the JSON text of an object, for the client adds its own.
    pub(super) fn parted(text: &str) -> Self {
        let mut params = Vec::with_capacity(text.len());
        params.push(b'{');
        let mut meta = Vec::new();
        // It is JSON, and an object.
        let _: Result<(), _> = Scanner::new(text).object(|key, value| {
            if key == "_meta" {
                meta = own_members(&serde_json::from_str(value).unwrap_or_default());
                return Ok(());
            }
            if params.len() > 1 {
                params.push(b',');
            }
            write_string(&mut params, &key);
            params.push(b':');
            params.extend_from_slice(value.as_bytes());
            Ok(())
        });
        params.push(b'}');
        Self { text: params, meta }
    }

    pub(super) fn outline<'a>(&'a self, method: &'a str, patience: Patience) -> Outline<'a> {
        Outline {
            meta: &self.meta,
            ..Outline::new(method, &self.text, Some(patience))
        }
    }
}

/// Takes line breaks out of a JSON text. They stand between tokens, since strings hold none, and a frame is one line.
pub(super) fn on_one_line(text: &mut Vec<u8>) {
    if memchr::memchr2(b'\n', b'\r', text).is_some() {
        text.retain(|byte| !matches!(byte, b'\n' | b'\r'));
    }
}

/// The members of metadata that a caller may set, without braces.
pub(super) fn own_members(meta: &Meta) -> Vec<u8> {
    const SET_HERE: [&str; 5] = [
        Meta::PROTOCOL_VERSION,
        Meta::CLIENT_CAPABILITIES,
        Meta::CLIENT_INFO,
        Meta::LOG_LEVEL,
        Meta::PROGRESS_TOKEN,
    ];
    let mut out = Vec::new();
    for (name, value) in meta.iter().filter(|(name, _)| !SET_HERE.contains(name)) {
        if !out.is_empty() {
            out.push(b',');
        }
        write_string(&mut out, name);
        out.push(b':');
        write_json(&mut out, value);
    }
    out
}
