//! Tools that ask the client, each in its own way.

use std::future::Future;
use std::sync::Mutex;

use futures_util::future::{join3, select};
use mcp_core::protocol::{CreateMessageParams, SamplingMessage};
use mcp_core::{Context, Server, Visit, data, tool};

use crate::tools::wait;

pub(crate) fn add(server: Server) -> Server {
    server
        .lend(Visits::default())
        .tool::<ask>()
        .tool::<gather>()
        .tool::<insist>()
        .tool::<hurry>()
        .tool::<leave>()
        .tool::<visit>()
        .tool::<visited>()
}

/// A yes or a no.
#[data]
pub(crate) struct Sure {
    yes: bool,
}

/// Whatever a person decides is an answer.
pub(crate) async fn sure(cx: &Context, what: &str) -> String {
    let answer = cx.elicit::<Sure>("sure", format!("Sure of {what}?")).await;
    format!("{:?}", answer.map(|sure| sure.yes))
}

fn to_model() -> CreateMessageParams {
    CreateMessageParams::new([SamplingMessage::user("Hi")], 10)
}

/// Asks one thing.
#[tool]
async fn ask(cx: &Context) -> String {
    sure(cx, "the tool").await
}

/// Asks three things at once.
#[tool]
async fn gather(cx: &Context) -> String {
    let person = cx.elicit::<Sure>("person", "Sure?");
    let (person, said, roots) = join3(person, cx.sample("model", to_model()), cx.roots()).await;
    format!("{:?} {:?} {}", person.is_ok(), said.is_ok(), roots.len())
}

/// Asks until it is told yes, and counts.
#[tool]
async fn insist(cx: &Context) -> u32 {
    loop {
        let rounds = cx.recall("rounds").unwrap_or(0) + 1;
        cx.remember("rounds", &rounds);
        match cx.elicit::<Sure>("sure", "Sure?").await {
            Ok(Sure { yes: false }) => {}
            _ => return rounds,
        }
    }
}

/// Waits for an answer so many rounds only.
#[tool]
async fn hurry(cx: &Context, rounds: u8) -> bool {
    let question = cx.elicit::<Sure>("sure", "Quick?");
    let late = Box::pin(wait(rounds));
    matches!(
        select(question, late).await,
        futures_util::future::Either::Left(_)
    )
}

/// Asks, and is done before anybody can answer.
#[tool]
async fn leave(cx: &Context) {
    let mut question = cx.sample("model", to_model());
    let once = std::future::poll_fn(|task| {
        let _: std::task::Poll<_> = std::pin::Pin::new(&mut question).poll(task);
        std::task::Poll::Ready(())
    });
    once.await;
}

/// The people who were sent somewhere.
#[derive(Default)]
struct Visits(Mutex<Vec<Visit>>);

/// Sends the person to a page.
#[tool]
async fn visit(cx: &Context, visits: &Visits) -> bool {
    let question = cx.elicit_url("page", "Please go there.", "https://example.org/a");
    let visit = question.visit();
    visits.0.lock().expect("nobody panics in here").push(visit);
    question.await.is_ok()
}

/// All of them are done.
#[tool]
fn visited(visits: &Visits) -> usize {
    let visits = visits.0.lock().expect("nobody panics in here");
    visits.iter().for_each(Visit::complete);
    visits.len()
}
