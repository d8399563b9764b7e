use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use super::ended::SpawnError;
use super::environment;
use super::process::Process;
use super::transport::ChildTransport;
use super::watch::{self, Watch};
use crate::framing::MAX_LINE;

/// What becomes of what a child writes to its standard error. It is always read, so that no child waits for somebody to do
/// so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stderr {
    /// Each line appears on our standard error, after the name of the program and without control characters. Lines are
    /// left out while ours takes no more. The last lines are kept for errors.
    #[default]
    Inherit,
    /// The last lines are kept for errors.
    Tail,
    /// Nothing is kept.
    Null,
}

/// A program that is an MCP server, to be started as a child process.
///
/// It is started without a shell, with a cleaned environment, and leads a process group of its own; whatever is still in
/// that group ends with the connection. See [`ChildTransport`] for how it ends.
///
/// ```no_run
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// let client = mcp_stdio::Command::new("uvx").arg("mcp-server-time").connect().await?;
/// for tool in client.list_all_tools().await?.iter() {
///     println!("{}", tool.name);
/// }
/// client.close().await;
/// # Ok(())
/// # }
/// ```
///
/// # Environment
///
/// A child gets `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `TERM`, `TMPDIR`, `TZ`, `LANG`, `LC_ALL` and `LC_CTYPE` of ours
/// (on Windows, what programs need there), and what [`env`](Self::env) adds. Keys and tokens in our environment are not
/// passed on unless that is [asked for](Self::inherit_env).
#[derive(Clone, Debug)]
#[must_use = "a command is run by `connect` or `spawn`"]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    inherits_env: bool,
    folder: Option<PathBuf>,
    stderr: Stderr,
    max_line: usize,
    close_timeout: Duration,
}

impl Command {
    /// A program, by its path or by a name that is looked up in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            inherits_env: false,
            folder: None,
            stderr: Stderr::default(),
            max_line: MAX_LINE,
            close_timeout: Duration::from_secs(5),
        }
    }

    /// Adds an argument, which is passed as it is.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets a variable of the child's environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets variables of the child's environment.
    pub fn envs(
        mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Self {
        for (name, value) in variables {
            self = self.env(name, value);
        }
        self
    }

    /// Passes all of our environment on, with whatever keys and tokens are in it.
    pub const fn inherit_env(mut self) -> Self {
        self.inherits_env = true;
        self
    }

    /// The folder that the child works in; ours otherwise.
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    /// What becomes of what the child writes to its standard error.
    pub const fn stderr(mut self, stderr: Stderr) -> Self {
        self.stderr = stderr;
        self
    }

    /// How many bytes a line of the child may have, the newline not counted. [`MAX_LINE`] otherwise.
    pub const fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// How long the child may take to end when the connection is closed, before it is killed. Five seconds otherwise: two
    /// fifths after the end of its input, two fifths after SIGTERM, the rest after SIGKILL.
    pub const fn close_timeout(mut self, timeout: Duration) -> Self {
        self.close_timeout = timeout;
        self
    }

    /// The name of the program, without the folder it is in.
    pub(super) fn name(&self) -> String {
        let name = Path::new(&self.program)
            .file_name()
            .unwrap_or(&self.program);
        let name = name.to_string_lossy();
        name.chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect()
    }

    /// Starts the program. The command can be run again.
    ///
    /// # Errors
    ///
    /// When there is no such program or it can't be run, outside of a tokio runtime, and when that lacks its I/O or time.
    pub fn spawn(&self) -> Result<ChildTransport, SpawnError> {
        let failed = |why: &str, source| SpawnError::new(self.shown_program(), why, source);
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(failed("there is no tokio runtime here", None));
        }
        if let Some(folder) = &self.folder
            && !folder.is_dir()
        {
            return Err(failed(
                "the folder that it is to work in does not exist",
                None,
            ));
        }
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.args);
        if !self.inherits_env {
            command.env_clear().envs(environment::base());
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match self.stderr {
            Stderr::Inherit | Stderr::Tail => Stdio::piped(),
            Stderr::Null => Stdio::null(),
        });
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Before the child is there, so that its end can't be missed.
        let exits = watch::Exits::new()
            .map_err(|source| failed("the end of processes can't be watched", Some(source)))?;
        let child = command
            .spawn()
            .map_err(|source| failed("the system says", Some(source)))?;
        // From here on, an error kills it.
        let mut process = Process::new(child);
        let pipes = process.take_pipes();
        let pipes = pipes.map_err(|source| failed("its pipes can't be used", Some(source)))?;
        let watch = Watch::start(self.name(), process, exits, pipes.stderr, self.stderr);
        Ok(ChildTransport::new(
            watch,
            pipes.stdin,
            pipes.stdout,
            self.max_line,
            self.close_timeout,
        ))
    }

    fn shown_program(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }
}
