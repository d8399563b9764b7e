//! Children written in the shell.

use std::time::Duration;

use mcp_stdio::{Command, Stderr};

/// Long enough for any machine; only a test that hangs waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Answers the probe as an older server does, and `initialize`.
pub(crate) const OPENING: &str = r#"
read -r probe
echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'
read -r initialize
echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}}'
read -r initialized
"#;

/// A child that runs a script.
pub(crate) fn sh(script: impl AsRef<str>) -> Command {
    Command::new("sh")
        .arg("-c")
        .arg(script.as_ref())
        .stderr(Stderr::Tail)
}

/// A child that opens a session and goes on with a script.
pub(crate) fn server(script: &str) -> Command {
    sh(format!("{OPENING}{script}"))
}

/// Ends a test that hangs.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .expect("it hangs")
}
