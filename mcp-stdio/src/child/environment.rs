//! What a child gets of our environment: what programs need to run, and no secrets.

use std::env;
use std::ffi::OsString;

/// Names that are passed on. Their values are where things are and who works here.
#[cfg(not(windows))]
const BASE: &[&str] = &[
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];

#[cfg(windows)]
const BASE: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The part of our environment that children get.
pub(super) fn base() -> impl Iterator<Item = (&'static str, OsString)> {
    let set = BASE
        .iter()
        .filter_map(|name| Some((*name, env::var_os(name)?)));
    // Functions of a shell, which some programs would run.
    set.filter(|(_, value)| !value.as_encoded_bytes().starts_with(b"()"))
}
