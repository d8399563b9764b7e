use serde_json::json;

use crate::script::{server, sh, soon};

#[tokio::test]
async fn a_server_is_opened_called_and_closed() {
    let echo = r#"
        read -r call
        echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hello"}]}}'
        cat >/dev/null
    "#;
    let client = soon(server(echo).connect()).await.unwrap();
    let result = soon(client.call_tool("greet", json!({}))).await.unwrap();
    assert_eq!(result.text(), "hello");
    soon(client.close()).await;
}

/// HST-07.
#[tokio::test]
async fn a_child_that_ends_at_once_says_why() {
    let error = soon(sh("echo no database >&2; exit 3").connect())
        .await
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("exit status: 3") && text.contains("no database"),
        "{text}"
    );
}
