//! What a run was made on.

use std::{fmt, fs, process::Command, thread};

use serde::Serialize;

use crate::bench::{build::read, options::Options};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Conditions {
    pub(crate) rustc: String,
    pub(crate) valgrind: Option<String>,
    pub(crate) strace: Option<String>,
    processor: String,
    cores: usize,
    kernel: String,
    load_average: String,
    repetitions: usize,
    milliseconds_a_run: u32,
}

impl Conditions {
    pub(crate) fn find(options: &Options) -> Self {
        let file = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cpu = file("/proc/cpuinfo");
        let model = cpu.lines().find(|line| line.starts_with("model name"));
        let model = model.and_then(|line| line.split_once(':'));
        Self {
            rustc: version("rustc", "--version").unwrap_or_default(),
            valgrind: version("valgrind", "--version"),
            strace: version("strace", "--version"),
            processor: model.map_or_else(|| "unknown".into(), |(_, name)| name.trim().into()),
            cores: thread::available_parallelism().map_or(1, Into::into),
            kernel: file("/proc/sys/kernel/osrelease").trim().into(),
            load_average: file("/proc/loadavg")
                .split(' ')
                .take(3)
                .collect::<Vec<_>>()
                .join(" "),
            repetitions: options.repetitions(),
            milliseconds_a_run: options.millis(),
        }
    }
}

/// The first line of what a tool says of itself; `None` when it is not installed.
fn version(tool: &str, option: &str) -> Option<String> {
    let text = read(Command::new(tool).arg(option)).ok()?;
    text.lines().next().map(Into::into)
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool =
            |version: &Option<String>| version.clone().unwrap_or_else(|| "not installed".into());
        writeln!(
            f,
            "{} cores of {}, Linux {}, load {}",
            self.cores, self.processor, self.kernel, self.load_average
        )?;
        writeln!(
            f,
            "{}; valgrind: {}; strace: {}",
            self.rustc,
            tool(&self.valgrind),
            tool(&self.strace)
        )?;
        let (repetitions, millis) = (self.repetitions, self.milliseconds_a_run);
        write!(
            f,
            "servers interleaved, medians of {repetitions} runs of {millis} ms"
        )
    }
}
