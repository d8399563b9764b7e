//! Children that are servers of all kinds, good and bad.
#![cfg(unix)]

mod ends;
mod script;
