//! Request state that the client carries and cannot change.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr>

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::{HMAC, Hash};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::RawJson;
use crate::runtime::Runtime;

/// What sealed states are for, so that a key that is used elsewhere, too, seals nothing else.
const PURPOSE: &[u8] = b"mcp requestState 1";
const MAC: usize = 32;
/// A sealed state, in bytes: clients carry it, headers and logs of proxies may not.
pub(super) const MAX_STATE: usize = 64 << 10;

/// What travels in a state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Seconds since 1970.
    expires: u64,
    /// The answers that were used so far, by the key of their question.
    pub(super) answers: BTreeMap<String, Answer>,
    /// What was asked last, by key: the digest of each question.
    pub(super) open: BTreeMap<String, String>,
    /// What the handler wants to find again.
    pub(super) remembered: BTreeMap<String, RawJson>,
}

/// An answer and the digest of its question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) question: String,
    pub(super) answer: RawJson,
}

/// A digest of a question, long enough that nobody finds another with the same.
pub(super) fn digest(question: &RawJson) -> String {
    let hash = Hash::hash(question.get().as_bytes());
    URL_SAFE_NO_PAD.encode(hash.first_chunk::<16>().unwrap_or(&[0; 16]))
}

/// Whose state it is, and of which call.
pub(super) struct Binding {
    digest: [u8; 32],
}

impl Binding {
    /// `target` names what is called, by whatever the method calls it.
    pub(super) fn new(
        principal: Option<&str>,
        method: &str,
        target: &[u8],
        arguments: &[u8],
    ) -> Self {
        let mut hash = Hash::new();
        hash.update([u8::from(principal.is_some())]);
        for part in [
            principal.unwrap_or_default().as_bytes(),
            method.as_bytes(),
            target,
        ] {
            // With its length, so that nothing can move from one part to the next.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(canonical(arguments));
        Self {
            digest: hash.finalize(),
        }
    }
}

/// The same for all texts of one JSON value: clients may write the arguments of a retry anew.
fn canonical(json: &[u8]) -> Vec<u8> {
    serde_json::from_slice::<Value>(json).map_or_else(
        |_| json.to_vec(),
        |mut value| {
            value.sort_all_objects();
            value.to_string().into_bytes()
        },
    )
}

/// Why a state can't be sealed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SealError {
    TooLong,
    NoRandomness,
}

/// The keys of a server.
#[derive(Default)]
pub(crate) struct Sealer {
    /// The first seals; the others open what was sealed before the keys were changed.
    keys: Vec<Vec<u8>>,
    /// The key of a server that was given none, made when it is first needed.
    own: OnceLock<[u8; 32]>,
    lifetime: Duration,
}

impl Sealer {
    pub(super) fn new(keys: Vec<Vec<u8>>, lifetime: Duration) -> Self {
        Self {
            keys,
            own: OnceLock::new(),
            lifetime,
        }
    }

    pub(super) fn seal(
        &self,
        runtime: &dyn Runtime,
        binding: &Binding,
        mut state: State,
    ) -> Result<String, SealError> {
        state.expires = runtime.unix_time().saturating_add(self.lifetime).as_secs();
        let payload = serde_json::to_vec(&state).unwrap_or_default();
        let mac = mac(self.key(runtime)?, binding, &payload);
        let sealed = URL_SAFE_NO_PAD.encode([&mac[..], &payload].concat());
        if sealed.len() > MAX_STATE {
            return Err(SealError::TooLong);
        }
        Ok(sealed)
    }

    /// `None` for what was changed, belongs to another call or principal, or has expired. Which of these it is would
    /// only help somebody who tries.
    pub(super) fn open(
        &self,
        runtime: &dyn Runtime,
        binding: &Binding,
        sealed: &str,
    ) -> Option<State> {
        if sealed.len() > MAX_STATE {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (mac, payload) = bytes.split_first_chunk::<MAC>()?;
        let own = self.own.get().map(<[u8; 32]>::as_slice);
        let mut keys = self.keys.iter().map(Vec::as_slice).chain(own);
        if !keys.any(|key| message(key, binding, payload).finalize_verify(mac)) {
            return None;
        }
        let state: State = serde_json::from_slice(payload).ok()?;
        (runtime.unix_time().as_secs() < state.expires).then_some(state)
    }

    fn key(&self, runtime: &dyn Runtime) -> Result<&[u8], SealError> {
        if let Some(key) = self.keys.first() {
            return Ok(key);
        }
        if let Some(own) = self.own.get() {
            return Ok(own);
        }
        let mut key = [0; 32];
        runtime
            .fill_random(&mut key)
            .map_err(|_| SealError::NoRandomness)?;
        Ok(self.own.get_or_init(|| key))
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Keys are nobody's business.
        f.debug_struct("Sealer")
            .field("keys", &self.keys.len())
            .field("lifetime", &self.lifetime)
            .finish_non_exhaustive()
    }
}

fn mac(key: &[u8], binding: &Binding, payload: &[u8]) -> [u8; MAC] {
    message(key, binding, payload).finalize()
}

fn message(key: &[u8], binding: &Binding, payload: &[u8]) -> HMAC {
    let mut mac = HMAC::new(key);
    mac.update(PURPOSE);
    mac.update(binding.digest);
    mac.update(payload);
    mac
}
