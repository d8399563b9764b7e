//! What the clients that are measured have in common: how much they call, and what they report.

use std::{
    env,
    error::Error,
    io::{self, Write},
    time::{Duration, Instant},
};

use crate::Usage;

/// How much is called.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Amount {
    /// This many calls, without warming up.
    Calls(usize),
    /// For this long, after some time to warm up.
    Time {
        /// The time that is measured.
        measured: Duration,
        /// The time before.
        warm_up: Duration,
    },
}

/// What a client is told: the options of the load generator, as far as they mean something here.
#[derive(Debug)]
#[non_exhaustive]
pub struct ClientLoad {
    /// The text that is echoed.
    pub text: String,
    /// How many calls are under way at a time.
    pub depth: usize,
    /// Whether 2026-07-28 is spoken.
    pub modern: bool,
    /// How much.
    pub amount: Amount,
    /// The server.
    pub command: Vec<String>,
}

impl ClientLoad {
    /// Reads the arguments of the process.
    ///
    /// # Errors
    ///
    /// When one is unknown, or no number.
    pub fn from_args() -> Result<Self, Box<dyn Error>> {
        let mut args = env::args().skip(1);
        let (mut size, mut depth, mut modern) = (20, 1, false);
        let mut amount = Amount::Calls(0);
        let mut warm_up = Duration::ZERO;
        while let Some(option) = args.next() {
            match option.as_str() {
                "--" => break,
                "--modern" => modern = true,
                _ => {
                    let value = args.next().ok_or("an option lacks its value")?;
                    match option.as_str() {
                        "--call" => {}
                        "--size" => size = value.parse()?,
                        "--depth" => depth = value.parse()?,
                        "--calls" => amount = Amount::Calls(value.parse()?),
                        "--millis" => {
                            amount = Amount::Time {
                                measured: Duration::from_millis(value.parse()?),
                                warm_up: Duration::ZERO,
                            }
                        }
                        "--warm-up" => warm_up = Duration::from_millis(value.parse()?),
                        _ => return Err(format!("unknown option {option}").into()),
                    }
                }
            }
        }
        if let Amount::Time { warm_up: slot, .. } = &mut amount {
            *slot = warm_up;
        }
        Ok(Self {
            text: "abcdefghijklmnopqrst".chars().cycle().take(size).collect(),
            depth,
            modern,
            amount,
            command: args.collect(),
        })
    }
}

/// Counts calls, and says when it is enough.
#[derive(Debug)]
pub struct Meter {
    amount: Amount,
    start: Instant,
    begun: Option<(Instant, Usage)>,
    calls: usize,
    started: usize,
}

impl Meter {
    /// One that has counted nothing.
    pub fn new(load: &ClientLoad) -> Self {
        Self {
            amount: load.amount,
            start: Instant::now(),
            begun: None,
            calls: 0,
            started: 0,
        }
    }

    /// Whether another call is to be made.
    pub fn start(&mut self) -> bool {
        let goes_on = match self.amount {
            Amount::Calls(calls) => self.started < calls,
            Amount::Time { measured, warm_up } => self.start.elapsed() < measured + warm_up,
        };
        self.started += usize::from(goes_on);
        goes_on
    }

    /// A call was answered.
    pub fn count(&mut self) {
        let is_warm = match self.amount {
            Amount::Calls(_) => true,
            Amount::Time { warm_up, .. } => self.begun.is_some() || self.start.elapsed() >= warm_up,
        };
        if is_warm {
            self.begun
                .get_or_insert_with(|| (Instant::now(), Usage::own()));
            self.calls += 1;
        }
    }

    /// Prints the record that the load generator would.
    ///
    /// # Errors
    ///
    /// When nobody reads it.
    pub fn report(self) -> io::Result<()> {
        let (begin, before) = self.begun.unwrap_or_else(|| (Instant::now(), Usage::own()));
        let seconds = begin.elapsed().as_secs_f64();
        let cpu = Usage::own().cpu.saturating_sub(before.cpu).as_secs_f64() * 1e6;
        let record = serde_json::json!({
            "calls": self.calls,
            "calls_per_second": self.calls as f64 / seconds,
            "cpu_us_per_call": cpu / self.calls.max(1) as f64,
        });
        writeln!(io::stdout(), "{record}")
    }
}
