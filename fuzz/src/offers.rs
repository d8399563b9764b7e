//! Prompts and resources, some of which ask, and what changes them.

use std::future::ready;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use mcp_core::protocol::Completion;
use mcp_core::{Completing, Context, Live, Server, prompt, prompts, resource, resources, tools};

use crate::asking::sure;

/// What can be watched.
pub const WATCHED: &str = "fuzz://watched";

pub(crate) fn add(server: Server) -> Server {
    let live = server.live();
    server
        .prompt::<review>()
        .prompt::<ask_first>()
        .resource::<watched>()
        .resource::<note>()
        .resource::<page>()
        .resource::<locked>()
        .prompts(Shelf)
        .resources(Shelf)
        .tools(Changing {
            live,
            hidden: Mutex::new([false; 3]),
            updates: AtomicU8::new(0),
        })
}

fn languages(typed: &Completing) -> impl Future<Output = Completion> + Send + use<> {
    ready(Completion::matching(typed, ["rust", "ruby", "go"]))
}

/// Reviews code.
#[prompt]
fn review(
    #[complete(languages)] language: &str,
    #[complete("1", "2", "10")]
    #[arg(range = 1..=10)]
    findings: Option<u8>,
) -> String {
    format!("{language} {findings:?}")
}

/// Asks before it says anything.
#[prompt]
async fn ask_first(cx: &Context) -> String {
    sure(cx, "prompt").await
}

/// Changes now and then.
#[resource("fuzz://watched")]
fn watched() -> &'static str {
    "watched"
}

/// One of many.
#[resource("fuzz://note/{id}")]
fn note(id: u16) -> Option<String> {
    (id != 7).then(|| id.to_string())
}

/// Takes whatever there is.
#[resource("fuzz://page/{+path}{?from,to}")]
async fn page(path: &str, from: Option<&str>, to: Option<u8>) -> Vec<u8> {
    format!("{path} {from:?} {to:?}").into_bytes()
}

/// Asks before it can be read.
#[resource("fuzz://locked/{id}")]
async fn locked(cx: &Context, id: u8) -> String {
    sure(cx, &format!("resource {id}")).await
}

struct Shelf;

impl Shelf {
    fn titles(&self, typed: &str) -> Vec<String> {
        vec![format!("{typed}a"), format!("{typed}b")]
    }
}

#[prompts]
impl Shelf {
    /// Picks one.
    #[prompt]
    fn pick(&self, #[complete(self.titles)] title: String) -> String {
        title
    }
}

#[resources]
impl Shelf {
    /// One of the shelf.
    #[resource("fuzz://shelf/{title}")]
    fn book(&self, #[complete(self.titles)] title: String) -> String {
        title
    }
}

struct Changing {
    live: Live,
    /// A tool, a prompt, a resource.
    hidden: Mutex<[bool; 3]>,
    updates: AtomicU8,
}

#[tools]
impl Changing {
    /// Hides something or shows it again.
    #[tool]
    fn change(&self, #[arg(range = 0..=2)] what: u8) {
        let mut hidden = self.hidden.lock().expect("nobody panics in here");
        let is_hidden = &mut hidden[usize::from(what)];
        *is_hidden = !*is_hidden;
        let (live, shown) = (&self.live, !*is_hidden);
        match (what, shown) {
            (0, true) => live.enable("big"),
            (0, false) => live.disable("big"),
            (1, true) => live.enable_prompt("review"),
            (1, false) => live.disable_prompt("review"),
            (_, true) => live.enable_resource(WATCHED),
            (_, false) => live.disable_resource(WATCHED),
        };
    }

    /// Changes what can be watched, and something that can't.
    #[tool]
    fn update(&self) -> u8 {
        self.live.resource_updated(WATCHED);
        self.live.resource_updated("fuzz://note/1");
        self.live.resource_updated("fuzz://nowhere");
        self.updates.fetch_add(1, Ordering::Relaxed)
    }
}
