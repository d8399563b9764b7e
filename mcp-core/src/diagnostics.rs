//! What people who run a server may want to know. Never what a message says.

#[cfg(feature = "tracing")]
mod imp {
    use std::time::Duration;

    pub(crate) fn skipped(what: &str, total: u64) {
        tracing::warn!(what, total, "skipped input");
    }

    pub(crate) fn slow(kind: &str, name: &str, held: Duration) {
        tracing::warn!(
            kind,
            name,
            held_ms = u64::try_from(held.as_millis()).unwrap_or(u64::MAX),
            "a handler held its session; with `blocking`, or as an async function, it would not"
        );
    }

    pub(crate) fn tool_left_out(name: &str, why: &str) {
        let name: String = name.chars().take(100).collect();
        tracing::warn!(
            ?name,
            why,
            "a tool that can't be called by HTTP is left out"
        );
    }

    pub(crate) fn panicked(kind: &str, name: &str) {
        tracing::error!(kind, name, "a handler panicked");
    }

    #[cfg(feature = "fs")]
    pub(crate) fn folder_not_read(why: std::io::ErrorKind) {
        tracing::warn!(%why, "a folder could not be looked through; its list stays as it was");
    }
}

#[cfg(not(feature = "tracing"))]
mod imp {
    use std::time::Duration;

    pub(crate) const fn skipped(_what: &str, _total: u64) {}
    pub(crate) const fn slow(_kind: &str, _name: &str, _held: Duration) {}
    pub(crate) const fn tool_left_out(_name: &str, _why: &str) {}
    pub(crate) const fn panicked(_kind: &str, _name: &str) {}
    #[cfg(feature = "fs")]
    pub(crate) const fn folder_not_read(_why: std::io::ErrorKind) {}
}

#[cfg(feature = "fs")]
pub(crate) use imp::folder_not_read;
pub(crate) use imp::{panicked, skipped, slow, tool_left_out};
