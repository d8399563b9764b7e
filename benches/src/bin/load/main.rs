//! The load generator: runs a server as a child, keeps W requests outstanding over its pipes, checks every answer and
//! prints one JSON record. What is put before the server's command (valgrind, strace) is part of the command.

mod answers;
mod drive;
mod options;
mod requests;
mod server;

use std::{
    error::Error,
    io::Write,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;

use mcp_benches::Usage;

use crate::{drive::Drive, options::Options, server::Server};

/// How long a server may take to its first answer: valgrind is slow.
const START_LIMIT: Duration = Duration::from_secs(60);

/// What one run gave.
#[derive(Serialize)]
struct Record {
    calls: usize,
    calls_per_second: f64,
    p50_us: f64,
    p99_us: f64,
    cpu_us_per_call: f64,
    cpu_us_per_event: f64,
    /// The share of the time in which this generator itself was on a processor; near 1 it is what limits the rate.
    load_busy: f64,
    events_lost: u64,
    first_answer_ms: f64,
    idle_mb: f64,
    peak_mb: f64,
    threads: u64,
}

fn main() -> ExitCode {
    let outcome = Options::from_args(std::env::args().skip(1)).and_then(|options| run(&options));
    let (text, code) = match outcome.and_then(|record| Ok(serde_json::to_string(&record)?)) {
        Ok(record) => (record, ExitCode::SUCCESS),
        Err(error) => (
            serde_json::json!({"error": error.to_string()}).to_string(),
            ExitCode::FAILURE,
        ),
    };
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(options: &Options) -> Result<Record, Box<dyn Error>> {
    let mut drive = Drive::new(&options.load)?;
    let start = Instant::now();
    let mut server = Server::start(&options.command)?;
    drive.greet(&options.load, &mut server, start + START_LIMIT)?;
    let first_answer = start.elapsed();
    thread::sleep(options.settle);
    let idle = Usage::of(server.id());

    drive.run(&mut server, options.warm_up, options.limit)?;
    drive.forget();
    let before = Usage::of(server.id());
    let own_before = Usage::own();
    let begin = Instant::now();
    drive.run(&mut server, options.until, options.limit)?;
    let seconds = begin.elapsed().as_secs_f64();
    let own = Usage::own();
    let after = Usage::of(server.id());
    server.stop()?;

    let measured = drive.measured();
    let cpu_us = (after.cpu.saturating_sub(before.cpu)).as_secs_f64() * 1e6;
    let calls = measured.latencies.len();
    Ok(Record {
        calls,
        calls_per_second: calls as f64 / seconds,
        p50_us: measured.quantile_us(0.5),
        p99_us: measured.quantile_us(0.99),
        cpu_us_per_call: cpu_us / calls.max(1) as f64,
        cpu_us_per_event: cpu_us / measured.events.max(1) as f64,
        load_busy: own.cpu.saturating_sub(own_before.cpu).as_secs_f64() / seconds,
        events_lost: measured.events_lost,
        first_answer_ms: first_answer.as_secs_f64() * 1e3,
        idle_mb: idle.resident_kb as f64 / 1024.0,
        peak_mb: after.peak_kb as f64 / 1024.0,
        threads: after.threads,
    })
}
