//! Requests of connections that began with `initialize` (up to 2025-11-25), and the handshake itself.
//!
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle>

use std::sync::atomic::Ordering;

use bytes::Bytes;
use serde_json::json;

use super::call::{Effect, Incoming};
use super::gate::LogGate;
use super::handshake::{Handshake, Negotiated};
use super::modern::{no_method, severity};
use super::params::{invalid_params, string};
use super::requests;
use super::server::{ServerSession, Verdict};
use super::subscriptions::MAX_WATCHED;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    Initialize, Ping, ProtocolVersion, Request, SetLevel, Subscribe, Unsubscribe,
};
use crate::server::{AboutClient, ClientFacts};

impl ServerSession {
    pub(super) fn on_legacy_request(&mut self, request: Incoming<'_>) {
        let outcome = match (self.handshake.negotiated(), &*request.method) {
            (_, Ping::METHOD) => {
                self.answer(&request, ProtocolVersion::LATEST_LEGACY, |_, _| {});
                Ok(())
            }
            (_, Initialize::METHOD) if request.batch.is_none() && self.handshake.is_open() => {
                self.initialize(&request)
            }
            (_, Initialize::METHOD) => Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "`initialize` comes once, alone, and first",
            )),
            (None, _) => Err(before_initialize()),
            (Some(negotiated), _) => {
                let negotiated = negotiated.clone();
                self.try_legacy_request(&request, negotiated)
            }
        };
        if let Err(error) = outcome {
            self.refuse(Some(&request.id), request.batch, &error);
            if self.handshake.negotiated().is_none() {
                self.verdict = Some(Verdict::Unstated);
            }
        }
    }

    fn try_legacy_request(
        &mut self,
        request: &Incoming<'_>,
        negotiated: Negotiated,
    ) -> Result<(), ErrorObject> {
        let what = match &*request.method {
            Subscribe::METHOD if self.facts.offers.resources => {
                let uri = requests::uri(request)?;
                if self.subscriptions.watched() >= MAX_WATCHED {
                    return Err(ErrorObject::new(
                        ErrorCode::INVALID_REQUEST,
                        "this connection watches as many resources as it may",
                    ));
                }
                let new = self.subscriptions.subscribe(uri.as_str());
                self.effects.extend(new.map(Effect::Watch));
                self.answer(request, negotiated.version, |_, _| {});
                return Ok(());
            }
            Unsubscribe::METHOD if self.facts.offers.resources => {
                let uri = requests::uri(request)?;
                let gone = self.subscriptions.unsubscribe(uri.as_str());
                self.effects.extend(gone.map(Effect::Unwatch));
                self.answer(request, negotiated.version, |_, _| {});
                return Ok(());
            }
            SetLevel::METHOD if self.facts.has_logging => {
                let level = (request.params.level)
                    .ok_or_else(|| invalid_params("`level` is missing"))
                    .and_then(severity)?;
                negotiated.log_level.store(level, Ordering::Relaxed);
                self.answer(request, negotiated.version, |_, _| {});
                return Ok(());
            }
            _ => requests::read(request, &self.facts).ok_or_else(no_method)??,
        };
        let log_gate = LogGate::Session(negotiated.log_level);
        self.start(
            request,
            negotiated.version,
            what,
            log_gate,
            AboutClient::Session(negotiated.client),
        );
        Ok(())
    }

    /// Unknown revisions, those to come, and none at all are answered with our latest of the era: the client decides
    /// whether it can speak that.
    fn initialize(&mut self, request: &Incoming<'_>) -> Result<(), ErrorObject> {
        let offered = (request.params.protocol_version)
            .map(|text| string(text, "`protocolVersion` must be a string"))
            .transpose()?;
        let version = offered
            .and_then(|offered| ProtocolVersion::parse(&offered))
            .filter(|version| !version.is_modern())
            .unwrap_or(ProtocolVersion::LATEST_LEGACY);
        // Copies: a slice would keep what was read with it as long as the session lasts.
        let copy = |text: &str| Bytes::copy_from_slice(text.as_bytes());
        let client = ClientFacts {
            capabilities: request.params.capabilities.map(copy),
            info: request.params.client_info.map(copy),
        };
        self.handshake = Handshake::Answered(Negotiated::new(version, client));
        self.answer(request, version, |out, facts| {
            let result = facts.initialize_result(version);
            out.extend_from_slice(result.get(1..result.len() - 1).unwrap_or_default());
        });
        Ok(())
    }
}

fn before_initialize() -> ErrorObject {
    let supported = ProtocolVersion::ALL.map(ProtocolVersion::as_str);
    let message = format!(
        "send `initialize` first, or name the revision in `_meta`; supported: {}",
        supported.join(", ")
    );
    ErrorObject::new(ErrorCode::INVALID_PARAMS, message)
        .with_data(json!({ "supported": supported }))
}
