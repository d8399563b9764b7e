//! Requests that carry their revision in `_meta` (2026-07-28 on).
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning>

use std::collections::HashSet;

use super::call::{Effect, Incoming};
use super::facts::modern_versions;
use super::gate::LogGate;
use super::http;
use super::params::{invalid_params, string};
use super::requests;
use super::server::{ServerSession, Verdict};
use super::subscriptions::{MAX_LISTENERS, MAX_WATCHED};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    Discover, Listen, LoggingLevel, ProtocolVersion, Request, SubscriptionFilter,
    UnsupportedVersionData,
};
use crate::server::{AboutClient, ClientFacts};
use crate::uri_template::chars::compared;

impl ServerSession {
    pub(super) fn on_modern_request(&mut self, request: Incoming<'_>) {
        if let Err(error) = stated(&request) {
            self.refuse(Some(&request.id), request.batch, &error);
            self.verdict = Some(Verdict::Unstated);
        } else if let Err(error) = self.try_modern_request(&request) {
            self.refuse(Some(&request.id), request.batch, &error);
        }
    }

    fn try_modern_request(&mut self, request: &Incoming<'_>) -> Result<(), ErrorObject> {
        let meta = &request.params.request;
        let version = supported(request)?;
        if request.batch.is_some() {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "a request of this revision may not be in a batch",
            ));
        }
        http::check_method(request)?;
        let slice = |text: &str| request.frame.slice_ref(text.as_bytes());
        let what = match &*request.method {
            Discover::METHOD => {
                self.answer(request, version, |out, facts| {
                    out.extend_from_slice(&facts.discover);
                    out.extend_from_slice(&facts.caching);
                });
                return Ok(());
            }
            Listen::METHOD => return self.listen(request, version),
            _ => requests::read(request, &self.facts).ok_or_else(no_method)??,
        };
        http::check_name(request, &what)?;
        let log_gate = meta.log_level.map_or(Ok(LogGate::Closed), |text| {
            severity(text).map(LogGate::Request)
        })?;
        let client = AboutClient::Request(ClientFacts {
            capabilities: meta.capabilities.map(slice),
            info: meta.info.map(slice),
        });
        self.start(request, version, what, log_gate, client);
        Ok(())
    }

    fn listen(
        &mut self,
        request: &Incoming<'_>,
        version: ProtocolVersion,
    ) -> Result<(), ErrorObject> {
        let wanted: SubscriptionFilter = (request.params.notifications)
            // serde would take an array for a struct as well.
            .filter(|text| text.starts_with('{'))
            .and_then(|text| serde_json::from_str(text).ok())
            .ok_or_else(|| invalid_params("`notifications` must be an object"))?;
        if self.subscriptions.len() >= MAX_LISTENERS {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "this connection has as many subscriptions as it may",
            ));
        }
        let honoured = self.honoured(wanted)?;
        let call = self.book(request, version, None, false);
        let out = self.out.buffer();
        let watched = (self.subscriptions).listen(call, request.id.clone(), honoured, out);
        self.effects.extend(watched.into_iter().map(Effect::Watch));
        Ok(())
    }
}

impl ServerSession {
    /// The part of a listener's wishes that the server can meet.
    fn honoured(&self, wanted: SubscriptionFilter) -> Result<SubscriptionFilter, ErrorObject> {
        let offers = self.facts.offers;
        let yes = |wanted: Option<bool>, has: bool| wanted.filter(|wanted| *wanted && has);
        let honoured = SubscriptionFilter {
            tools_list_changed: yes(wanted.tools_list_changed, offers.tools),
            prompts_list_changed: yes(wanted.prompts_list_changed, offers.prompts),
            resources_list_changed: yes(wanted.resources_list_changed, offers.resources),
            resource_subscriptions: (wanted.resource_subscriptions)
                .filter(|_| offers.resources)
                .map(each_once),
        };
        let uris = honoured.resource_subscriptions.as_ref().map_or(0, Vec::len);
        if self.subscriptions.watched() + uris > MAX_WATCHED {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "this connection watches as many resources as it may",
            ));
        }
        Ok(honoured)
    }
}

/// Each resource, in the first of its spellings.
fn each_once(uris: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut is_new = |uri: &String| seen.insert(compared(uri).into_owned());
    uris.into_iter().filter(|uri| is_new(uri)).collect()
}

/// Every request states its revision and what its client can do.
fn stated(request: &Incoming<'_>) -> Result<(), ErrorObject> {
    let meta = &request.params.request;
    if !meta.version.is_some_and(|text| text.starts_with('"')) {
        return Err(invalid_params(
            "`_meta` must hold `io.modelcontextprotocol/protocolVersion`, a string",
        ));
    }
    if !meta.capabilities.is_some_and(|text| text.starts_with('{')) {
        return Err(invalid_params(
            "`_meta` must hold `io.modelcontextprotocol/clientCapabilities`, an object",
        ));
    }
    Ok(())
}

fn supported(request: &Incoming<'_>) -> Result<ProtocolVersion, ErrorObject> {
    let requested = string(
        request.params.request.version.unwrap_or_default(),
        "`io.modelcontextprotocol/protocolVersion` must be a string",
    )?;
    http::check_version(request, &requested)?;
    ProtocolVersion::parse(&requested)
        .filter(|version| version.is_modern())
        .ok_or_else(|| {
            let supported = modern_versions().map(String::from);
            UnsupportedVersionData::new(supported.collect::<Vec<_>>(), requested).into()
        })
}

/// The severity of a log level that the protocol knows.
pub(super) fn severity(level: &str) -> Result<u8, ErrorObject> {
    serde_json::from_str::<LoggingLevel>(level)
        .ok()
        .and_then(|level| level.severity())
        .ok_or_else(|| invalid_params("no such log level"))
}

pub(super) fn no_method() -> ErrorObject {
    ErrorObject::new(ErrorCode::METHOD_NOT_FOUND, "no such method")
}
