//! What each step of `cargo xtask test` runs.

use std::process::Command;

use crate::command::{self, Stop};
use crate::workspace::Workspace;
use crate::{conformance, interop, outside};

#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) run: fn(&Workspace) -> Result<(), Stop>,
}

/// Cheap and likely to fail first.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "the code is formatted",
        run: fmt,
    },
    Step {
        name: "clippy",
        what: "no lint has anything to say",
        run: clippy,
    },
    Step {
        name: "rustdoc",
        what: "the documentation builds without a warning",
        run: rustdoc,
    },
    Step {
        name: "unit",
        what: "unit, conversation and ui tests",
        run: unit,
    },
    Step {
        name: "doctest",
        what: "the examples in the documentation and the README",
        run: doctest,
    },
    Step {
        name: "examples",
        what: "the example programs run",
        run: examples,
    },
    Step {
        name: "outside",
        what: "the README's program in a crate of its own",
        run: outside::run,
    },
    Step {
        name: "package",
        what: "each published crate is whole when packaged",
        run: package,
    },
    Step {
        name: "interop",
        what: "the clients of other SDKs use our server, and our client their servers",
        run: clients,
    },
    Step {
        name: "conformance",
        what: "the official conformance suite, in every revision",
        run: suite,
    },
    Step {
        name: "fuzz",
        what: "each fuzz target for ten seconds",
        run: fuzz,
    },
];

/// Those that end by themselves.
const EXAMPLES: &[&str] = &["quickstart"];

fn fmt(workspace: &Workspace) -> Result<(), Stop> {
    command::run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    // The fuzz targets are a workspace of their own.
    let mut fuzz = workspace.cargo(["fmt", "--check", "--manifest-path"]);
    command::run(fuzz.arg("fuzz/Cargo.toml"))
}

fn clippy(workspace: &Workspace) -> Result<(), Stop> {
    let mut clippy = workspace.cargo(["clippy", "--workspace", "--all-targets", "--all-features"]);
    command::run(clippy.args(["--", "-D", "warnings"]))
}

fn rustdoc(workspace: &Workspace) -> Result<(), Stop> {
    let mut doc = workspace.cargo(["doc", "--workspace", "--all-features", "--no-deps"]);
    command::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Without the interop tests, which have a step of their own.
fn unit(workspace: &Workspace) -> Result<(), Stop> {
    let chosen = ["--workspace", "--all-features", "--exclude", "interop"];
    if !workspace.has_subcommand("nextest") {
        if !command::on_ci() {
            command::say("    cargo-nextest is not installed, so `cargo test` takes its place");
            return command::run(
                workspace
                    .cargo(["test", "--no-fail-fast", "--lib", "--bins", "--tests"])
                    .args(chosen),
            );
        }
        command::run(&mut workspace.cargo(["install", "cargo-nextest", "--locked"]))?;
    }
    command::run(
        workspace
            .cargo(["nextest", "run", "--no-fail-fast"])
            .args(chosen),
    )
}

/// The README is among them by way of the package `interop`, which includes it.
fn doctest(workspace: &Workspace) -> Result<(), Stop> {
    command::run(&mut workspace.cargo(["test", "--doc", "--workspace", "--all-features"]))?;
    // Those that need no macros have to run without them.
    let bare = [
        "test",
        "--doc",
        "--package",
        "mcp-core",
        "--no-default-features",
    ];
    command::run(&mut workspace.cargo(bare))
}

fn examples(workspace: &Workspace) -> Result<(), Stop> {
    for name in EXAMPLES {
        if !workspace.has(name) {
            return Err(Stop::Skipped(format!(
                "the workspace has no package {name}"
            )));
        }
        let printed = command::output(&mut workspace.cargo(["run", "--quiet", "--package", name]))?;
        if printed.trim().is_empty() {
            return Err(Stop::Unexpected(format!("{name} printed nothing")));
        }
        command::say(printed.trim_end());
    }
    Ok(())
}

/// All in one command, so that those that depend on each other are found although none is published yet.
fn package(workspace: &Workspace) -> Result<(), Stop> {
    // cargo unpacks what it has packaged once for each folder and version, and would look at what was packaged before.
    let folder = format!("package-{}", std::process::id());
    let folder = workspace.target().join(folder);
    let mut package = workspace.cargo(["package", "--allow-dirty", "--target-dir"]);
    package.arg(&folder);
    for name in workspace.published() {
        package.args(["--package", name]);
    }
    let packaged = command::run(&mut package);
    // What is left behind is in nobody's way.
    let _: std::io::Result<()> = std::fs::remove_dir_all(&folder);
    packaged
}

fn suite(workspace: &Workspace) -> Result<(), Stop> {
    conformance::run_in(workspace, &[])
}

fn clients(workspace: &Workspace) -> Result<(), Stop> {
    interop::run_in(workspace, &[])
}

/// Sanitizers need a nightly toolchain; the code is free of `unsafe`, so panics, hangs and memory are what is looked for.
fn fuzz(workspace: &Workspace) -> Result<(), Stop> {
    if !workspace.has_subcommand("fuzz") {
        command::run(&mut workspace.cargo(["install", "cargo-fuzz", "--locked"]))
            .map_err(|stop| stop.into_skip("cargo-fuzz could not be installed"))?;
    }
    let target = workspace.target().join("fuzz");
    let cargo_fuzz = |verb: &str| -> Command {
        let mut command = workspace.cargo(["fuzz"]);
        command.arg(verb);
        command
    };
    command::run(
        cargo_fuzz("build")
            .args(["-s", "none", "--target-dir"])
            .arg(&target),
    )?;
    let mut failed = Vec::new();
    let names = command::output(&mut cargo_fuzz("list"))?;
    for name in names.lines() {
        // What is found goes into the first folder, which is not kept; the second is only read.
        let corpus = workspace.root().join("fuzz/corpus").join(name);
        std::fs::create_dir_all(&corpus).map_err(|source| Stop::file(&corpus, source))?;
        let seeds = workspace.root().join("fuzz/seeds").join(name);
        let mut run = cargo_fuzz("run");
        run.args(["-s", "none", "--target-dir"])
            .arg(&target)
            .arg(name)
            .arg(corpus)
            .args(seeds.exists().then_some(seeds))
            .args(["--", "-max_total_time=10", "-timeout=5"])
            .args(["-rss_limit_mb=1024", "-print_final_stats=1"]);
        // It says a line for each thing it learns, which are thousands.
        match command::run_quietly(&mut run) {
            Ok(said) => command::say(&format!("    {name}: {} runs", runs(&said))),
            Err(stop @ Stop::Ended { .. }) => {
                command::say(&format!("    {name}: {stop}"));
                failed.push(name.to_owned());
            }
            Err(stop) => return Err(stop),
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Stop::Unexpected(format!("failed: {}", failed.join(", "))))
}

/// How often a fuzz target was run, as it says at its end.
fn runs(said: &str) -> &str {
    let count = said
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    count.map_or("unknown", str::trim)
}
