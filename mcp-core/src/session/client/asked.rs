//! What the server asks of the client, up to 2025-11-25.

use std::collections::HashMap;

use serde::de::DeserializeOwned;

use super::{ClientEffect, ClientSession};
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId};
use crate::protocol::{
    ClientCapabilities, CreateMessage, CreateMessageParams, Elicit, ElicitParams, InputRequest,
    ListRoots, Ping, ProtocolVersion, RawJson, Request, RequestParams,
};
use crate::session::sampling;

/// What a server may ask at the same time.
pub(crate) const MAX_ASKED: usize = 256;
/// Bytes of what it asks.
const MAX_ASKED_BYTES: usize = 16 << 20;

/// Names a request of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AskedKey(u64);

/// A request of the server that an application answers.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) request: InputRequest,
}

#[derive(Debug, Default)]
pub(super) struct AskedRequests {
    by_key: HashMap<u64, UnderWay>,
    next: u64,
    bytes: usize,
}

#[derive(Debug)]
struct UnderWay {
    id: RequestId,
    bytes: usize,
}

impl AskedRequests {
    pub(super) fn take_all(&mut self) -> Vec<AskedKey> {
        self.bytes = 0;
        let mut keys: Vec<_> = self.by_key.drain().map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.into_iter().map(AskedKey).collect()
    }

    fn find(&self, id: &RequestId) -> Option<u64> {
        let mut asked = self.by_key.iter();
        asked
            .find(|(_, known)| known.id == *id)
            .map(|(key, _)| *key)
    }

    fn insert(&mut self, id: RequestId, bytes: usize) -> u64 {
        let key = self.next;
        self.next += 1;
        self.bytes += bytes;
        self.by_key.insert(key, UnderWay { id, bytes });
        key
    }

    fn remove(&mut self, key: u64) -> Option<RequestId> {
        let UnderWay { id, bytes } = self.by_key.remove(&key)?;
        self.bytes -= bytes;
        Some(id)
    }

    /// Whether this much more would be too much.
    fn is_full(&self, bytes: usize) -> bool {
        self.by_key.len() >= MAX_ASKED || self.bytes + bytes > MAX_ASKED_BYTES
    }
}

impl ClientSession {
    /// Whether this waits for its answer.
    pub(crate) fn is_asked(&self, key: AskedKey) -> bool {
        self.asked.by_key.contains_key(&key.0)
    }

    /// Answers what the server has asked. It may have withdrawn the question in the meantime.
    pub(crate) fn respond(&mut self, key: AskedKey, answer: Result<RawJson, ErrorObject>) {
        let Some(id) = self.asked.remove(key.0) else {
            return;
        };
        match answer {
            Ok(result) => self.write_result(&id, result.get()),
            Err(error) => self.refuse(&id, &error),
        }
    }

    fn write_result(&mut self, id: &RequestId, result: &str) {
        if !self.has_ended {
            let before = self.out.len();
            jsonrpc::begin_result(&mut self.out, id);
            self.out.extend_from_slice(result.as_bytes());
            jsonrpc::end(&mut self.out);
            self.answers += self.out.len() - before;
            self.depart_as_answer();
        }
    }

    fn refuse(&mut self, id: &RequestId, error: &ErrorObject) {
        if !self.has_ended {
            let before = self.out.len();
            jsonrpc::write_error(&mut self.out, Some(id), error);
            self.answers += self.out.len() - before;
            self.depart_as_answer();
        }
    }

    /// A request of the server.
    pub(super) fn on_request(&mut self, id: RequestId, method: &str, params: Option<&str>) {
        if self.version.is_modern() {
            // There are none in this revision, and answers to them neither.
            return self.skip("a request of the server");
        }
        if method == Ping::METHOD {
            return self.write_result(&id, "{}");
        }
        let params = params.unwrap_or("{}");
        match self.judge(&id, method, params) {
            Ok(request) => {
                let key = self.asked.insert(id, params.len());
                let asked = Box::new(Asked { request });
                let serve = ClientEffect::Serve(AskedKey(key), asked);
                self.effects.push_back(serve);
            }
            Err(error) => self.refuse(&id, &error),
        }
    }

    /// A question that the server has taken back.
    pub(super) fn on_withdrawal(&mut self, id: &RequestId) {
        if let Some(key) = self.asked.find(id) {
            self.asked.remove(key);
            self.effects
                .push_back(ClientEffect::Withdraw(AskedKey(key)));
        }
    }

    fn judge(
        &self,
        id: &RequestId,
        method: &str,
        params: &str,
    ) -> Result<InputRequest, ErrorObject> {
        if self.asked.find(id).is_some() {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "another request with this id is still under way",
            ));
        }
        if self.asked.is_full(params.len()) {
            return Err(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                "too many requests are under way",
            ));
        }
        let request = match method {
            Elicit::METHOD => InputRequest::Elicit(read::<ElicitParams>(params)?),
            CreateMessage::METHOD => {
                InputRequest::CreateMessage(read::<CreateMessageParams>(params)?)
            }
            ListRoots::METHOD => InputRequest::ListRoots(read::<RequestParams>(params)?),
            _ => return Err(not_supported(method)),
        };
        check(&request, &self.facts.capabilities, self.version)?;
        Ok(request)
    }
}

/// Whether a client that declares these capabilities can be asked this.
pub(crate) fn check(
    request: &InputRequest,
    capabilities: &ClientCapabilities,
    version: ProtocolVersion,
) -> Result<(), ErrorObject> {
    match request {
        InputRequest::Elicit(params) => {
            let declared = capabilities.elicitation.as_ref();
            let declared = declared.ok_or_else(|| not_supported(Elicit::METHOD))?;
            let supported = match params {
                ElicitParams::Form(_) => declared.supports_form(),
                ElicitParams::Url(_) => declared.supports_url(),
                ElicitParams::Other(_) => false,
            };
            if !supported {
                return Err(invalid("this client is not asked in this mode"));
            }
        }
        InputRequest::CreateMessage(params) => {
            let declared = capabilities.sampling.as_ref();
            let declared = declared.ok_or_else(|| not_supported(CreateMessage::METHOD))?;
            if declared.tools.is_none() && (params.tools.is_some() || params.tool_choice.is_some())
            {
                return Err(invalid("this client lets no model use tools"));
            }
            sampling::check(params, version)
                .map_err(|why| ErrorObject::new(ErrorCode::INVALID_PARAMS, why))?;
        }
        InputRequest::ListRoots(_) => {
            if capabilities.roots.is_none() {
                return Err(not_supported(ListRoots::METHOD));
            }
        }
        InputRequest::Other(_) => return Err(not_supported("this method")),
    }
    Ok(())
}

fn not_supported(method: &str) -> ErrorObject {
    let shown: String = method.chars().take(100).collect();
    ErrorObject::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("this client does not support {shown}"),
    )
}

fn invalid(message: &'static str) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_PARAMS, message)
}

fn read<T: DeserializeOwned>(params: &str) -> Result<T, ErrorObject> {
    serde_json::from_str(params).map_err(|fault| {
        ErrorObject::new(
            ErrorCode::INVALID_PARAMS,
            format!("the params can't be read: {fault}"),
        )
    })
}
