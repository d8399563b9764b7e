//! Servers as processes of their own, started by this very binary: how they end, and what they do with their streams.
//!
//! Without the usual harness, for that one writes to standard output, which belongs to the protocol in the server.
#![cfg_attr(
    unix,
    expect(
        clippy::print_stdout,
        reason = "the list of tests, and the stray print"
    )
)]

#[cfg(unix)]
mod ends;
#[cfg(unix)]
mod fixture;
#[cfg(unix)]
mod server;
#[cfg(unix)]
mod streams;

/// Long enough for any machine; only a test that hangs waits for it.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    if let Some(kind) = std::env::var_os(fixture::KIND) {
        return server::main(&kind.to_string_lossy());
    }
    let (flags, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with('-'));
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    if has("--list") {
        // None is ignored by default.
        if !has("--ignored") {
            all().for_each(|(name, _)| println!("{name}: test"));
        }
        return std::process::ExitCode::SUCCESS;
    }
    let is_wanted = |name: &str, wanted: &str| match has("--exact") {
        true => name == wanted,
        false => name.contains(wanted),
    };
    let mut failed = false;
    for (name, test) in all() {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| is_wanted(name, wanted)) {
            continue;
        }
        let passed = passes(*test);
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed |= !passed;
    }
    std::process::ExitCode::from(u8::from(failed))
}

#[cfg(unix)]
fn all() -> impl Iterator<Item = &'static ends::Test> {
    ends::TESTS.iter().chain(streams::TESTS)
}

/// Runs a test to its end, unless it never gets there.
#[cfg(unix)]
fn passes(test: fn()) -> bool {
    let (done, outcome) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        test();
        done.send(()).ok();
    });
    outcome.recv_timeout(PATIENCE).is_ok()
}

#[cfg(not(unix))]
fn main() {}
