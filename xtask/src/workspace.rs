//! What cargo knows about the workspace.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::command::{self, Stop};

#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    packages: Vec<Package>,
}

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Whether it may be published, so that it has to survive `cargo package`.
    pub(crate) published: bool,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> Result<Self, Stop> {
        let root = root();
        let metadata = command::output(
            Command::new(cargo_program())
                .args(["metadata", "--no-deps", "--format-version=1"])
                .current_dir(&root),
        )?;
        let metadata: Value = serde_json::from_str(&metadata)
            .map_err(|error| Stop::Unexpected(format!("cargo metadata: {error}")))?;
        let target = metadata["target_directory"]
            .as_str()
            .map(PathBuf::from)
            .ok_or_else(|| {
                Stop::Unexpected("cargo metadata names no target directory".to_owned())
            })?;
        let packages = metadata["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(package)
            .collect();
        Ok(Self {
            root,
            target,
            packages,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The one target folder, which everything but fuzzing shares.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.packages.iter().any(|package| package.name == name)
    }

    pub(crate) fn published(&self) -> impl Iterator<Item = &str> {
        self.packages
            .iter()
            .filter(|package| package.published)
            .map(|package| package.name.as_str())
    }

    /// A cargo command that runs in the root.
    pub(crate) fn cargo<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let mut command = Command::new(cargo_program());
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Whether cargo has a subcommand that is installed on its own.
    pub(crate) fn has_subcommand(&self, name: &str) -> bool {
        command::succeeds(&mut self.cargo([name, "--version"]))
    }

    pub(crate) fn read(&self, path: &str) -> Result<String, Stop> {
        let path = self.root.join(path);
        std::fs::read_to_string(&path).map_err(|source| Stop::file(&path, source))
    }
}

fn package(package: &Value) -> Option<Package> {
    Some(Package {
        name: package["name"].as_str()?.to_owned(),
        // Null where any registry is allowed, an empty list where none is.
        published: package["publish"].is_null(),
    })
}

fn cargo_program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest
        .parent()
        .map_or_else(|| manifest.clone(), Path::to_path_buf)
}
