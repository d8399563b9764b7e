//! Finds out which revision a server speaks, and opens the connection in it.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning>

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::error::{ClientError, ClientErrorKind};
use super::sent::Sent;
use super::server_info::ServerInfo;
use super::shared::{Failure, Shared};
use super::shown::shown;
use crate::protocol::{
    Discover, DiscoverResult, Implementation, Initialize, InitializeParams, InitializeResult,
    Initialized, Notification, ProtocolVersion, Request, UnsupportedVersionData,
};
use crate::session::client::era::{self, Verdict};
use crate::session::client::{Outline, Patience};

/// Opens the connection.
pub(super) async fn open(shared: &Arc<Shared>) -> Result<(), ClientError> {
    let opened = match shared.options.pinned {
        Some(version) if version.is_modern() => modern(shared, version).await,
        Some(version) => legacy(shared, version).await,
        None if shared.options.skips_probe => legacy(shared, ProtocolVersion::LATEST_LEGACY).await,
        None => probe(shared).await,
    };
    let info = opened.map_err(|error| with_noise(shared, error))?;
    // It is set once, by whoever opens.
    let _: Result<(), ServerInfo> = shared.server.set(info);
    shared.lock().session.open();
    Ok(())
}

async fn probe(shared: &Arc<Shared>) -> Result<ServerInfo, ClientError> {
    // A server that takes messages by HTTP answers each, or is not well. So silence says nothing of its era.
    let is_answered = shared.lock().session.parts_messages();
    let within = if is_answered {
        shared.options.patience.idle
    } else {
        shared.options.probe
    };
    match discover(shared, ProtocolVersion::LATEST, within).await {
        Ok(verdict) => match verdict {
            Verdict::Legacy => legacy(shared, ProtocolVersion::LATEST_LEGACY).await,
            verdict => settle(shared, verdict).await,
        },
        Err(Failure::Timeout { sent: true, .. }) if !is_answered => {
            legacy(shared, ProtocolVersion::LATEST_LEGACY).await
        }
        Err(Failure::Malformed(_)) => legacy(shared, ProtocolVersion::LATEST_LEGACY).await,
        Err(failure) => Err(shared.failure(Discover::METHOD, failure)),
    }
}

/// A server that is known to be a modern one, or that is to be spoken with as such.
async fn modern(shared: &Arc<Shared>, version: ProtocolVersion) -> Result<ServerInfo, ClientError> {
    let discovered = discover(shared, version, shared.options.patience.idle).await;
    let verdict = discovered.map_err(|failure| shared.failure(Discover::METHOD, failure))?;
    settle(shared, verdict).await
}

async fn settle(shared: &Arc<Shared>, verdict: Verdict) -> Result<ServerInfo, ClientError> {
    match verdict {
        Verdict::Modern(version, result) => Ok(discovered(shared, version, *result)),
        Verdict::Again(version) => {
            let again = discover(shared, version, shared.options.patience.idle).await;
            match again.map_err(|failure| shared.failure(Discover::METHOD, failure))? {
                Verdict::Modern(version, result) => Ok(discovered(shared, version, *result)),
                _ => Err(disagreed(shared, "it refuses the revision that it names")),
            }
        }
        Verdict::Legacy => Err(disagreed(shared, "it does not speak 2026-07-28")),
        Verdict::NothingInCommon(theirs) => {
            let newest = ProtocolVersion::LATEST.as_str();
            let why = format!("it speaks none of our revisions ({newest} and older)");
            Err(disagreed(shared, &(why + &named(&theirs))))
        }
        Verdict::Refused(error) => {
            Err(shared.error(Discover::METHOD, ClientErrorKind::Refused(error)))
        }
    }
}

async fn discover(
    shared: &Arc<Shared>,
    version: ProtocolVersion,
    within: Duration,
) -> Result<Verdict, Failure> {
    shared.lock().session.speak(version);
    let patience = Patience {
        idle: within,
        total: within,
    };
    let outline = Outline::new(Discover::METHOD, b"{}", Some(patience));
    match Sent::new(shared, &outline)?.await {
        Ok(result) => Ok(era::of_result(&result)),
        Err(Failure::Error(error)) => Ok(era::of_error(error)),
        Err(failure) => Err(failure),
    }
}

