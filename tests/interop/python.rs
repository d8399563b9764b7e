//! The official Python client, and FastMCP's, which is built on it.

use std::process::Command;

use crate::client::{check, check_by_http};
use crate::environment::{self, Environment};
use crate::expected::{Client, Revision, conversation, mute_conversation};

const MCP: &str = "mcp";
const FASTMCP: &str = "fastmcp";

/// The program, and what is particular about its library.
fn client(
    environment: &Environment,
    library: &str,
    mode: &str,
    revision: Revision,
) -> (Command, Client) {
    let mut program = Command::new(environment.python());
    program
        // Nothing is written into the folder of the sources.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(environment::driver("py_client.py"))
        .args(["--library", library, "--mode", mode]);
    let is_modern_fastmcp = library == FASTMCP && revision == Revision::V2026_07_28;
    let client = Client {
        always_asks_for_logs: is_modern_fastmcp,
        cannot_listen: is_modern_fastmcp,
        ..Client::new(revision)
    };
    (program, client)
}

fn walk(library: &str, mode: &str, offer: Option<Revision>, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let (mut program, client) = client(&environment, library, mode, negotiated);
    if let Some(offer) = offer {
        program.args(["--offer", offer.as_str()]);
    }
    let name = format!("{library}-{mode}-{}", negotiated.as_str());
    check(&environment, &name, program, &conversation(&client));
}

/// A client that can't be asked anything.
fn walk_mute(library: &str, mode: &str, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let (mut program, client) = client(&environment, library, mode, negotiated);
    program.arg("--mute");
    let name = format!("{library}-{mode}-mute");
    check(&environment, &name, program, &mute_conversation(&client));
}

/// A handshake that asks for this revision and gets it.
fn shake_hands(library: &str, revision: Revision) {
    walk(library, "legacy", Some(revision), revision);
}

#[test]
fn the_python_client_discovers_the_newest_revision() {
    walk(MCP, "auto", None, Revision::V2026_07_28);
}

#[test]
fn the_python_client_adopts_2026_07_28_without_asking() {
    walk(MCP, "2026-07-28", None, Revision::V2026_07_28);
}

#[test]
fn the_python_client_shakes_hands_by_default_on_2025_11_25() {
    walk(MCP, "legacy", None, Revision::V2025_11_25);
}

#[test]
fn the_python_client_speaks_2025_06_18() {
    shake_hands(MCP, Revision::V2025_06_18);
}

#[test]
fn the_python_client_speaks_2025_03_26() {
    shake_hands(MCP, Revision::V2025_03_26);
}

#[test]
fn the_python_client_speaks_2024_11_05() {
    shake_hands(MCP, Revision::V2024_11_05);
}

#[test]
fn fastmcp_discovers_the_newest_revision() {
    walk(FASTMCP, "auto", None, Revision::V2026_07_28);
}

#[test]
fn fastmcp_adopts_2026_07_28_without_asking() {
    walk(FASTMCP, "2026-07-28", None, Revision::V2026_07_28);
}

#[test]
fn fastmcp_shakes_hands_by_default_on_2025_11_25() {
    walk(FASTMCP, "legacy", None, Revision::V2025_11_25);
}

#[test]
fn fastmcp_speaks_2025_06_18() {
    shake_hands(FASTMCP, Revision::V2025_06_18);
}

#[test]
fn fastmcp_speaks_2025_03_26() {
    shake_hands(FASTMCP, Revision::V2025_03_26);
}

#[test]
fn fastmcp_speaks_2024_11_05() {
    shake_hands(FASTMCP, Revision::V2024_11_05);
}

#[test]
fn the_python_client_can_not_be_asked_by_rounds_unless_it_says_so() {
    walk_mute(MCP, "auto", Revision::V2026_07_28);
}

#[test]
fn the_python_client_can_not_be_asked_by_requests_unless_it_says_so() {
    walk_mute(MCP, "legacy", Revision::V2025_11_25);
}

#[test]
fn fastmcp_can_not_be_asked_by_rounds_unless_it_says_so() {
    walk_mute(FASTMCP, "auto", Revision::V2026_07_28);
}

#[test]
fn fastmcp_can_not_be_asked_by_requests_unless_it_says_so() {
    walk_mute(FASTMCP, "legacy", Revision::V2025_11_25);
}

/// The same conversation by HTTP.
fn walk_by_http(library: &str, mode: &str, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let (program, client) = client(&environment, library, mode, negotiated);
    let name = format!("{library}-http-{mode}-{}", negotiated.as_str());
    check_by_http(&environment, &name, program, &conversation(&client));
}

#[test]
fn the_python_client_opens_sessions_by_http() {
    walk_by_http(MCP, "legacy", Revision::V2025_11_25);
}

#[test]
fn the_python_client_discovers_the_newest_revision_by_http() {
    walk_by_http(MCP, "auto", Revision::V2026_07_28);
}

#[test]
fn fastmcp_opens_sessions_by_http() {
    walk_by_http(FASTMCP, "legacy", Revision::V2025_11_25);
}

#[test]
fn fastmcp_discovers_the_newest_revision_by_http() {
    walk_by_http(FASTMCP, "auto", Revision::V2026_07_28);
}
