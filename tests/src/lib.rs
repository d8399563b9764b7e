//! Tests with real processes: other people's clients against our server.
//!
//! `cargo xtask interop` installs the clients and runs them; the tests are in `interop/`, the programs that they start
//! in `clients/`. The README's code is compiled here, as the documentation of a package that has what it needs.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
