//! The rules of a conversation, without I/O, clock or tasks.
//!
//! [`ServerSession`] is told what happened (`receive`, `handle_eof`, `handle_timeout`) and what the application wants
//! (`respond`, `report`, `tools_changed`), and is asked what to do next (`poll_effect` until `None`, `outgoing` with
//! `wrote`, `deadline`).

mod addressee;
mod answer;
mod asked;
mod batch;
mod call;
mod calls;
pub(crate) mod client;
mod draining;
mod facts;
mod gate;
mod handshake;
pub(crate) mod http;
mod inbound;
mod legacy;
mod modern;
mod notices;
mod outgoing;
mod params;
mod parking;
mod reporting;
mod requests;
pub(crate) mod sampling;
mod server;
mod subscriptions;
#[cfg(test)]
mod tests;

pub(crate) use addressee::Addressee;
pub(crate) use answer::encode;
pub(crate) use call::{Call, CallRequest, Effect, Name};
pub(crate) use calls::CallKey;
pub(crate) use facts::{Facts, Offers, ServerFacts};
pub(crate) use gate::LogGate;
pub(crate) use handshake::Negotiated;
pub(crate) use params::Params;
pub(crate) use server::{ServerSession, SessionLimits, Verdict};
