//! Builds the load generator and the servers, each with its own lock file.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::bench::{
    Outcome,
    options::{Options, Purpose},
    say,
    servers::{Home, OURS, Server},
};

pub(crate) struct Build {
    /// The folder of the workspace.
    pub(crate) root: PathBuf,
    /// The target folder of the workspace.
    pub(crate) target: PathBuf,
    ours: bool,
    peers: bool,
}

impl Build {
    /// Builds what the purpose needs.
    pub(crate) fn new(options: &Options) -> Outcome<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .ok_or("xtask lies in no workspace")?
            .to_owned();
        let target = target_folder(&root)?;
        say("building the load generator, the floors and our server");
        run(cargo(&root).args(["build", "--release", "-p", "mcp-benches"]))?;
        run(cargo(&root)
            .args(["build", "--release", "-p", "mcp-benches"])
            .args(["--bin", "floor-tokio", "--features", "floor-tokio"]))?;
        let peers = options.purpose == Purpose::Compare;
        if peers {
            say("building rmcp's servers");
            let mut build = cargo(&root);
            build.args(["build", "--release", "--locked", "--manifest-path"]);
            run(build
                .arg(rmcp_manifest(&root))
                .arg("--target-dir")
                .arg(target.join(PEERS)))?;
        }
        Ok(Self {
            root,
            target,
            ours: true,
            peers,
        })
    }

    pub(crate) fn has(&self, server: &Server) -> bool {
        match server.home {
            Home::Benches => *server != OURS || self.ours,
            Home::Peers => self.peers,
        }
    }

    pub(crate) fn path(&self, server: &Server) -> PathBuf {
        let target = match server.home {
            Home::Benches => self.target.clone(),
            Home::Peers => self.target.join(PEERS),
        };
        target.join("release").join(server.binary)
    }

    pub(crate) fn load_generator(&self) -> PathBuf {
        self.target.join("release").join("load")
    }
}

/// The target folder of the peers, inside ours.
pub(crate) const PEERS: &str = "bench-peers";

pub(crate) fn rmcp_manifest(root: &Path) -> PathBuf {
    root.join("benches/peers/rmcp/Cargo.toml")
}

/// The cargo that runs us, at work in `folder`.
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder).arg("--quiet");
    cargo
}

/// Runs a command to its end; what it prints goes through.
pub(crate) fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed: {status}").into())
    }
}

/// Runs a command to its end for what it prints.
pub(crate) fn read(command: &mut Command) -> Outcome<String> {
    let output = command.output()?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {} {stderr}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn target_folder(root: &Path) -> Outcome<PathBuf> {
    let metadata = read(cargo(root).args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let folder = metadata["target_directory"]
        .as_str()
        .ok_or("cargo names no target folder")?;
    Ok(folder.into())
}