fn discovered(shared: &Shared, version: ProtocolVersion, result: DiscoverResult) -> ServerInfo {
    shared.lock().session.speak(version);
    let info = result.meta.server_info();
    ServerInfo {
        implementation: info.unwrap_or_else(|| Implementation::new("server", "")),
        version,
        capabilities: result.capabilities,
        instructions: result.instructions,
    }
}

/// Opens a session by `initialize`.
async fn legacy(shared: &Arc<Shared>, offered: ProtocolVersion) -> Result<ServerInfo, ClientError> {
    let first = initialize(shared, offered).await;
    let result = match first {
        Err(Failure::Error(error)) => {
            if era::refuses_the_handshake(&error) && shared.options.pinned.is_none() {
                // Its answer to the probe was late, perhaps.
                return Box::pin(modern(shared, ProtocolVersion::LATEST)).await;
            }
            match other_version(shared, &error, offered) {
                Some(version) => initialize(shared, version).await,
                None => Err(Failure::Error(error)),
            }
        }
        result => result,
    };
    let result = result.map_err(|failure| shared.failure(Initialize::METHOD, failure))?;
    let agreed = era::agreed(&result.protocol_version).filter(|version| {
        shared
            .options
            .pinned
            .is_none_or(|pinned| pinned == *version)
    });
    let Some(version) = agreed else {
        let theirs = shown(&result.protocol_version, 40);
        let ours = offered.as_str();
        let why = format!("it was offered revision {ours} and answers with {theirs}");
        return Err(shared.error(Initialize::METHOD, ClientErrorKind::Unsupported(why)));
    };
    let mut state = shared.lock();
    state.session.speak(version);
    // What does not go out now never will: the connection ends.
    let _: Result<(), _> = state.session.notify(Initialized::METHOD, b"{}");
    drop(state);
    shared.wake_driver();
    Ok(ServerInfo {
        implementation: result.server_info,
        version,
        capabilities: result.capabilities,
        instructions: result.instructions,
    })
}

/// A revision that the server names when it refuses the one it was offered.
fn other_version(
    shared: &Shared,
    error: &crate::ErrorObject,
    offered: ProtocolVersion,
) -> Option<ProtocolVersion> {
    let data: UnsupportedVersionData = error.data_as()?;
    let versions = data
        .supported
        .iter()
        .filter_map(|version| era::agreed(version));
    versions
        .filter(|version| *version != offered && shared.options.pinned.is_none())
        .max()
}

async fn initialize(
    shared: &Arc<Shared>,
    offered: ProtocolVersion,
) -> Result<InitializeResult, Failure> {
    let facts = {
        let mut state = shared.lock();
        state.session.speak(offered);
        Arc::clone(state.session.facts())
    };
    let params = InitializeParams::new(
        offered.as_str(),
        facts.capabilities.clone(),
        facts.info.clone(),
    );
    let params = written(&params);
    let patience = Patience {
        idle: shared.options.patience.idle,
        total: shared.options.patience.idle,
    };
    let outline = Outline::new(Initialize::METHOD, &params, Some(patience));
    let result = Sent::new(shared, &outline)?.await?;
    serde_json::from_slice(&result)
        .map_err(|_| Failure::Malformed("it is no answer to `initialize`"))
}

fn written<T: Serialize>(params: &T) -> Vec<u8> {
    let mut text = Vec::new();
    crate::jsonrpc::write_json(&mut text, params);
    text
}

fn disagreed(shared: &Shared, why: &str) -> ClientError {
    shared.error(
        Discover::METHOD,
        ClientErrorKind::Unsupported(why.to_owned()),
    )
}

/// The revisions that a server names for its own, for an error.
fn named(theirs: &[String]) -> String {
    if theirs.is_empty() {
        return " and names none of its own".to_owned();
    }
    let shown: Vec<String> = theirs
        .iter()
        .take(8)
        .map(|version| shown(version, 40))
        .collect();
    format!(", but {}", shown.join(", "))
}

/// What a server that can't be opened has written besides: often it is why.
fn with_noise(shared: &Shared, error: ClientError) -> ClientError {
    let state = shared.lock();
    let Some(noise) = state.session.noise() else {
        return error;
    };
    let noise = format!("it has written what is no message: {noise:?}");
    drop(state);
    error.with_note(noise)
}
