//! Other reference servers (npm): a folder of files, and a memory.

use mcp_core::client::ClientErrorKind;
use serde_json::json;

use super::{names, npm, run, text};
use crate::environment::{Environment, scratch};

#[test]
fn server_filesystem_reads_and_refuses() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let folder = scratch("served-files");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.txt");
        std::fs::write(&file, "hello\n").unwrap();
        let command = npm(&environment, "server-filesystem").arg(&folder);
        let client = command.connect().await.unwrap();
        assert_eq!(client.server().name(), "secure-filesystem-server");
        let tools = names(&client).await;
        assert_eq!(tools.len(), 14);
        assert!(tools.contains(&"read_text_file".to_owned()));
        let file = file.to_str().unwrap();
        assert_eq!(
            text(&client, "read_text_file", json!({"path": file})).await,
            "hello\n"
        );
        let outside = client
            .call_tool("read_text_file", json!({"path": "/etc/passwd"}))
            .await
            .unwrap();
        assert_eq!(outside.is_error, Some(true));
        assert!(
            outside.text().starts_with("Access denied"),
            "{}",
            outside.text()
        );
        // It offers nothing else, and is not asked for it.
        let prompts = client.list_prompts(None).await.unwrap_err();
        assert!(matches!(prompts.kind(), ClientErrorKind::Unsupported(_)));
        client.close().await;
    });
}

#[test]
fn server_memory_keeps_what_it_is_told() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let memory = scratch("memory.json");
        std::fs::remove_file(&memory).ok();
        let command = npm(&environment, "server-memory").env("MEMORY_FILE_PATH", &memory);
        let client = command.connect().await.unwrap();
        assert_eq!(names(&client).await.len(), 9);
        let entity = json!({"name": "a", "entityType": "t", "observations": ["o"]});
        text(&client, "create_entities", json!({"entities": [entity]})).await;
        let graph: serde_json::Value = client
            .call_tool("read_graph", ())
            .into_typed()
            .await
            .unwrap();
        assert_eq!(graph["entities"], json!([entity]));
        client.close().await;
        assert!(memory.exists());
    });
}
