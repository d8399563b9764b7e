//! Runs scenarios: every server once, then all of them again, so that what disturbs the machine disturbs them alike.

use std::path::PathBuf;

use crate::bench::{
    Outcome,
    build::Build,
    callgrind,
    load::{self, Amount},
    metric::Sample,
    options::{Options, Purpose},
    report::Report,
    say,
    scenarios::{DERIVED, Method, Scenario},
    servers::{Column, Server},
    strace,
};

pub(crate) struct Measure<'a> {
    options: &'a Options,
    build: &'a Build,
    /// A folder for what valgrind and strace write.
    scratch: PathBuf,
}

/// The runs of one server.
struct Runs {
    server: &'static Server,
    samples: Vec<Sample>,
    failed: bool,
}

impl<'a> Measure<'a> {
    pub(crate) fn new(options: &'a Options, build: &'a Build) -> Self {
        Self {
            options,
            build,
            scratch: build.target.clone(),
        }
    }

    /// Measures a scenario, if it is asked for, and adds its rows.
    pub(crate) fn scenario(&self, scenario: &Scenario, report: &mut Report) {
        if !self.is_due(scenario) {
            return;
        }
        if let Some(tool) = missing_tool(scenario, report) {
            report.note(format!(
                "{tool} is not installed: {} skipped",
                scenario.name
            ));
            return;
        }
        say(&format!("{}: {}", scenario.method.label(), scenario.name));
        let mut all = self.participants(scenario);
        for _ in 0..self.repetitions(scenario) {
            for runs in all.iter_mut().filter(|runs| !runs.failed) {
                match self.once(scenario, runs.server) {
                    Ok(sample) => runs.samples.push(sample),
                    Err(error) => {
                        runs.failed = true;
                        report.note(format!("{}, {}: {error}", scenario.name, runs.server.name));
                    }
                }
            }
        }
        // A server that failed once gives no figure: the runs that went well would flatter it.
        all.retain(|runs| !runs.failed);
        for (metric, budget) in scenario.rows {
            let figures = all
                .iter()
                .filter_map(|runs| Some((runs.server.column, metric.summary(&runs.samples)?)));
            report.add(scenario.row_name(*metric), *metric, *budget, figures);
        }
    }

    fn is_due(&self, scenario: &Scenario) -> bool {
        let wanted = scenario.rows.iter().any(|(metric, _)| {
            let name = scenario.row_name(*metric);
            let mut derived = DERIVED
                .iter()
                .filter(|derived| derived.row == name || derived.minus == name);
            self.options.wants(&name) || derived.any(|derived| self.options.wants(derived.name))
        });
        let counted = matches!(scenario.method, Method::Counted(_));
        wanted
            && match self.options.purpose {
                Purpose::Compare => !counted || self.options.instructions,
                Purpose::Gate | Purpose::WriteBaseline => counted,
            }
    }

    fn participants(&self, scenario: &Scenario) -> Vec<Runs> {
        let all = self.options.purpose == Purpose::Compare;
        let servers = scenario
            .servers
            .iter()
            .filter(|server| all || server.column == Column::Ours);
        servers
            .filter(|server| self.build.has(server))
            .map(|server| Runs {
                server,
                samples: Vec::new(),
                failed: false,
            })
            .collect()
    }

    fn repetitions(&self, scenario: &Scenario) -> usize {
        match scenario.method {
            Method::Timed => self.options.repetitions(),
            Method::Started => self.options.starts(),
            Method::Counted(_) | Method::Traced(_) => 1,
        }
    }

    fn once(&self, scenario: &Scenario, server: &Server) -> Outcome<Sample> {
        match scenario.method {
            Method::Timed => load::run(
                self.build,
                scenario,
                server,
                Amount::Millis(self.options.millis()),
                &[],
            ),
            Method::Started => load::run(self.build, scenario, server, Amount::Calls(0), &[]),
            Method::Counted(twice) => {
                callgrind::measure(self.build, scenario, server, twice, &self.scratch)
            }
            Method::Traced(twice) => {
                strace::measure(self.build, scenario, server, twice, &self.scratch)
            }
        }
    }
}

fn missing_tool(scenario: &Scenario, report: &Report) -> Option<&'static str> {
    match scenario.method {
        Method::Counted(_) if report.conditions.valgrind.is_none() => Some("valgrind"),
        Method::Traced(_) if report.conditions.strace.is_none() => Some("strace"),
        _ => None,
    }
}
