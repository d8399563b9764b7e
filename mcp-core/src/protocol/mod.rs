//! The vocabulary of the protocol.
