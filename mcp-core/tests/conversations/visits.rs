//! People who are sent to a page, and clients that are told when they are done there.

use std::sync::{Arc, Mutex};

use mcp_core::protocol::{ElicitUrlParams, ProtocolVersion, UrlElicitationRequiredData, UrlMode};
use mcp_core::{Context, ErrorObject, Refused, Server, Visit, tool};
use serde_json::Value;

use crate::talk::{Talk, call, cancel, modern_as, result, text};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
const URLS: &str = r#"{"elicitation":{"url":{}}}"#;
const PAGE: &str = "https://example.org/pay";

/// The people on their way.
#[derive(Clone, Default)]
struct Visits(Arc<Mutex<Vec<Visit>>>);

impl Visits {
    fn add(&self, visit: Visit) {
        self.0.lock().unwrap().push(visit);
    }

    fn complete_all(&self) {
        for visit in &*self.0.lock().unwrap() {
            visit.complete();
        }
    }
}

/// Sends the person to a page.
#[tool]
async fn pay(cx: &Context, visits: &Visits) -> Result<&'static str, Refused> {
    let question = cx.elicit_url("page", "Please pay.", PAGE);
    visits.add(question.visit());
    question.await?;
    Ok("on the way")
}

/// Refuses until the person was at a page.
#[tool]
fn require(cx: &Context, visits: &Visits) -> Result<(), ErrorObject> {
    visits.add(cx.visit("e-1"));
    let page = ElicitUrlParams::new(UrlMode::Url, "Please pay.", PAGE).with_elicitation_id("e-1");
    Err(UrlElicitationRequiredData::new([page]).into())
}

fn server() -> (Server, Visits) {
    let visits = Visits::default();
    let server = (Server::new("s", "1").lend(visits.clone()))
        .tool::<pay>()
        .tool::<require>();
    (server, visits)
}

fn complete(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{{"elicitationId":"{id}"}}}}"#
    )
}

fn id_in(question: &str) -> String {
    let question: Value = serde_json::from_str(question).unwrap();
    let id = &question["params"]["elicitationId"];
    id.as_str().unwrap().to_owned()
}

/// S88
#[test]
fn only_the_client_that_was_asked_is_told_once_that_its_person_is_done() {
    let (server, visits) = server();
    let server = server.build().unwrap();
    let mut talk = Talk::connect(&server).opened_as(V2025_11, URLS);
    let mut other = Talk::connect(&server).opened_as(V2025_11, URLS);
    talk.say(call(7, "pay", "{}"));
    let id = id_in(&talk.heard()[0]);
    talk.say(result(1, r#""action":"accept""#))
        .hears(&[text(7, "on the way")]);
    // The call is long over.
    visits.complete_all();
    visits.complete_all();
    talk.pair.run();
    other.pair.run();
    talk.hears(&[complete(&id)]);
    other.is_silent();
}

/// S88
#[test]
fn a_person_may_be_done_before_the_client_has_said_that_they_went() {
    let (server, visits) = server();
    let mut talk = Talk::new(server).opened_as(V2025_11, URLS);
    talk.say(call(7, "pay", "{}"));
    let id = id_in(&talk.heard()[0]);
    visits.complete_all();
    talk.pair.run();
    talk.hears(&[complete(&id)]);
    talk.say(cancel(7)).heard();
}

/// S88
#[test]
fn who_was_refused_for_want_of_a_visit_is_told_when_it_is_over() {
    let (server, visits) = server();
    let mut talk = Talk::new(server).opened_as(V2025_11, URLS);
    talk.say(call(7, "require", "{}"));
    let refused: Value = serde_json::from_str(&talk.heard()[0]).unwrap();
    assert_eq!(refused["error"]["code"], -32042);
    let page = &refused["error"]["data"]["elicitations"][0];
    assert_eq!(page["elicitationId"], "e-1");
    visits.complete_all();
    talk.pair.run();
    talk.hears(&[complete("e-1")]);
}

/// S88
#[test]
fn revisions_without_the_notification_are_told_nothing() {
    let (server, visits) = server();
    let mut talk = Talk::new(server);
    for name in ["pay", "require"] {
        let members = format!(r#""name":"{name}","arguments":{{}}"#);
        talk.say(modern_as(1, URLS, "tools/call", &members)).heard();
    }
    assert_eq!(visits.0.lock().unwrap().len(), 2);
    assert!((visits.0.lock().unwrap().iter()).all(|visit| visit.id().is_none()));
    visits.complete_all();
    talk.pair.run();
    talk.is_silent();
}

#[test]
fn a_visit_outlives_its_connection_and_keeps_nothing_of_it() {
    let (server, visits) = server();
    let mut talk = Talk::new(server).opened_as(V2025_11, URLS);
    talk.say(call(7, "pay", "{}")).heard();
    talk.pair.end_input().run();
    assert!(talk.pair.closed().is_some());
    drop(talk);
    visits.complete_all();
}
