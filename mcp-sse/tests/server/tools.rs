//! What is served.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_core::testing::Gate;
use mcp_core::{Context, ErrorCode, ErrorObject, Principal, Refused, Server, data, prompt, tool};
use mcp_sse::HttpContext;

/// Adds two integers.
#[tool]
pub(crate) fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Waits for the test.
#[tool]
pub(crate) async fn wait(gate: &Gate) -> &'static str {
    gate.wait().await;
    "on we go"
}

/// Reports, waits, reports again.
#[tool]
pub(crate) async fn steps(cx: &Context, gate: &Gate) -> &'static str {
    cx.progress(1, 2);
    gate.wait().await;
    cx.progress(2, 2);
    "done"
}

/// Lets its client go, waits, and answers.
#[tool]
pub(crate) async fn leave(cx: &Context, gate: &Gate) -> &'static str {
    cx.close_stream();
    gate.wait().await;
    "late"
}

/// Says that it has come to its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ended(pub(crate) Arc<AtomicBool>);

impl Ended {
    pub(crate) fn is(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Reports, waits, and leaves a mark.
#[tool]
pub(crate) async fn mark(cx: &Context, gate: &Gate, ended: &Ended) -> &'static str {
    cx.progress(1, 2);
    gate.wait().await;
    ended.0.store(true, Ordering::SeqCst);
    "marked"
}

/// A yes or a no.
#[data]
pub(crate) struct Sure {
    yes: bool,
}

/// Asks.
#[tool]
pub(crate) async fn ask(cx: &Context) -> Result<String, Refused> {
    let sure: Sure = cx.elicit("sure", "Sure?").await?;
    Ok(format!("yes: {}", sure.yes))
}

/// Asks a model.
#[tool]
pub(crate) async fn needs_sampling(cx: &Context) -> Result<String, ErrorObject> {
    let params = mcp_core::protocol::CreateMessageParams::new(Vec::new(), 10);
    let answer = cx.sample("s", params).await;
    Ok(format!("{}", answer.is_ok()))
}

/// Who asks, from where, under which tenant.
#[tool]
pub(crate) fn whoami(cx: &Context) -> String {
    let principal = cx.principal().map_or("nobody", Principal::id).to_owned();
    let agent = cx.http().and_then(|head| head.headers().get("user-agent"));
    let agent = agent.and_then(|agent| agent.to_str().ok()).unwrap_or("-");
    let tenant = cx.http().and_then(|head| head.extension::<Tenant>());
    format!(
        "{principal} {agent} {}",
        tenant.map_or("-", |tenant| tenant.0)
    )
}

/// What a layer may put into a request.
#[derive(Clone)]
pub(crate) struct Tenant(pub(crate) &'static str);

/// Looks something up near you.
#[tool]
pub(crate) fn near(
    #[schemars(extend("x-mcp-header" = "Region"))] region: Option<String>,
    #[schemars(extend("x-mcp-header" = "Count"))] count: Option<i64>,
) -> String {
    format!(
        "{} {}",
        region.unwrap_or_default(),
        count.unwrap_or_default()
    )
}

/// Refuses by an error that transports use as well.
#[prompt]
pub(crate) fn odd() -> Result<String, ErrorObject> {
    Err(ErrorObject::new(ErrorCode::INVALID_REQUEST, "odd"))
}

pub(crate) fn server() -> Server {
    Server::new("web", "1")
        .tool::<add>()
        .tool::<whoami>()
        .tool::<near>()
}

/// With tools that wait at a gate.
pub(crate) fn gated(gate: &Gate) -> Server {
    let server = server().lend(gate.clone()).tool::<wait>().tool::<steps>();
    server
        .tool::<leave>()
        .tool::<ask>()
        .tool::<needs_sampling>()
}
