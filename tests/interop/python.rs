//! The official Python client, and FastMCP's, which is built on it.

use std::process::Command;

use crate::client::check;
use crate::environment::{self, Environment};
use crate::expected::{Client, Revision};

const MCP: &str = "mcp";
const FASTMCP: &str = "fastmcp";

fn walk(library: &str, mode: &str, offer: Option<Revision>, negotiated: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let mut program = Command::new(environment.python());
    program
        .arg(environment::driver("py_client.py"))
        .args(["--library", library, "--mode", mode]);
    if let Some(offer) = offer {
        program.args(["--offer", offer.as_str()]);
    }
    let modern = negotiated == Revision::V2026_07_28;
    let client = Client {
        always_asks_for_logs: library == FASTMCP && modern,
        cannot_listen: library == FASTMCP && modern,
        ..Client::new(negotiated)
    };
    let name = format!("{library}-{mode}-{}", negotiated.as_str());
    check(&environment, &name, program, &client);
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
