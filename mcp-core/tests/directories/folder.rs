//! A folder for one test, and the questions that clients ask.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::fs::Directory;
use mcp_core::testing::TestClient;
use mcp_core::{ErrorObject, Server};
use serde_json::{Value, json};

/// A folder that is gone after the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let name = format!("mcp-core-directories-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // One that an earlier process of this number left.
        let _: std::io::Result<()> = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, in folders that are made for it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.0.join(path)).unwrap();
    }

    pub(crate) fn directory(&self) -> Directory {
        Directory::open(&self.0).unwrap().at("docs://")
    }

    pub(crate) fn server(&self) -> Server {
        Server::new("docs", "1").directory(self.directory())
    }

    pub(crate) fn client(&self) -> TestClient {
        TestClient::new(self.server())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _: std::io::Result<()> = std::fs::remove_dir_all(&self.0);
    }
}

/// The only contents at a URI.
pub(crate) fn read(client: &mut TestClient, uri: &str) -> Result<Value, ErrorObject> {
    let mut result = client.request("resources/read", json!({ "uri": uri }))?;
    let contents = result["contents"].as_array_mut().unwrap();
    assert_eq!(contents.len(), 1);
    assert_eq!(contents[0]["uri"], uri);
    Ok(contents[0].take())
}

#[track_caller]
pub(crate) fn text(client: &mut TestClient, uri: &str) -> String {
    let contents = read(client, uri).unwrap();
    contents["text"].as_str().unwrap().to_owned()
}

/// All that is listed, page by page.
pub(crate) fn list(client: &mut TestClient) -> Vec<Value> {
    let mut all = Vec::new();
    let mut params = json!({});
    loop {
        let mut page = client.request("resources/list", params).unwrap();
        all.append(page["resources"].as_array_mut().unwrap());
        if page["nextCursor"].is_null() {
            return all;
        }
        params = json!({ "cursor": page["nextCursor"] });
    }
}

pub(crate) fn uris(client: &mut TestClient) -> Vec<String> {
    let uris = list(client).into_iter();
    uris.map(|file| file["uri"].as_str().unwrap().to_owned())
        .collect()
}
