use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::closing::Closing;
use super::error::SpawnError;
use super::handle::ChildHandle;
use super::pipes::{Input, Output};
use super::process::spawn;
use super::stderr::{Drain, Stderr};
use super::transport::ChildTransport;
use crate::framing::{LineDecoder, MAX_LINE};
use crate::stream::StreamTransport;

/// Half for a child that ends with its input, as nearly all do; most of the rest for one that wants a signal.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(4);

/// Longer than anybody waits, and far from where the clock ends.
const LONGEST: Duration = Duration::from_secs(86_400);

/// What a program needs to find its files, its home and its language; nothing that is likely to be a secret.
#[cfg(not(windows))]
const SAFE: &[&str] = &[
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];
#[cfg(windows)]
const SAFE: &[&str] = &[
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

/// A server to be started as a child process.
///
/// The program is started directly, never through a shell, so arguments reach it as they are. A command may be started
/// any number of times.
///
/// # Environment
///
/// A child gets what was set by [`env`](Self::env) and [`envs`](Self::envs), as it is, and of our own environment only
/// `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE`, `LOGNAME`, `PATH`, `SHELL`, `TERM`, `TMPDIR`, `TZ` and `USER` (on Windows `APPDATA`,
/// `COMSPEC`, `HOMEDRIVE`, `HOMEPATH`, `LOCALAPPDATA`, `PATH`, `PATHEXT`, `PROCESSOR_ARCHITECTURE`, `PROGRAMDATA`, `PROGRAMFILES`,
/// `SYSTEMDRIVE`, `SYSTEMROOT`, `TEMP`, `TMP`, `USERNAME`, `USERPROFILE`, `WINDIR`): a server is someone else's program, and
/// ours may hold keys. [`inherit_env`](Self::inherit_env) gives it everything, [`env_clear`](Self::env_clear) nothing. A
/// program named without a folder is looked for in the `PATH` that the child gets.
///
/// # Examples
///
/// ```no_run
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_core::Client;
/// use mcp_core::runtime::TokioRuntime;
/// use mcp_stdio::{Command, Stderr};
///
/// let transport = Command::new("uvx")
///     .arg("mcp-server-fetch")
///     .env("FETCH_PROXY", "none")
///     .stderr(Stderr::Tail)
///     .spawn()?;
/// let runtime = TokioRuntime::new();
/// let client = Client::builder("example", "1.0.0").connect(transport, runtime).await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use = "a command does nothing until it is started"]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
    base: Base,
    envs: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    stderr: Stderr,
    max_line: usize,
    close_timeout: Duration,
}

/// What a child gets of our own environment.
#[derive(Clone, Copy, Debug)]
enum Base {
    Safe,
    All,
    Nothing,
}

