//! Commands for those who work on the SDK: `cargo xtask test` runs everything that a change has to pass.

mod command;
mod interop;
mod outside;
mod setup;
mod test;
mod workspace;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [STEP…]     runs every check, or the named ones; `test --list` names them
  interop [FILTER] runs the SDK's server under the clients of other SDKs
  setup            installs what the interop tests need, and prints where";

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    match command.as_deref() {
        Some("test") => test::main(&rest),
        Some("interop") => interop::main(&rest),
        Some("setup") => setup::main(&rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
