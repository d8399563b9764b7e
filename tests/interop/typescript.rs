//! The official TypeScript clients: the first generation, which only shakes hands, and the second.

use std::process::Command;

use crate::client::{check, check_by_http};
use crate::environment::{self, Environment};
use crate::expected::{Client, Revision, conversation, mute_conversation};

fn program(environment: &Environment, library: &str, mode: &str) -> Command {
    let mut program = Command::new(environment.node());
    program
        .env("CLIENT_PACKAGES", environment.packages())
        .arg(environment::driver("ts_client.mjs"))
        .args(["--library", library, "--mode", mode]);
    program
}

fn walk(library: &str, mode: &str, offer: Option<Revision>, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let mut program = program(&environment, library, mode);
    if let Some(offer) = offer {
        program.args(["--offer", offer.as_str()]);
    }
    let name = format!("ts-{library}-{mode}-{}", negotiated.as_str());
    let client = Client {
        renames_not_found: library == "v2",
        ..Client::new(negotiated)
    };
    check(&environment, &name, program, &conversation(&client));
}

/// A client that can't be asked anything.
fn walk_mute(library: &str, mode: &str, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let mut program = program(&environment, library, mode);
    program.arg("--mute");
    let expected = mute_conversation(&Client::new(negotiated));
    let name = format!("ts-{library}-{mode}-mute");
    check(&environment, &name, program, &expected);
}

/// A handshake that asks for this revision and gets it.
fn shake_hands(library: &str, revision: Revision) {
    walk(library, "legacy", Some(revision), revision);
}

#[test]
fn the_first_typescript_client_shakes_hands_by_default_on_2025_11_25() {
    walk("v1", "legacy", None, Revision::V2025_11_25);
}

#[test]
fn the_first_typescript_client_speaks_2025_06_18() {
    shake_hands("v1", Revision::V2025_06_18);
}

#[test]
fn the_first_typescript_client_speaks_2025_03_26() {
    shake_hands("v1", Revision::V2025_03_26);
}

#[test]
fn the_first_typescript_client_speaks_2024_11_05() {
    shake_hands("v1", Revision::V2024_11_05);
}

#[test]
fn the_second_typescript_client_discovers_the_newest_revision() {
    walk("v2", "auto", None, Revision::V2026_07_28);
}

#[test]
fn the_second_typescript_client_is_pinned_to_2026_07_28() {
    walk("v2", "2026-07-28", None, Revision::V2026_07_28);
}

#[test]
fn the_second_typescript_client_shakes_hands_by_default_on_2025_11_25() {
    walk("v2", "legacy", None, Revision::V2025_11_25);
}

#[test]
fn the_second_typescript_client_speaks_2025_06_18() {
    shake_hands("v2", Revision::V2025_06_18);
}

#[test]
fn the_second_typescript_client_speaks_2025_03_26() {
    shake_hands("v2", Revision::V2025_03_26);
}

#[test]
fn the_second_typescript_client_speaks_2024_11_05() {
    shake_hands("v2", Revision::V2024_11_05);
}

#[test]
fn the_first_typescript_client_can_not_be_asked_by_requests_unless_it_says_so() {
    walk_mute("v1", "legacy", Revision::V2025_11_25);
}

#[test]
fn the_second_typescript_client_can_not_be_asked_by_rounds_unless_it_says_so() {
    walk_mute("v2", "auto", Revision::V2026_07_28);
}

#[test]
fn the_second_typescript_client_can_not_be_asked_by_requests_unless_it_says_so() {
    walk_mute("v2", "legacy", Revision::V2025_11_25);
}

/// The same conversation by HTTP.
fn walk_by_http(library: &str, mode: &str, offer: Option<Revision>, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let mut program = program(&environment, library, mode);
    if let Some(offer) = offer {
        program.args(["--offer", offer.as_str()]);
    }
    let name = format!("ts-http-{library}-{mode}-{}", negotiated.as_str());
    let client = Client {
        renames_not_found: library == "v2",
        ..Client::new(negotiated)
    };
    check_by_http(&environment, &name, program, &conversation(&client));
}

#[test]
fn the_first_typescript_client_opens_sessions_by_http() {
    walk_by_http("v1", "legacy", None, Revision::V2025_11_25);
}

#[test]
fn the_first_typescript_client_opens_sessions_of_2025_03_26_by_http() {
    walk_by_http(
        "v1",
        "legacy",
        Some(Revision::V2025_03_26),
        Revision::V2025_03_26,
    );
}

#[test]
fn the_second_typescript_client_opens_sessions_by_http() {
    walk_by_http("v2", "legacy", None, Revision::V2025_11_25);
}

#[test]
fn the_second_typescript_client_discovers_the_newest_revision_by_http() {
    walk_by_http("v2", "auto", None, Revision::V2026_07_28);
}
