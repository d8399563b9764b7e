//! Running other programs, and the two ways in which a step can end early.

use std::io;
use std::process::{Command, Stdio};

/// Why a step did not pass.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The machine lacks something; with `CI=true` that is a failure.
    #[error("{0}")]
    Skipped(String),
    #[error("`{program}` ended with {status}")]
    Ended { program: String, status: String },
    #[error("`{program}` could not be started")]
    NotStarted { program: String, source: io::Error },
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    /// A program ran, but what it printed or left behind is not what it should be.
    #[error("{0}")]
    Unexpected(String),
}

impl Stop {
    pub(crate) fn file(path: &std::path::Path, source: io::Error) -> Self {
        Self::File {
            path: path.display().to_string(),
            source,
        }
    }

    /// The same end, as a thing that this machine cannot do: for installing, where there may be no network.
    pub(crate) fn into_skip(self, what: &str) -> Self {
        Self::Skipped(format!("{what}: {self}"))
    }
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "that is what a command is for")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Runs a program with its output on ours.
pub(crate) fn run(command: &mut Command) -> Result<(), Stop> {
    say(&format!("    $ {}", shown(command)));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|source| not_started(command, source))?;
    if status.success() {
        return Ok(());
    }
    Err(Stop::Ended {
        program: shown(command),
        status: status.to_string(),
    })
}

/// Runs a program and returns what it wrote to stdout.
pub(crate) fn output(command: &mut Command) -> Result<String, Stop> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| not_started(command, source))?;
    if !output.status.success() {
        return Err(Stop::Ended {
            program: shown(command),
            status: output.status.to_string(),
        });
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Stop::Unexpected(format!("`{}` printed no UTF-8", shown(command))))
}

/// Whether a program is there and does, unseen, what it is asked.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether a skip is a failure, as on the machines that decide what is merged.
pub(crate) fn on_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

fn not_started(command: &Command, source: io::Error) -> Stop {
    Stop::NotStarted {
        program: shown(command),
        source,
    }
}

fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_name()
        .unwrap_or_else(|| command.get_program())
        .to_string_lossy()
        .into_owned();
    command.get_args().fold(program, |line, argument| {
        line + " " + &argument.to_string_lossy()
    })
}
