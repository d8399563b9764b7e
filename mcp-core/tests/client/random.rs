//! Any order of answers, good and bad: no call hangs once its deadline has passed, nothing panics, and what was answered
//! well is what the caller gets.

use mcp_core::client::ClientErrorKind;
use mcp_core::protocol::ElicitResult;
use mcp_core::testing::Started;
use mcp_core::{ClientError, ToolResult};
use proptest::prelude::*;

use crate::talk::{OFFERS, SECOND, Talk, builder, error, result, text};

/// What may happen next. Numbers choose among the calls that were made.
#[derive(Clone, Debug)]
enum Step {
    Call,
    Read,
    Drop(usize),
    Answer(usize),
    AnswerAsText(usize),
    Refuse(usize),
    Ask(usize),
    Cut(usize, usize),
    Malformed(usize),
    Progress(usize, i32),
    Garbage(Vec<u8>),
    Notice,
    Request(u8),
    Withdraw(u8),
    Batch(usize, usize),
    Advance(u32),
    StopReading,
    ResumeReading,
    End,
}

fn step() -> impl Strategy<Value = Step> {
    let which = 0_usize..12;
    prop_oneof![
        4 => Just(Step::Call),
        1 => Just(Step::Read),
        1 => which.clone().prop_map(Step::Drop),
        4 => which.clone().prop_map(Step::Answer),
        1 => which.clone().prop_map(Step::AnswerAsText),
        1 => which.clone().prop_map(Step::Refuse),
        2 => which.clone().prop_map(Step::Ask),
        2 => (which.clone(), 1_usize..60).prop_map(|(call, at)| Step::Cut(call, at)),
        1 => which.clone().prop_map(Step::Malformed),
        1 => (which.clone(), any::<i32>()).prop_map(|(call, value)| Step::Progress(call, value)),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Step::Garbage),
        1 => Just(Step::Notice),
        1 => (0_u8..4).prop_map(Step::Request),
        1 => (0_u8..4).prop_map(Step::Withdraw),
        1 => (which.clone(), which).prop_map(|(one, other)| Step::Batch(one, other)),
        2 => (1_u32..30).prop_map(Step::Advance),
        1 => Just(Step::StopReading),
        1 => Just(Step::ResumeReading),
    ]
}

type Call = Started<Result<ToolResult, ClientError>>;

struct Run {
    talk: Talk,
    /// Calls by the ids of their first requests. Those of further rounds are not known here.
    calls: Vec<(u64, Option<Call>)>,
    sent: u64,
}

impl Run {
    fn id(&self, which: usize) -> u64 {
        let chosen = self.calls.get(which % self.calls.len().max(1));
        chosen.map_or(99, |(id, _)| *id)
    }

    /// Ids are given in order, also to the rounds of calls that the server has asked in.
    fn next_id(&mut self) -> u64 {
        self.talk.server.run();
        let lines = self.talk.server.lines();
        let ids = lines.iter().filter(|line| {
            line.contains("\"method\":\"tools/call\"") || line.contains("resources/read")
        });
        self.sent = self.sent.max(1 + ids.count() as u64);
        self.sent + 1
    }

    fn take(&mut self, step: Step) {
        let server = &mut self.talk.server;
        match step {
            Step::Call => {
                let id = self.next_id();
                let call = self.talk.call("t");
                self.calls.push((id, Some(call)));
            }
            Step::Read => drop(
                self.talk
                    .start(|c| async move { c.read_resource("u").await }),
            ),
            Step::Drop(which) => {
                let chosen = which % self.calls.len().max(1);
                if let Some((_, call)) = self.calls.get_mut(chosen) {
                    *call = None;
                }
            }
            Step::Garbage(bytes) => drop(server.send_bytes(&bytes).send_bytes(b"\n")),
            Step::Advance(seconds) => drop(server.advance(SECOND * seconds)),
            Step::StopReading => drop(server.stop_reading()),
            Step::ResumeReading => drop(server.resume_reading()),
            Step::End => drop(server.end_output()),
            step => {
                let line = self.line(&step);
                self.talk.server.send(line);
            }
        }
        self.talk.server.run();
    }

    /// What the server says in a step.
    fn line(&self, step: &Step) -> String {
        let answer = |which: &usize, answer: &str| result(self.id(*which), answer);
        match step {
            Step::Answer(which) => answer(which, &text("right")),
            Step::AnswerAsText(which) => {
                let id = self.id(*which);
                let quoted = format!("\"id\":\"{id}\"");
                answer(which, &text("right")).replace(&format!("\"id\":{id}"), &quoted)
            }
            Step::Refuse(which) => error(self.id(*which), -32603),
            Step::Ask(which) => answer(
                which,
                r#"{"resultType":"input_required","requestState":"s"}"#,
            ),
            Step::Cut(which, at) => {
                let mut line = answer(which, &text("cut"));
                line.truncate((*at).min(line.len() - 1));
                line
            }
            Step::Malformed(which) => {
                let id = self.id(*which);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}},"error":{{}}}}"#)
            }
            Step::Progress(which, value) => notice(
                "progress",
                &format!(r#""progressToken":{},"progress":{value}"#, self.id(*which)),
            ),
            Step::Notice => notice("tools/list_changed", ""),
            Step::Request(id) => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object","properties":{{}}}}}}}}"#
            ),
            Step::Withdraw(id) => notice("cancelled", &format!(r#""requestId":{id}"#)),
            Step::Batch(one, other) => format!(
                "[{},{}]",
                answer(one, &text("right")),
                error(self.id(*other), 1)
            ),
            other => panic!("{other:?} says nothing"),
        }
    }
}

fn notice(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{params}}}}}"#)
}

fn run(is_modern: bool, steps: Vec<Step>, ends: bool) {
    let builder = builder()
        .timeout(SECOND * 20)
        .total_timeout(SECOND * 60)
        .on_elicitation(|_| async { ElicitResult::decline() });
    let talk = if is_modern {
        Talk::modern_with(builder, OFFERS)
    } else {
        Talk::legacy_with(builder, mcp_core::ProtocolVersion::V2025_03_26, OFFERS)
    };
    let mut run = Run {
        talk,
        calls: Vec::new(),
        sent: 1,
    };
    for step in steps {
        run.take(step);
    }
    if ends {
        run.take(Step::End);
    } else {
        // A call may have come to its last round just now.
        run.talk.server.advance(SECOND * 60);
    }
    for (id, call) in &run.calls {
        let Some(call) = call else { continue };
        match call.take() {
            None => panic!("the call {id} hangs"),
            Some(Ok(result)) => {
                assert!(matches!(result.text().as_str(), "right" | ""), "{result:?}")
            }
            Some(Err(failed)) => assert!(
                !matches!(
                    failed.kind(),
                    ClientErrorKind::Overloaded | ClientErrorKind::Unwritable(_)
                ),
                "{failed}"
            ),
        }
    }
    assert_eq!(run.talk.client.is_closed(), ends);
    // Nothing but messages was written.
    run.talk.server.resume_reading().run();
    for line in run.talk.server.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["jsonrpc"], "2.0");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_call_hangs_whatever_the_server_says(
        is_modern in any::<bool>(),
        ends in any::<bool>(),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        run(is_modern, steps, ends);
    }
}
