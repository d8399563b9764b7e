use std::future::{pending, poll_fn};
use std::task::Poll;

use mcp_core::{BuiltServer, Context, LoggingLevel, Server, tool};

use crate::{Plan, asking, offers};

pub(crate) fn server(plan: &Plan) -> BuiltServer {
    let server = offers::add(asking::add(Server::new("fuzz", "1.0.0")));
    server
        .logging(true)
        .in_flight_limit(usize::from(plan.more_in_flight) + 1)
        .spawn_handlers(plan.spawns)
        .tool::<add>()
        .tool::<everything>()
        .tool::<later>()
        .tool::<finishing>()
        .tool::<blocking>()
        .tool::<never>()
        .tool::<big>()
        .tool::<panicking>()
        .build()
        .expect("the server contradicts itself nowhere")
}

/// Adds two numbers.
#[tool]
fn add(#[arg(range = -1000..=1000)] a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// Takes one argument of every kind.
#[tool]
fn everything(
    #[arg(length = 1..=8, pattern = "^[a-z]+$")] word: String,
    text: Option<&str>,
    ratio: f64,
    flag: Option<bool>,
    list: Option<Vec<u8>>,
    nested: Option<Nested>,
) -> String {
    format!("{word} {text:?} {ratio} {flag:?} {list:?} {nested:?}")
}

/// An argument with arguments of its own, to any depth.
#[mcp_core::data]
#[derive(Debug)]
struct Nested {
    kind: Kind,
    inner: Option<Box<Nested>>,
}

#[mcp_core::data]
#[derive(Debug)]
enum Kind {
    Plain,
    Named { name: String },
}

/// Is ready after some rounds, with reports on the way.
#[tool]
async fn later(cx: &Context, rounds: u8) -> u8 {
    for round in 0..rounds {
        cx.progress(round, rounds);
        cx.log(LoggingLevel::Info, "another round");
        wait(1).await;
    }
    rounds
}

/// Runs on when it is cancelled.
#[tool(finishes)]
async fn finishing(rounds: u8) -> u8 {
    wait(rounds).await;
    rounds
}

/// Wants a thread.
#[tool(blocking)]
fn blocking(cx: &Context) -> bool {
    cx.is_cancelled()
}

/// Has to be stopped.
#[tool(deadline = "1s")]
async fn never() {
    pending().await
}

/// Says a lot.
#[tool]
fn big(kilobytes: u8) -> String {
    "x".repeat(usize::from(kilobytes) << 10)
}

/// Fails.
#[tool]
async fn panicking(rounds: u8) {
    wait(rounds).await;
    // Not by `panic!`, whose hook ends a process that is fuzzed.
    std::panic::resume_unwind(Box::new("on purpose"))
}

/// Is ready when it was polled so many times.
pub(crate) async fn wait(mut rounds: u8) {
    poll_fn(|cx| {
        let Some(left) = rounds.checked_sub(1) else {
            return Poll::Ready(());
        };
        rounds = left;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
