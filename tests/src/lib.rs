//! Tests with real processes: other people's clients against our server, and our client against other people's servers.
//!
//! `cargo xtask interop` installs and runs them; the tests are in `interop/`, the programs that they start in `clients/`
//! and `servers/`. The README's code is compiled here, as the documentation of a package that has what it needs.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