impl Command {
    /// A program, by its path or by a name to be looked for in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            base: Base::Safe,
            envs: Vec::new(),
            directory: None,
            stderr: Stderr::default(),
            max_line: MAX_LINE,
            close_timeout: CLOSE_TIMEOUT,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    /// Sets a variable of the environment, in addition to what the child gets anyway.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let variable = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.envs.push(variable);
        self
    }

    /// Sets variables of the environment, in addition to what the child gets anyway.
    pub fn envs(
        self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Self {
        let set = |this: Self, (name, value)| this.env(name, value);
        variables.into_iter().fold(self, set)
    }

    /// Gives the child all of our own environment.
    pub fn inherit_env(mut self) -> Self {
        self.base = Base::All;
        self
    }

    /// Gives the child nothing of our own environment, not even `PATH`.
    pub fn env_clear(mut self) -> Self {
        self.base = Base::Nothing;
        self
    }

    /// Sets the folder in which the child starts. A program given by a relative path may be looked for from there, so
    /// give an absolute one.
    pub fn current_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.directory = Some(directory.as_ref().to_owned());
        self
    }

    /// Sets what becomes of the child's standard error.
    pub fn stderr(mut self, stderr: Stderr) -> Self {
        self.stderr = stderr;
        self
    }

    /// Sets the longest line that is taken from the child, in bytes, instead of 10 MiB.
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// Sets how long closing may take in all, instead of four seconds, and at most a day: half of it passes before the child is asked to
    /// end by a signal, seven eighths before it is killed.
    pub fn close_timeout(mut self, timeout: Duration) -> Self {
        self.close_timeout = timeout.min(LONGEST);
        self
    }

    /// Starts the program.
    ///
    /// # Errors
    ///
    /// The program or the folder is not there or may not be used, the system has no room for another process, or there
    /// is no tokio runtime here.
    ///
    /// # Panics
    ///
    /// In a tokio runtime without I/O or time enabled.
    pub fn spawn(&self) -> Result<ChildTransport, SpawnError> {
        let name = self.name();
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(SpawnError::no_runtime(name));
        }
        if let Some(directory) = &self.directory {
            // The system says of both that something was not found.
            let entered = std::fs::metadata(directory.join("."));
            entered.map_err(|error| SpawnError::directory(name.clone(), error))?;
        }
        let stderr = match self.stderr {
            Stderr::Null => Stdio::null(),
            Stderr::Inherit | Stderr::Tail => Stdio::piped(),
        };
        let spawned = spawn(self.to_std(), stderr)
            .map_err(|error| SpawnError::system(name.clone(), error))?;
        let handle = Arc::new(ChildHandle::new(name, spawned.process.id()));
        let drain = match spawned.errors {
            Some(pipe) => {
                let echo = self.stderr == Stderr::Inherit;
                Drain::spawn(pipe, Arc::clone(&handle), echo)
            }
            None => Drain::none(),
        };
        Ok(ChildTransport {
            lines: StreamTransport::with_decoder(
                tokio::io::join(Output::new(spawned.output), Input::new(spawned.input)),
                LineDecoder::with_limit(self.max_line),
            ),
            process: spawned.process,
            drain,
            handle,
            output_ended: false,
            ending: None,
            closing: Some(Closing::new(self.close_timeout)),
            ended: None,
        })
    }

    /// What errors and lines of standard error call the program.
    pub(super) fn name(&self) -> String {
        let program = Path::new(&self.program);
        let name = program.file_name().unwrap_or(&self.program);
        super::text::clean(name.as_encoded_bytes(), 100)
    }

    fn to_std(&self) -> process::Command {
        let mut command = process::Command::new(&self.program);
        command.args(&self.args);
        match self.base {
            Base::All => {}
            Base::Nothing => {
                command.env_clear();
            }
            Base::Safe => {
                command.env_clear();
                for name in SAFE {
                    // Shells take a value that begins so for a function, and run it.
                    if let Some(value) = std::env::var_os(name)
                        && !value.as_encoded_bytes().starts_with(b"()")
                    {
                        command.env(name, value);
                    }
                }
            }
        }
        for (name, value) in &self.envs {
            command.env(name, value);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

impl fmt::Debug for Command {
    /// Shows neither arguments nor values of variables: keys are handed over in both.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.envs.iter().map(|(name, _)| name).collect();
        f.debug_struct("Command")
            .field("program", &self.name())
            .field("args", &self.args.len())
            .field("base", &self.base)
            .field("envs", &names)
            .field("stderr", &self.stderr)
            .field("max_line", &self.max_line)
            .field("close_timeout", &self.close_timeout)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_shows_no_argument_and_no_value() {
        let command = Command::new("/opt/tools/server")
            .args(["--token", "hunter2"])
            .env("API_KEY", "hunter2");
        let shown = format!("{command:?}");
        assert!(
            shown.contains("\"server\"") && shown.contains("API_KEY"),
            "{shown}"
        );
        assert!(
            !shown.contains("hunter2") && !shown.contains("/opt"),
            "{shown}"
        );
    }

    /// HST-08, HST-09.
    #[test]
    fn what_was_set_is_added_and_wins() {
        let command = Command::new("x")
            .env("API_TOKEN", "t")
            .env("HOME", "/elsewhere");
        let envs = |command: &Command| -> Vec<String> {
            let std = command.to_std();
            let envs = std.get_envs();
            envs.map(|(name, _)| name.to_string_lossy().into_owned())
                .collect()
        };
        let base = envs(&command);
        assert!(base.contains(&"PATH".to_owned()) && base.contains(&"API_TOKEN".to_owned()));
        // Set by cargo for every test, and on no list.
        assert!(!base.contains(&"CARGO_PKG_NAME".to_owned()));
        let std = command.to_std();
        let home = std.get_envs().find(|(name, _)| *name == "HOME");
        assert_eq!(home.unwrap().1, Some(OsStr::new("/elsewhere")));
        assert_eq!(envs(&command.env_clear()), ["API_TOKEN", "HOME"]);
    }
}
