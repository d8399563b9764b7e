//! `cargo xtask bench`: our stdio server beside a raw floor and rmcp, all in one run. Servers and scenarios are data
//! (`servers.rs`, `scenarios.rs`); nothing is asserted by time. benches/README.md says what the rows mean.

mod baseline;
mod build;
mod callgrind;
mod conditions;
mod footprint;
mod load;
mod measure;
mod metric;
mod options;
mod report;
mod scenarios;
mod servers;
mod strace;

use std::error::Error;

use crate::bench::{
    build::Build,
    conditions::Conditions,
    measure::Measure,
    options::{Options, Purpose},
    report::Report,
    servers::{Column, OURS},
};

/// Whatever went wrong, in words.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Runs the command with the arguments that follow `bench`.
///
/// # Errors
///
/// When the arguments are wrong, a floor or a peer does not build, or the gate finds a row worse than its baseline.
#[expect(
    clippy::print_stdout,
    reason = "a command prints what it was asked for"
)]
pub(crate) fn run(args: impl Iterator<Item = String>) -> Outcome<()> {
    let Some(options) = Options::from_args(args)? else {
        println!("{}", options::USAGE);
        return Ok(());
    };
    let build = Build::new(&options)?;
    if options.purpose != Purpose::Compare && !build.has(&OURS) {
        return Err(
            "our server does not build, so there is nothing to hold against the baseline".into(),
        );
    }
    let conditions = Conditions::find(&options);
    println!("{conditions}");
    let mut report = Report::new(conditions);
    let measure = Measure::new(&options, &build);
    for scenario in scenarios::ALL {
        measure.scenario(scenario, &mut report);
    }
    report.derive(scenarios::DERIVED);
    if options.purpose == Purpose::Compare {
        footprint::measure(&options, &build, &mut report);
    }
    report.keep(|name| options.wants(name));
    println!("{report}");
    let file = build.target.join("bench.json");
    report.write(&file)?;
    println!("written to {}", file.display());
    let ours = report.column(Column::Ours);
    match options.purpose {
        Purpose::Compare => Ok(()),
        Purpose::Gate => baseline::check(&build.root, &ours, &report.conditions, &options),
        Purpose::WriteBaseline => baseline::write(&build.root, &ours, &report.conditions),
    }
}

/// Tells the person who waits where the run stands.
#[expect(
    clippy::print_stderr,
    reason = "the table goes to stdout, the state of the run beside it"
)]
fn say(message: &str) {
    eprintln!("{message}");
}
