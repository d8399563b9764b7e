use std::error::Error;
use std::fmt;
use std::io;
use std::process::ExitStatus;

/// Why a child could not be started.
#[derive(Debug)]
pub struct SpawnError {
    program: String,
    why: String,
    source: Option<io::Error>,
}

impl SpawnError {
    pub(super) fn new(program: String, why: &str, source: Option<io::Error>) -> Self {
        Self {
            program,
            why: why.to_owned(),
            source,
        }
    }

    /// The program, as it was named.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start `{}`: {}", self.program, self.why)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl Error for SpawnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// That a child has ended, or has closed its output, and what it said last. It is inside the [`io::Error`] that ends the
/// connection:
///
/// ```
/// # fn shows(error: &std::io::Error) {
/// use mcp_stdio::ChildEnded;
///
/// let ended = error.get_ref().and_then(|inner| inner.downcast_ref::<ChildEnded>());
/// if let Some(code) = ended.and_then(|ended| ended.status()?.code()) {
///     println!("it ended with {code}");
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ChildEnded {
    pub(super) program: String,
    pub(super) status: Option<ExitStatus>,
    pub(super) stderr: String,
}

impl ChildEnded {
    /// The program, without the folder it is in.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// How it ended; `None` when it has closed its output and runs on.
    #[must_use]
    pub const fn status(&self) -> Option<ExitStatus> {
        self.status
    }

    /// The last lines that it wrote to its standard error, without control characters. Empty when that was not kept.
    #[must_use]
    pub fn stderr(&self) -> &str {
        &self.stderr
    }

    pub(super) fn into_error(self) -> io::Error {
        io::Error::new(io::ErrorKind::UnexpectedEof, self)
    }
}

impl fmt::Display for ChildEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "`{}` has ended ({status})", self.program)?,
            None => write!(f, "`{}` has closed its output", self.program)?,
        }
        if self.stderr.is_empty() {
            return Ok(());
        }
        write!(
            f,
            "; the last it wrote to its standard error: {}",
            self.stderr
        )
    }
}

impl Error for ChildEnded {}
