//! Other reference servers (npm): a folder of files, and a memory.

use std::fs;

use mcp_core::client::{Change, ClientErrorKind};
use serde_json::{Value, json};

use super::{failure, names, npm, run, text};
use crate::environment::{Environment, scratch};

#[test]
fn server_filesystem_reads_and_refuses() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let folder = scratch("served-files");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.txt");
        fs::write(&file, "hello\n").unwrap();
        let command = npm(&environment, "server-filesystem").arg(&folder);
        let client = command.connect().await.unwrap();
        assert_eq!(client.server().name(), "secure-filesystem-server");
        assert_eq!(
            names(&client).await,
            [
                "read_file",
                "read_text_file",
                "read_media_file",
                "read_multiple_files",
                "write_file",
                "edit_file",
                "create_directory",
                "list_directory",
                "list_directory_with_sizes",
                "directory_tree",
                "move_file",
                "search_files",
                "get_file_info",
                "list_allowed_directories",
            ]
        );
        assert_eq!(
            text(&client, "read_text_file", json!({"path": file})).await,
            "hello\n"
        );
        let outside = json!({"path": "/etc/passwd"});
        assert_eq!(
            failure(&client, "read_text_file", outside).await,
            format!(
                "Access denied - path outside allowed directories: /etc/passwd not in {}",
                folder.display()
            )
        );
        // It offers nothing else, and is not asked for it.
        let prompts = client.list_prompts(None).await.unwrap_err();
        assert!(matches!(prompts.kind(), ClientErrorKind::Unsupported(_)));
        client.close().await;
    });
}

#[test]
fn server_memory_keeps_what_it_is_told_and_tells_of_it() {
    let Some(environment) = Environment::find() else {
        return;
    };
    run(async {
        let memory = scratch("memory.json");
        fs::remove_file(&memory).ok();
        let command = npm(&environment, "server-memory").env("MEMORY_FILE_PATH", &memory);
        let client = command.connect().await.unwrap();
        assert_eq!(client.server().name(), "memory-server");
        assert_eq!(
            names(&client).await,
            [
                "create_entities",
                "create_relations",
                "add_observations",
                "delete_entities",
                "delete_observations",
                "delete_relations",
                "read_graph",
                "search_nodes",
                "open_nodes",
            ]
        );
        let uri = "memory://knowledge-graph";
        let mut subscription = client.subscribe([uri]).await.unwrap();
        let entity = json!({"name": "a", "entityType": "t", "observations": ["o"]});
        text(&client, "create_entities", json!({"entities": [entity]})).await;
        let changed = Change::Resource(uri.to_owned());
        assert_eq!(subscription.next().await, Some(changed));
        let whole = json!({"entities": [entity], "relations": []});
        let graph: Value = client
            .call_tool("read_graph", ())
            .into_typed()
            .await
            .unwrap();
        assert_eq!(graph, whole);
        let read = client.read_resource(uri).await.unwrap();
        let read: Value = serde_json::from_str(read.contents[0].as_text().unwrap()).unwrap();
        assert_eq!(read, whole);
        let nobody = json!({"observations": [{"entityName": "b", "contents": ["o"]}]});
        assert_eq!(
            failure(&client, "add_observations", nobody).await,
            "Entity with name b not found"
        );
        client.close().await;
        assert!(memory.exists());
    });
}
