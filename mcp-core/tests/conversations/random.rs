//! Any order of events: whatever happens, each request that was not cancelled is answered exactly once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::Pair;
use mcp_core::{Closed, Live, Server};
use proptest::prelude::*;
use serde_json::Value;

use crate::talk::{Talk, call, cancel, modern, modern_call, request};
use crate::tools::{echo, server};

/// What may happen next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add,
    ModernAdd,
    Wait,
    ModernWait,
    Commit,
    Panic,
    List,
    Listen,
    Unknown,
    Junk,
    Cancel(usize),
    PassOne,
    ChangeTools,
    StopReading,
    ResumeReading,
    Read(usize),
    Advance(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Add),
        Just(Step::ModernAdd),
        Just(Step::Wait),
        Just(Step::ModernWait),
        Just(Step::Commit),
        Just(Step::Panic),
        Just(Step::List),
        Just(Step::Listen),
        Just(Step::Unknown),
        Just(Step::Junk),
        (0_usize..20).prop_map(Step::Cancel),
        Just(Step::PassOne),
        Just(Step::ChangeTools),
        Just(Step::StopReading),
        Just(Step::ResumeReading),
        (1_usize..200).prop_map(Step::Read),
        (1_u64..20).prop_map(Step::Advance),
    ]
}

struct Run {
    talk: Talk,
    live: Live,
    /// Ids are used once, in order.
    sent: usize,
    listening: BTreeSet<usize>,
    cancelled: BTreeSet<usize>,
    lines: Vec<String>,
}

impl Run {
    fn ask(&mut self, line: impl FnOnce(usize) -> String) {
        let line = line(self.sent);
        self.sent += 1;
        self.talk.put(line);
    }

    fn take(&mut self, step: Step) {
        const SUM: &str = r#"{"a":1,"b":2}"#;
        let before = self.sent;
        match step {
            Step::Add => self.ask(|id| call(id, "add", SUM)),
            Step::ModernAdd => self.ask(|id| modern_call(id, "add", SUM)),
            Step::Wait => self.ask(|id| call(id, "wait", "{}")),
            Step::ModernWait => self.ask(|id| modern_call(id, "wait", "{}")),
            Step::Commit => self.ask(|id| modern_call(id, "commit", "{}")),
            Step::Panic => self.ask(|id| call(id, "panic_later", "{}")),
            Step::List => self.ask(|id| request(id, "tools/list", "")),
            Step::Listen => {
                self.listening.insert(before);
                let filter = r#""notifications":{"toolsListChanged":true}"#;
                self.ask(|id| modern(id, "subscriptions/listen", filter));
            }
            Step::Unknown => self.ask(|id| request(id, "no/such", "")),
            Step::Junk => {
                self.talk.put("{\"id\":");
            }
            Step::Cancel(back) => {
                if let Some(id) = self.sent.checked_sub(back + 1) {
                    self.cancelled.insert(id);
                    self.talk.put(cancel(id));
                }
            }
            Step::ChangeTools => {
                if !self.live.remove("echo") {
                    self.live.add::<echo>().unwrap();
                }
            }
            Step::StopReading => {
                self.talk.pair.stop_reading();
            }
            Step::ResumeReading => {
                self.talk.pair.resume_reading();
            }
            Step::Read(most) => {
                self.talk.pair.read(most);
            }
            Step::Advance(seconds) => {
                self.talk.pair.advance(Duration::from_secs(seconds));
            }
            Step::PassOne => {}
        }
        self.talk.pair.run();
        self.lines.extend(self.talk.heard());
    }
}

fn run(steps: &[Step], spawns: bool, in_flight: usize) -> Result<(), TestCaseError> {
    let (server, gate, _) = server();
    let server: Server = server
        .spawn_handlers(spawns)
        .in_flight_limit(in_flight)
        .tool_deadline(Duration::from_secs(30));
    let live = server.live();
    let pair = Pair::new(server).with_capacity(100);
    let mut run = Run {
        talk: Talk::over(pair).opened(ProtocolVersion::V2025_11_25),
        live,
        sent: 0,
        listening: BTreeSet::new(),
        cancelled: BTreeSet::new(),
        lines: Vec::new(),
    };
    for step in steps {
        if matches!(step, Step::PassOne) {
            gate.pass_one();
        }
        run.take(*step);
    }
    gate.open();
    run.take(Step::ResumeReading);
    run.talk.pair.end_input().run();
    run.lines.extend(run.talk.heard());
    prop_assert!(matches!(
        run.talk.pair.closed(),
        Some(Ok(Closed::EndOfInput))
    ));
    prop_assert_eq!(gate.waiting(), 0);
    prop_assert_eq!(run.talk.pair.runtime().next_timer(), None);
    let mut answers = BTreeMap::<usize, usize>::new();
    for line in &run.lines {
        let message: Value = serde_json::from_str(line).unwrap();
        if let Some(id) = message.get("id") {
            *answers
                .entry(usize::try_from(id.as_u64().unwrap()).unwrap())
                .or_default() += 1;
        }
    }
    for id in 0..run.sent {
        let count = answers.get(&id).copied().unwrap_or_default();
        let fine = count == 1 || (count == 0 && run.cancelled.contains(&id));
        prop_assert!(fine, "{} answers to {}: {:#?}", count, id, run.lines);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_once_whatever_else_happens(
        steps in prop::collection::vec(step(), 0..60),
        spawns in any::<bool>(),
        in_flight in 1_usize..6,
    ) {
        run(&steps, spawns, in_flight)?;
    }
}
