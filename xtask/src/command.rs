//! Running other programs, and the two ways in which a step can end early.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::telling::Telling;

/// Why a step did not pass.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The machine lacks something; with `CI=true` that is a failure.
    #[error("{0}")]
    Skipped(String),
    #[error("`{program}` ended with {status}")]
    Ended {
        program: String,
        status: String,
        /// The lines of its output that say why.
        told: Vec<String>,
    },
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

    /// The lines that say more than one can.
    pub(crate) fn told(&self) -> &[String] {
        match self {
            Self::Ended { told, .. } => told,
            _ => &[],
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

/// Runs a program with its output on ours, and keeps what it says about failures.
pub(crate) fn run(command: &mut Command) -> Result<(), Stop> {
    say(&format!("    $ {}", shown(command)));
    if io::stdout().is_terminal() {
        // It writes into a pipe, and would leave them out.
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| not_started(command, source))?;
    let telling = Mutex::default();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| pass_on(out, io::stdout(), &telling));
        pass_on(err, io::stderr(), &telling);
    });
    let status = child
        .wait()
        .map_err(|source| not_started(command, source))?;
    if status.success() {
        return Ok(());
    }
    let telling = telling.into_inner().unwrap_or_else(PoisonError::into_inner);
    Err(Stop::Ended {
        program: shown(command),
        status: status.to_string(),
        told: telling.into_lines(),
    })
}

/// Line by line, until there is no more.
fn pass_on(from: Option<impl Read>, mut to: impl Write, telling: &Mutex<Telling>) {
    let Some(from) = from else { return };
    let (mut from, mut line) = (BufReader::new(from), Vec::new());
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        // Whoever does not read our output can't be told so.
        let _: io::Result<()> = to.write_all(&line);
        let text = String::from_utf8_lossy(&line);
        (telling.lock().unwrap_or_else(PoisonError::into_inner)).hear(&text);
        line.clear();
    }
}

/// Runs a program and returns all that it wrote; of one that fails, the end of that is shown.
pub(crate) fn run_quietly(command: &mut Command) -> Result<String, Stop> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source| not_started(command, source))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    say(&format!("    $ {}", shown(command)));
    let lines: Vec<_> = text.lines().collect();
    let skipped = lines.len().saturating_sub(SHOWN_LINES);
    lines[skipped..].iter().for_each(|line| say(line));
    Err(Stop::Ended {
        program: shown(command),
        status: output.status.to_string(),
        told: Vec::new(),
    })
}

/// Of a program that is quiet unless it fails. A panic and what libFuzzer says of it are fewer.
const SHOWN_LINES: usize = 200;

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
            told: Vec::new(),
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
