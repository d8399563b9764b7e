//! Developers' commands, run as `cargo xtask <command>`.

mod bench;
mod command;
mod conformance;
mod interop;
mod outside;
mod setup;
mod telling;
mod test;
mod workspace;

use std::fmt::Display;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  test [STEP…]      runs every check, or the named ones; `test --list` names them
  interop [FILTER…] runs the SDK's server under the clients of other SDKs, and its client with their servers
  conformance [FILTER…] runs the official conformance suite
  bench [OPTION…]   measures our servers beside the peers; `bench --help` lists the options
  setup             installs what the interop tests need, and says where";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("test") => test::run(args),
        Some("bench") => finish(bench::run(args)),
        Some("interop") => finish(interop::run(args)),
        Some("conformance") => finish(conformance::run(args)),
        Some("setup") => finish(setup::run()),
        _ => finish(Err(USAGE)),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a command tells its user what went wrong"
)]
fn finish<E: Display>(outcome: Result<(), E>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
