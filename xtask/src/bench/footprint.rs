//! The seven-line server: how many crates it needs, how big it is, what building it costs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::bench::{
    Outcome,
    build::{self, Build, cargo},
    metric::Budget,
    options::Options,
    report::Report,
    say,
    servers::{Column, FLOOR_TOKIO},
};

const CRATES: &str = "seven-line server: crates";
const SIZE: &str = "seven-line server: stripped binary";
const BUILD: &str = "seven-line server: clean release build, CPU";

/// A calculator and where it is built.
struct Calculator {
    column: Column,
    manifest: PathBuf,
    package: &'static str,
    binary: &'static str,
    target: PathBuf,
}

/// Adds the rows that are asked for.
pub(crate) fn measure(options: &Options, build: &Build, report: &mut Report) {
    if ![CRATES, SIZE, BUILD].iter().any(|row| options.wants(row)) {
        return;
    }
    say("the seven-line server");
    let (mut crates, mut sizes, mut builds) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut calculators = vec![rmcp(build)];
    match ours(build) {
        Ok(calculator) => calculators.push(calculator),
        Err(error) => report.note(format!("our seven-line server: {error}")),
    }
    for calculator in calculators {
        match calculator.footprint(options) {
            Ok(footprint) => {
                crates.insert(calculator.column, footprint.crates);
                sizes.insert(calculator.column, footprint.megabytes);
                builds.extend(
                    footprint
                        .build_seconds
                        .map(|seconds| (calculator.column, seconds)),
                );
            }
            Err(error) => report.note(format!("{}: {error}", calculator.package)),
        }
    }
    if let Ok(floor) = fs::metadata(build.path(&FLOOR_TOKIO)) {
        sizes.insert(Column::Floor, megabytes(floor.len()));
    }
    report.add_figures(CRATES, "", Budget::AtMost(45.0), &crates);
    report.add_figures(SIZE, "MB", Budget::AtMost(1.5), &sizes);
    if options.clean_builds {
        report.add_figures(BUILD, "s", Budget::AtMostOfRmcp(0.45), &builds);
    }
}

fn rmcp(build: &Build) -> Calculator {
    Calculator {
        column: Column::Rmcp,
        manifest: build::rmcp_manifest(&build.root),
        package: "peer-rmcp",
        binary: "peer-rmcp-calculator",
        target: build.target.join(build::PEERS),
    }
}

/// Writes a package of its own for our calculator: inside the workspace, features of other members would join its own.
fn ours(build: &Build) -> Outcome<Calculator> {
    let folder = build.target.join("bench-calculator");
    fs::create_dir_all(folder.join("src"))?;
    let root = build.root.display();
    let manifest = format!(
        r#"[workspace]

[package]
name = "calculator"
version = "0.1.0"
edition = "2024"

[dependencies]
mcp-core = {{ path = "{root}/mcp-core" }}
mcp-stdio = {{ path = "{root}/mcp-stdio" }}

[profile.release]
strip = true
"#
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(
        folder.join("src/main.rs"),
        include_str!("calculator.rs.txt"),
    )?;
    // The versions that the workspace is tested with.
    fs::copy(build.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(Calculator {
        column: Column::Ours,
        manifest: folder.join("Cargo.toml"),
        package: "calculator",
        binary: "calculator",
        target: folder.join("target"),
    })
}

struct Footprint {
    crates: f64,
    megabytes: f64,
    build_seconds: Option<f64>,
}

impl Calculator {
    fn footprint(&self, options: &Options) -> Outcome<Footprint> {
        let mut target = self.target.clone();
        let mut build_seconds = None;
        if options.clean_builds {
            target.push("clean");
            if target.exists() {
                fs::remove_dir_all(&target)?;
            }
            let before = children_cpu()?;
            self.build(&target)?;
            build_seconds = Some(children_cpu()? - before);
        } else {
            self.build(&target)?;
        }
        let file = fs::metadata(target.join("release").join(self.binary))?;
        Ok(Footprint {
            crates: self.crates()?,
            megabytes: megabytes(file.len()),
            build_seconds,
        })
    }

    fn build(&self, target: &Path) -> Outcome<()> {
        let mut cargo = cargo(self.folder());
        cargo
            .args(["build", "--release", "--bin", self.binary, "--target-dir"])
            .arg(target);
        build::run(&mut cargo)
    }

    /// Those that are compiled for a build of the server, procedural macros and what they need among them.
    fn crates(&self) -> Outcome<f64> {
        let mut cargo = cargo(self.folder());
        cargo.args([
            "tree", "--edges", "normal", "--prefix", "none", "--format", "{p}",
        ]);
        let tree = build::read(&mut cargo)?;
        Ok(count_crates(&tree, self.package) as f64)
    }

    fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(&self.manifest)
    }
}

/// The different crates that `cargo tree` lists, without the package itself.
fn count_crates(tree: &str, package: &str) -> usize {
    let crates: BTreeSet<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.next()?))
        })
        .filter(|(name, _)| *name != package)
        .collect();
    crates.len()
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// User and system seconds of the children that were waited for, and of theirs.
fn children_cpu() -> Outcome<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the command stands in parentheses and may hold anything; the fields are counted after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse::<f64>);
    let ticks = ticks.collect::<Result<Vec<_>, _>>()?;
    // Linux shows times in hundredths of a second whatever its own clock.
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_counted_once_and_the_package_is_not() {
        let tree =
            "calculator v0.1.0 (/a)\nserde v1.0.1\nsyn v2.0.0\nserde v1.0.1 (*)\nsyn v1.0.0\n\n";
        assert_eq!(count_crates(tree, "calculator"), 3);
    }
}
