//! The programs that the interop tests drive: Node, the Inspector, the clients and servers of other SDKs.
//!
//! Everything goes into `interop` in the target folder, by the pins in `tests/clients`. What is there already and was
//! installed from the same pins stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Stop};
use crate::workspace::Workspace;

/// Prints where the environment is, once it is there.
pub(crate) fn run() -> Result<(), Stop> {
    let folder = prepare(&Workspace::load()?)?;
    command::say(&folder.display().to_string());
    Ok(())
}

/// Installs what is missing and returns the folder that holds it all.
pub(crate) fn prepare(workspace: &Workspace) -> Result<PathBuf, Stop> {
    let clients = workspace.root().join("tests/clients");
    let folder = workspace.target().join("interop");
    // The Inspector writes into its home; the user's own is none of its business.
    create(&folder.join("home"))?;
    install(&folder.join("npm"), &clients, NPM_PINS, npm)?;
    install(&folder.join("python"), &clients, PYTHON_PINS, python)?;
    Ok(folder)
}

const NPM_PINS: &[&str] = &["package.json", "package-lock.json"];
const PYTHON_PINS: &[&str] = &["requirements.txt"];

/// Runs `how` unless the folder was completed from the same pins before.
fn install(
    folder: &Path,
    clients: &Path,
    pins: &[&str],
    how: fn(&Path, &Path) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut wanted = String::new();
    for pin in pins {
        let path = clients.join(pin);
        wanted += &fs::read_to_string(&path).map_err(|source| Stop::file(&path, source))?;
    }
    let done = folder.join("installed-from");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|source| Stop::file(folder, source))?;
    }
    create(folder)?;
    how(folder, clients)?;
    // Last of all: an installation that was interrupted is no installation.
    fs::write(&done, wanted).map_err(|source| Stop::file(&done, source))
}

fn npm(folder: &Path, clients: &Path) -> Result<(), Stop> {
    if !command::succeeds(Command::new("npm").arg("--version")) {
        return Err(Stop::Skipped("npm is not installed".to_owned()));
    }
    for pin in NPM_PINS {
        let to = folder.join(pin);
        fs::copy(clients.join(pin), &to).map_err(|source| Stop::file(&to, source))?;
    }
    // Node comes as one of the packages, since the one of the machine may be too old for the Inspector; the warning
    // about that is what `error` keeps back. `ci` would refuse, for an optional dependency of a dependency that the
    // registry does not have; `install` keeps to the lock file just the same. Install scripts are not needed.
    command::run(
        Command::new("npm")
            .args([
                "install",
                "--omit=optional",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--loglevel=error",
            ])
            .current_dir(folder),
    )
    .map_err(|stop| stop.into_skip("the npm packages could not be installed"))
}

fn python(folder: &Path, clients: &Path) -> Result<(), Stop> {
    if !command::succeeds(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        return Err(Stop::Skipped(
            "python3 with its venv module is not installed".to_owned(),
        ));
    }
    command::run(Command::new("python3").args(["-m", "venv"]).arg(folder))
        .map_err(|stop| stop.into_skip("the Python environment could not be made"))?;
    command::run(
        Command::new(folder.join("bin/python"))
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(clients.join("requirements.txt")),
    )
    .map_err(|stop| stop.into_skip("the Python packages could not be installed"))
}

fn create(folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder).map_err(|source| Stop::file(folder, source))
}
