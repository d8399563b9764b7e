use std::error::Error;
use std::fmt;
use std::io;
use std::process::ExitStatus;

/// How much of the last lines a message shows; [`ChildEnded::stderr`] has all that is kept.
const SHOWN_LINES: usize = 3;

/// Why a program could not be started.
#[derive(Debug)]
pub struct SpawnError {
    program: String,
    why: Why,
}

#[derive(Debug)]
enum Why {
    NoRuntime,
    Directory(io::Error),
    System(io::Error),
}

impl SpawnError {
    pub(super) fn no_runtime(program: String) -> Self {
        let why = Why::NoRuntime;
        Self { program, why }
    }

    pub(super) fn directory(program: String, error: io::Error) -> Self {
        let why = Why::Directory(error);
        Self { program, why }
    }

    pub(super) fn system(program: String, error: io::Error) -> Self {
        let why = Why::System(error);
        Self { program, why }
    }

    /// The name of the program, without the folders it is in.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// What kind of error it was: `NotFound` for a program or a folder that is not there, `PermissionDenied` for a file
    /// that can't be run.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        match &self.why {
            Why::NoRuntime => io::ErrorKind::Unsupported,
            Why::Directory(error) | Why::System(error) => error.kind(),
        }
    }
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start `{}`: ", self.program)?;
        match &self.why {
            Why::NoRuntime => f.write_str("there is no tokio runtime here"),
            Why::Directory(_) => f.write_str("its working directory cannot be entered"),
            Why::System(error) => match error.kind() {
                io::ErrorKind::NotFound if self.program.contains(char::is_whitespace) => f.write_str(
                    "no such program was found; arguments are given by `arg`, one by one, and not in its name",
                ),
                io::ErrorKind::NotFound => f.write_str(
                    "no such program was found, or its first line names an interpreter that was not",
                ),
                io::ErrorKind::PermissionDenied => f.write_str("the file may not be executed"),
                _ => f.write_str("the system refused"),
            },
        }
    }
}

impl Error for SpawnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.why {
            Why::NoRuntime => None,
            Why::Directory(error) | Why::System(error) => Some(error),
        }
    }
}

impl From<SpawnError> for io::Error {
    fn from(error: SpawnError) -> Self {
        Self::new(error.kind(), error)
    }
}

/// How the connection to a child ended: what is inside the [`io::Error`] of a [`ChildTransport`](super::ChildTransport).
///
/// # Examples
///
/// ```
/// use mcp_stdio::ChildEnded;
///
/// fn explain(error: &std::io::Error) -> String {
///     match error.get_ref().and_then(|inner| inner.downcast_ref::<ChildEnded>()) {
///         Some(ended) => format!("{} is gone. It said:\n{}", ended.program(), ended.stderr()),
///         None => error.to_string(),
///     }
/// }
/// # let _ = explain;
/// ```
#[derive(Clone, Debug)]
pub struct ChildEnded {
    pub(super) program: String,
    pub(super) how: How,
    pub(super) status: Option<ExitStatus>,
    pub(super) stderr: String,
    pub(super) stray: Option<String>,
}

/// By what the end of a connection was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its output ended, or it did.
    Output,
    /// It reads its input no longer.
    Input,
    /// It was closed.
    Closed,
    /// It was closed, and had to be killed.
    Killed,
    /// It was killed, and is there nevertheless.
    Stuck,
}

impl ChildEnded {
    /// The name of the program, without the folders it is in.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// How the process ended. `None` if it has not, though it closed its output or its input, or if something else in
    /// this program has waited for it.
    #[must_use]
    pub fn status(&self) -> Option<ExitStatus> {
        self.status
    }

    /// The last lines that it wrote to standard error, 20 of them or 4 KiB, and the beginning of one that has not ended:
    /// each cut after 1 KiB, and cleaned of what a terminal would obey. Empty with [`Stderr::Null`](super::Stderr::Null).
    #[must_use]
    pub fn stderr(&self) -> &str {
        &self.stderr
    }

    /// The beginning of the first line on standard output that was no message: a banner, or a log that went the wrong way.
    #[must_use]
    pub fn stray_output(&self) -> Option<&str> {
        self.stray.as_deref()
    }
}

impl fmt::Display for ChildEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.program)?;
        match (self.how, self.status) {
            (How::Killed, _) => f.write_str("did not end when asked to and was killed")?,
            (How::Stuck, _) => f.write_str("did not end though it was killed")?,
            (_, Some(status)) => write!(f, "has ended, {status}")?,
            (How::Output, None) => f.write_str("has closed its output")?,
            (How::Input, None) => f.write_str("has closed its input")?,
            (How::Closed, None) => f.write_str("has ended")?,
        }
        let mut lines: Vec<&str> = self.stderr.lines().rev().take(SHOWN_LINES).collect();
        lines.reverse();
        if !lines.is_empty() {
            write!(f, "; its last words: {}", lines.join(" | "))?;
        }
        if let Some(stray) = &self.stray {
            write!(
                f,
                "; on standard output, where only messages belong: {stray}"
            )?;
        }
        Ok(())
    }
}

impl Error for ChildEnded {}
