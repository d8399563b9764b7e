//! The SDK's own server under the clients of other SDKs, and its client with other people's servers.

use crate::command::{self, Stop};
use crate::setup;
use crate::workspace::Workspace;

/// Runs the interop tests whose names contain one of the filters, or all.
pub(crate) fn run(filters: impl Iterator<Item = String>) -> Result<(), Stop> {
    let filters: Vec<_> = filters.collect();
    run_in(&Workspace::load()?, &filters)
}

/// Installs the clients and servers, builds our own programs, runs the tests.
pub(crate) fn run_in(workspace: &Workspace, filters: &[String]) -> Result<(), Stop> {
    for package in ["conformance", "mcp-gen", "interop"] {
        if !workspace.has(package) {
            return Err(Stop::Skipped(format!(
                "the workspace has no package {package}"
            )));
        }
    }
    let folder = setup::prepare(workspace)?;
    command::run(&mut workspace.cargo(["build", "-p", "conformance"]))?;
    // By itself, as the test does it that uses it: together they may have other features.
    command::run(&mut workspace.cargo(["build", "-p", "mcp-gen"]))?;
    let server = workspace.target().join("debug/conformance");
    let mut tests = if workspace.has_subcommand("nextest") {
        workspace.cargo(["nextest", "run", "--no-fail-fast", "-p", "interop"])
    } else {
        workspace.cargo(["test", "--no-fail-fast", "-p", "interop", "--tests"])
    };
    command::run(
        tests
            .args(filters)
            .env("INTEROP_DIR", folder)
            .env("CONFORMANCE_SERVER", server),
    )
}
