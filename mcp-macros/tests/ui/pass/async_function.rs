//! An async function, its future `Send`.

use mcp_core::{Context, Tool, tool};

#[tool(finishes, deadline = "1500ms")]
async fn wait(cx: &Context, times: u8) -> Result<String, std::fmt::Error> {
    for done in 0..times {
        std::future::ready(()).await;
        let _ = (cx, done);
    }
    Ok("waited".to_owned())
}

#[test]
fn it_is_defined() {
    assert_eq!(wait::definition().name(), "wait");
}
