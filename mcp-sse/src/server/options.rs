use std::time::Duration;

/// What a service allows, and how long it waits.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Names that requests may give for this server, besides those of this machine.
    pub(super) hosts: Vec<String>,
    pub(super) any_host: bool,
    /// Origins of web pages that may call, besides the server's own.
    pub(super) origins: Vec<String>,
    /// Bytes of one body.
    pub(super) max_body: usize,
    /// How long a body may take to come.
    pub(super) body_timeout: Duration,
    /// Requests at once.
    pub(super) max_requests: usize,
    pub(super) max_sessions: usize,
    /// How long a session may be left alone.
    pub(super) session_idle: Duration,
    pub(super) is_stateless: bool,
    /// How often a quiet stream shows that it is alive.
    pub(super) keep_alive: Duration,
    /// How long clients are to wait before they take a broken stream up again.
    pub(super) retry: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            any_host: false,
            origins: Vec::new(),
            max_body: 4 << 20,
            body_timeout: Duration::from_secs(30),
            max_requests: 10_000,
            max_sessions: 10_000,
            session_idle: Duration::from_secs(60 * 60),
            is_stateless: false,
            keep_alive: Duration::from_secs(15),
            retry: Duration::from_secs(1),
        }
    }
}
