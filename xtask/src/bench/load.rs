//! Runs the load generator and reads its record.

use std::{ffi::OsStr, process::Command};

use crate::bench::{
    Outcome,
    build::Build,
    metric::{Metric, Sample},
    scenarios::Scenario,
    servers::{FLOOR, Server},
};

/// How much the generator sends.
#[derive(Clone, Copy)]
pub(crate) enum Amount {
    /// This many calls, without warming up: for counts.
    Calls(usize),
    /// For this many milliseconds, after a quarter of that to warm up.
    Millis(u32),
}

/// The load generator for a scenario on a server; `wrapper` is a command that runs the server's.
pub(crate) fn run(
    build: &Build,
    scenario: &Scenario,
    server: &Server,
    amount: Amount,
    wrapper: &[&OsStr],
) -> Outcome<Sample> {
    let load = &scenario.load;
    let mut command = if load.by_client {
        // A client starts its server, so it is the client that the wrapper runs.
        let client = build.path(server);
        let mut words = wrapper.iter().copied().chain([client.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    } else {
        Command::new(build.load_generator())
    };
    command.args(["--call", load.call]);
    command.args([
        "--size",
        &load.size.to_string(),
        "--depth",
        &load.depth.to_string(),
    ]);
    if load.modern {
        command.arg("--modern");
    }
    match amount {
        Amount::Calls(count) => command.args(["--calls", &count.to_string()]),
        Amount::Millis(millis) => command.args([
            "--millis",
            &millis.to_string(),
            "--warm-up",
            &(millis / 4).to_string(),
        ]),
    };
    command.arg("--");
    if load.by_client {
        command.arg(build.path(&FLOOR));
    } else {
        command.args(wrapper).arg(build.path(server));
    }
    command
        .env("MCP_TOOLS", scenario.tools.to_string())
        .envs(server.env.iter().copied());
    let output = command.output()?;
    let record: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    if let Some(error) = record["error"].as_str() {
        return Err(error.into());
    }
    let fields = FIELDS
        .iter()
        .filter_map(|(metric, field)| Some((*metric, record[*field].as_f64()?)));
    Ok(fields.collect())
}

const FIELDS: &[(Metric, &str)] = &[
    (Metric::CallsPerSecond, "calls_per_second"),
    (Metric::CpuPerCall, "cpu_us_per_call"),
    (Metric::CpuPerEvent, "cpu_us_per_event"),
    (Metric::P50, "p50_us"),
    (Metric::P99, "p99_us"),
    (Metric::EventsLost, "events_lost"),
    (Metric::FirstAnswer, "first_answer_ms"),
    (Metric::Idle, "idle_mb"),
];
