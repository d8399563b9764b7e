//! The servers under test.

use std::future::pending;
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use mcp_core::{Server, tool};
use mcp_stdio::{Error, ServeOptions};
use tokio::sync::Notify;

static QUIT: LazyLock<Notify> = LazyLock::new(Notify::new);

/// Answers after so many milliseconds.
#[tool]
async fn wait(milliseconds: u64) -> String {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "waited".to_owned()
}

/// Prints to standard output.
#[tool]
fn stray() -> String {
    println!("a stray print");
    "printed".to_owned()
}

/// Returns what a child reads from the standard input it inherits.
#[tool]
fn child_input() -> String {
    let cat = Command::new("cat").stdin(Stdio::inherit()).output();
    let child = cat.expect("`cat` runs");
    format!("<{}>", String::from_utf8_lossy(&child.stdout))
}

/// Leaves a task and a thread of tokio's blocking pool behind.
#[tool]
async fn litter() -> String {
    tokio::spawn(async {
        let mut ticks = tokio::time::interval(Duration::from_millis(10));
        loop {
            ticks.tick().await;
        }
    });
    tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_secs(60)));
    "left".to_owned()
}

/// Returns a text of so many bytes.
#[tool]
fn big(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Asks the application to end.
#[tool]
async fn quit() -> String {
    QUIT.notify_one();
    "bye".to_owned()
}

fn server() -> Server {
    Server::new("test", "1.0.0")
        .tool::<wait>()
        .tool::<stray>()
        .tool::<child_input>()
        .tool::<litter>()
        .tool::<big>()
        .tool::<quit>()
}

pub(crate) fn main(kind: &str) -> ExitCode {
    let ended = match kind {
        "run" => mcp_stdio::run(server()),
        "serve" => serve(),
        "serve-dropped" => serve_dropped(),
        _ => return ExitCode::from(64),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted) => ExitCode::from(3),
        Err(_) => ExitCode::FAILURE,
    }
}

/// In a runtime of the application, with a shutdown of its own.
#[tokio::main]
async fn serve() -> Result<(), Error> {
    let options = ServeOptions::new().with_shutdown(QUIT.notified());
    options.serve(server()).await.map(|_| ())
}

/// In a runtime of the application, which drops the future on its own account.
#[tokio::main]
async fn serve_dropped() -> Result<(), Error> {
    let options = ServeOptions::new().with_shutdown(pending());
    tokio::select! {
        closed = options.serve(server()) => closed.map(|_| ()),
        () = QUIT.notified() => Ok(()),
    }
}
