//! What a process has used, as /proc tells it.

use std::{fs, time::Duration};

/// What a process has used.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Usage {
    /// User and system time of all threads, in the scheduler's nanoseconds.
    pub cpu: Duration,
    /// The memory it holds.
    pub resident_kb: u64,
    /// The most it held.
    pub peak_kb: u64,
    /// Its threads.
    pub threads: u64,
}

impl Usage {
    /// Of the process of this number.
    pub fn of(process: u32) -> Self {
        Self::read(&process.to_string())
    }

    /// Of this process.
    pub fn own() -> Self {
        Self::read("self")
    }

    fn read(process: &str) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number.and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        Self {
            cpu: cpu(process),
            resident_kb: field("VmRSS:"),
            peak_kb: field("VmHWM:"),
            threads: field("Threads:"),
        }
    }
}

/// The sum over the threads that live: those of a server's pool outlive a run.
fn cpu(process: &str) -> Duration {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let nanos = threads.into_iter().flatten().flatten().map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let first = text.split_whitespace().next();
        first
            .and_then(|nanos| nanos.parse::<u64>().ok())
            .unwrap_or(0)
    });
    Duration::from_nanos(nanos.sum())
}
