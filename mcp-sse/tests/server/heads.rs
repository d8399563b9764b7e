//! What handlers learn of the request.

use mcp_core::Principal;

use crate::tools::{Tenant, server};
use crate::web::{BOTH, JSON, MODERN, Parts, Web, modern, request};

#[tokio::test]
async fn handlers_see_headers_what_layers_added_and_who_asks() {
    let web = Web::new(server());
    let headers = [
        JSON,
        BOTH,
        MODERN,
        ("mcp-method", "tools/call"),
        ("mcp-name", "whoami"),
        ("user-agent", "test/1"),
    ];
    let body = modern("tools/call", r#""name":"whoami""#);
    let mut request = request("POST", &headers)
        .body(Parts(vec![body.into()]))
        .unwrap();
    request.extensions_mut().insert(Principal::new("ann"));
    request.extensions_mut().insert(Tenant("acme"));
    let text = web.request(request).await.text().await;
    assert!(text.contains("ann test/1 acme"), "{text}");
}
