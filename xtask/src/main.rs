//! Developers' commands, run as `cargo xtask <command>`.

mod bench;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask bench [--help]";

#[expect(
    clippy::print_stderr,
    reason = "a command tells its user what went wrong"
)]
fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let outcome = match args.next().as_deref() {
        Some("bench") => bench::run(args),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
