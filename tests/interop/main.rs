//! The conformance server, over stdio, under the clients of other SDKs; and our client, with other people's servers.
//!
//! Each test of the server lets one client in one mode walk through the whole conversation and compares every step with the tables in
//! `expected`. What differs between clients is what they show, never what the server says.

#[cfg(test)]
mod client;
#[cfg(test)]
mod environment;
#[cfg(test)]
mod expected;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod inspector;
#[cfg(test)]
mod python;
#[cfg(test)]
mod servers;
#[cfg(test)]
mod typescript;
