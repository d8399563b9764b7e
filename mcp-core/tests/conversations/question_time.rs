//! Deadlines of calls that wait for their client (up to 2025-11-25): that time is not theirs.

use std::time::Duration;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{Gate, Pair};
use mcp_core::{Context, Server, data, tool};

use crate::talk::{Talk, call, failure, result, text};

const FORMS: &str = r#"{"elicitation":{}}"#;
const BEA: &str = r#""action":"accept","content":{"name":"Bea"}"#;
const LATE: &str = "The tool took too long and was stopped.";

/// A person.
#[data]
struct Person {
    name: String,
}

async fn name(cx: &Context) -> String {
    let person = cx.elicit::<Person>("who", "Who?").await;
    person.map_or_else(|refused| refused.to_string(), |person| person.name)
}

/// Asks, and works when it may.
#[tool]
async fn ask_and_work(cx: &Context, gate: &Gate) -> String {
    let name = name(cx).await;
    gate.wait().await;
    name
}

/// The same, with a deadline of its own.
#[tool(deadline = "3s")]
async fn ask_in_three(cx: &Context, gate: &Gate) -> String {
    let name = name(cx).await;
    gate.wait().await;
    name
}

/// Asks two at once.
#[tool]
async fn ask_both(cx: &Context, gate: &Gate) -> String {
    let (one, other) = futures_util::future::join(name(cx), name(cx)).await;
    gate.wait().await;
    one + &other
}

/// Asks, and works on without the answer when it may.
#[tool]
async fn give_up(cx: &Context, gate: &Gate) -> String {
    let question = cx.elicit::<Person>("who", "Who?");
    futures_util::future::select(question, gate.wait()).await;
    gate.wait().await;
    "without".to_owned()
}

fn connect(spawns: bool) -> (Talk, Gate) {
    let gate = Gate::new();
    let server = (Server::new("s", "1").lend(gate.clone()))
        .tool_deadline(Duration::from_secs(10))
        .spawn_handlers(spawns)
        .tool::<ask_and_work>()
        .tool::<ask_in_three>()
        .tool::<ask_both>()
        .tool::<give_up>();
    let talk = Talk::over(Pair::new(server)).opened_as(ProtocolVersion::V2025_11_25, FORMS);
    (talk, gate)
}

fn wait(talk: &mut Talk, seconds: u64) -> &mut Talk {
    talk.pair.advance(Duration::from_secs(seconds));
    talk
}

#[test]
fn the_time_of_a_call_stands_still_while_its_client_has_to_answer() {
    for (tool, seconds) in [("ask_and_work", 10), ("ask_in_three", 3)] {
        for spawns in [false, true] {
            let (mut talk, gate) = connect(spawns);
            assert_eq!(talk.say(call(7, tool, "{}")).heard().len(), 1);
            wait(&mut talk, 500).is_silent();
            talk.say(result(1, BEA)).is_silent();
            wait(&mut talk, seconds - 1).is_silent();
            gate.open();
            talk.pair.run();
            talk.hears(&[text(7, "Bea")]);
        }
    }
}

#[test]
fn what_it_does_with_the_answer_counts() {
    let (mut talk, _gate) = connect(false);
    talk.say(call(7, "ask_and_work", "{}")).heard();
    wait(&mut talk, 500);
    talk.say(result(1, BEA));
    wait(&mut talk, 9).is_silent();
    wait(&mut talk, 1).hears(&[failure(7, LATE)]);
}

#[test]
fn it_stands_still_until_the_last_of_several_answers() {
    let (mut talk, _gate) = connect(false);
    assert_eq!(talk.say(call(7, "ask_both", "{}")).heard().len(), 2);
    wait(&mut talk, 100);
    talk.say(result(1, BEA));
    wait(&mut talk, 100);
    talk.say(result(2, BEA));
    wait(&mut talk, 9).is_silent();
    wait(&mut talk, 1).hears(&[failure(7, LATE)]);
}

#[test]
fn a_question_that_was_withdrawn_holds_no_time_up() {
    let (mut talk, gate) = connect(false);
    talk.say(call(7, "give_up", "{}")).heard();
    wait(&mut talk, 100).is_silent();
    gate.pass_one();
    talk.pair.run();
    assert!(talk.heard()[0].contains("notifications/cancelled"));
    wait(&mut talk, 9).is_silent();
    wait(&mut talk, 1).hears(&[failure(7, LATE)]);
}

#[test]
fn a_client_that_never_answers_is_not_waited_for_longer_than_its_question() {
    let (mut talk, _gate) = connect(false);
    talk.say(call(7, "ask_in_three", "{}")).heard();
    wait(&mut talk, 599).is_silent();
    let heard = wait(&mut talk, 1).heard();
    let late = "the client did not answer `elicitation/create` in time";
    assert_eq!(heard.last(), Some(&failure(7, late)));
}
