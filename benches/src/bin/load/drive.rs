//! The closed loop: as many requests outstanding as the load says, a new one for each answer.

use std::{
    io,
    time::{Duration, Instant},
};

use crate::{
    answers::{Answers, Line},
    options::Until,
    requests::{Load, Request, What},
    server::Server,
};

/// How long to wait for the server before looking at the clock again.
const TICK: Duration = Duration::from_millis(200);

pub(crate) struct Drive {
    request: Request,
    greeting: Request,
    after_greeting: &'static [u8],
    answers: Answers,
    depth: usize,
    events_per_call: u64,
    /// The id of `calls[0]`; ids count up from there.
    first_id: u64,
    calls: Vec<Call>,
    outstanding: usize,
    measured: Measured,
}

#[derive(Clone, Copy)]
struct Call {
    sent: Instant,
    answered: bool,
    events: u64,
}

#[derive(Default)]
pub(crate) struct Measured {
    pub(crate) latencies: Vec<Duration>,
    pub(crate) events: u64,
    pub(crate) events_lost: u64,
}

impl Drive {
    pub(crate) fn new(load: &Load) -> io::Result<Self> {
        Ok(Self {
            request: load.request(),
            greeting: load.greeting(),
            after_greeting: load.after_greeting(),
            answers: Answers::new(load.expected()?),
            depth: load.depth,
            events_per_call: load.events(),
            first_id: 1,
            calls: Vec::new(),
            outstanding: 0,
            measured: Measured::default(),
        })
    }

    /// Opens the conversation.
    pub(crate) fn greet(
        &mut self,
        load: &Load,
        server: &mut Server,
        deadline: Instant,
    ) -> io::Result<()> {
        Self::ask(&self.greeting, server, deadline)?;
        server.outgoing().extend_from_slice(self.after_greeting);
        server.flush()?;
        if load.what == What::Page {
            let first = Self::ask(&self.request, server, deadline)?;
            self.request = load.next_page(&first);
        }
        Ok(())
    }

    /// Asks one thing before the rest, and waits for its answer.
    fn ask(
        request: &Request,
        server: &mut Server,
        deadline: Instant,
    ) -> io::Result<serde_json::Value> {
        request.write(0, server.outgoing());
        loop {
            if Instant::now() > deadline {
                return Err(io::Error::other("no answer to the first request in time"));
            }
            server.exchange(TICK)?;
            if let Some(line) = server.split().0.next_line() {
                let answer: serde_json::Value = serde_json::from_slice(line)?;
                if answer["id"] == 0 && answer["result"].is_object() {
                    return Ok(answer);
                }
                let shown = String::from_utf8_lossy(line);
                return Err(io::Error::other(format!("not an answer: {shown}")));
            }
        }
    }

    /// Sends until the end given and awaits what is outstanding.
    pub(crate) fn run(
        &mut self,
        server: &mut Server,
        until: Until,
        limit: Duration,
    ) -> io::Result<()> {
        let begin = Instant::now();
        let done = self.calls.len();
        for _ in 0..self.depth {
            self.send_one(server.outgoing(), begin, done, until);
        }
        while self.outstanding > 0 {
            server.exchange(TICK)?;
            let now = Instant::now();
            if now - begin > limit {
                return Err(io::Error::other(format!(
                    "{} calls unanswered at the time limit",
                    self.outstanding
                )));
            }
            let (incoming, outgoing) = server.split();
            while let Some(line) = incoming.next_line() {
                match self.answers.read(line).map_err(io::Error::other)? {
                    Line::Answer { id } => {
                        self.answered(id, now).map_err(io::Error::other)?;
                        self.send_one(outgoing, begin, done, until);
                    }
                    Line::Progress { token, progress } => {
                        self.progressed(token, progress).map_err(io::Error::other)?;
                    }
                    Line::Other => {}
                }
            }
        }
        Ok(())
    }

    /// Starts the figures afresh; ids go on.
    pub(crate) fn forget(&mut self) {
        self.first_id += self.calls.len() as u64;
        self.calls.clear();
        self.measured = Measured::default();
    }

    pub(crate) fn measured(mut self) -> Measured {
        self.measured.latencies.sort_unstable();
        self.measured
    }

    fn send_one(&mut self, outgoing: &mut Vec<u8>, begin: Instant, done: usize, until: Until) {
        let now = Instant::now();
        let more = match until {
            Until::Calls(count) => self.calls.len() - done < count,
            Until::Elapsed(time) => now - begin < time,
        };
        if more {
            self.request
                .write(self.first_id + self.calls.len() as u64, outgoing);
            self.calls.push(Call {
                sent: now,
                answered: false,
                events: 0,
            });
            self.outstanding += 1;
        }
    }

    fn answered(&mut self, id: u64, now: Instant) -> Result<(), String> {
        let events_per_call = self.events_per_call;
        let call = self.call(id)?;
        call.answered = true;
        let (sent, events) = (call.sent, call.events);
        self.measured
            .latencies
            .push(now.saturating_duration_since(sent));
        self.measured.events += events;
        self.measured.events_lost += events_per_call.saturating_sub(events);
        self.outstanding -= 1;
        Ok(())
    }

    /// Progress must be for a call that is not answered yet and must grow.
    fn progressed(&mut self, token: u64, progress: u64) -> Result<(), String> {
        let call = self.call(token)?;
        if progress < call.events {
            return Err(format!(
                "progress {progress} of call {token} after {} events",
                call.events
            ));
        }
        call.events += 1;
        Ok(())
    }

    fn call(&mut self, id: u64) -> Result<&mut Call, String> {
        let index = id
            .checked_sub(self.first_id)
            .and_then(|index| usize::try_from(index).ok());
        index
            .and_then(|index| self.calls.get_mut(index))
            .filter(|call| !call.answered)
            .ok_or_else(|| format!("a line for call {id}, which is not outstanding"))
    }
}

impl Measured {
    pub(crate) fn quantile_us(&self, share: f64) -> f64 {
        let last = self.latencies.len().saturating_sub(1) as f64;
        let latency = self.latencies.get((last * share).round() as usize);
        latency.map_or(0.0, |latency| latency.as_secs_f64() * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load of progress calls, three notifications each, of which `calls` are outstanding.
    fn outstanding(calls: usize) -> Drive {
        let load = Load {
            what: What::Progress,
            size: 3,
            depth: calls,
            modern: false,
        };
        let mut drive = Drive::new(&load).unwrap();
        for _ in 0..calls {
            drive.send_one(&mut Vec::new(), Instant::now(), 0, Until::Calls(calls));
        }
        drive
    }

    #[test]
    fn a_notification_that_is_missing_at_the_answer_is_lost() {
        let mut drive = outstanding(2);
        for (token, progress) in [(2, 0), (1, 0), (1, 1), (1, 2), (2, 2)] {
            drive.progressed(token, progress).unwrap();
        }
        drive.answered(1, Instant::now()).unwrap();
        drive.answered(2, Instant::now()).unwrap();
        let measured = drive.measured();
        assert_eq!((measured.events, measured.events_lost), (5, 1));
    }

    #[test]
    fn a_second_answer_and_late_or_falling_progress_are_errors() {
        let mut drive = outstanding(2);
        drive.progressed(1, 0).unwrap();
        assert!(drive.progressed(1, 0).is_err());
        drive.answered(1, Instant::now()).unwrap();
        assert!(drive.answered(1, Instant::now()).is_err());
        assert!(drive.progressed(1, 1).is_err());
        assert!(drive.answered(3, Instant::now()).is_err());
        assert_eq!(drive.outstanding, 1);
    }

    #[test]
    fn no_more_is_sent_than_was_asked_for() {
        let mut drive = outstanding(2);
        drive.send_one(&mut Vec::new(), Instant::now(), 0, Until::Calls(2));
        drive.send_one(
            &mut Vec::new(),
            Instant::now(),
            0,
            Until::Elapsed(Duration::ZERO),
        );
        assert_eq!(drive.outstanding, 2);
    }

    #[test]
    fn quantiles_are_taken_from_the_sorted_latencies() {
        let mut drive = outstanding(0);
        drive.measured.latencies = (1..=101).rev().map(Duration::from_micros).collect();
        let measured = drive.measured();
        assert_eq!(measured.quantile_us(0.5).round(), 51.0);
        assert_eq!(measured.quantile_us(0.99).round(), 100.0);
    }
}
