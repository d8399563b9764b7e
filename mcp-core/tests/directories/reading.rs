//! What files are read as.

use std::path::Path;

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{TestClient, TestRuntime};
use mcp_core::{ErrorCode, Server};
use serde_json::json;

use crate::folder::{Folder, read, text, uris};

#[test]
fn what_is_utf_8_is_text_and_all_else_base64() {
    let folder = Folder::new();
    folder.write("a.md", "# é");
    folder.write("plain", "text");
    folder.write("data", [0xFF, 0xFE]);
    folder.write("latin.txt", [b'a', 0xE9]);
    folder.write("looks.png", "text");
    let mut client = folder.client();
    for (uri, member, contents, mime_type) in [
        ("docs://a.md", "text", "# é", "text/markdown"),
        ("docs://plain", "text", "text", "text/plain"),
        ("docs://data", "blob", "//4=", "application/octet-stream"),
        ("docs://latin.txt", "blob", "Yek=", "text/plain"),
        ("docs://looks.png", "blob", "dGV4dA==", "image/png"),
    ] {
        let expected = json!({"uri": uri, member: contents, "mimeType": mime_type});
        assert_eq!(read(&mut client, uri).unwrap(), expected);
    }
}

#[test]
fn a_media_type_of_the_application_goes_before_ours() {
    let folder = Folder::new();
    folder.write("a.MD", "x");
    let directory = folder.directory().media_type("md", "text/x-own");
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    let contents = read(&mut client, "docs://a.MD").unwrap();
    assert_eq!(contents["mimeType"], "text/x-own");
}

#[test]
fn a_file_beyond_the_limit_is_an_error_that_names_the_limit() {
    let folder = Folder::new();
    folder.write("fits", "12345");
    folder.write("beyond", "123456");
    let directory = folder.directory().max_file_size(5);
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    assert_eq!(text(&mut client, "docs://fits"), "12345");
    let error = read(&mut client, "docs://beyond").unwrap_err();
    assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
    assert_eq!(
        error.message,
        "the file is larger than 5 bytes, the most that this server reads"
    );
    assert_eq!(
        error.data.unwrap(),
        json!({"uri": "docs://beyond", "limit": 5})
    );
}

#[test]
fn any_name_is_listed_as_a_uri_that_reads_its_file() {
    let folder = Folder::new();
    let names = [
        "a b.md",
        "100%.md",
        "a%20b.md",
        "a%252Fb",
        "café/日本.txt",
        "what?#x.md",
        "[1]{2}.md",
        "a+b&c=d;e,f.md",
        "new\nline",
        "~tilde'\"`",
    ];
    for name in names {
        folder.write(name, name);
    }
    let mut client = folder.client();
    let mut read: Vec<String> = uris(&mut client)
        .iter()
        .map(|uri| text(&mut client, uri))
        .collect();
    read.sort();
    let mut names = names;
    names.sort_unstable();
    assert_eq!(read, names);
}

#[test]
fn other_spellings_of_a_uri_read_the_same_file() {
    let folder = Folder::new();
    folder.write("café/a b.md", "here");
    let mut client = folder.client();
    for uri in [
        "docs://caf%C3%A9/a%20b.md",
        "docs://caf%c3%a9/%61%20b.md",
        "docs://café/a%20b.md",
    ] {
        assert_eq!(text(&mut client, uri), "here", "{uri}");
    }
}

#[test]
fn what_is_not_there_is_not_found_as_the_revision_says_it() {
    let folder = Folder::new();
    let mut client = folder.client();
    let error = read(&mut client, "docs://missing.md").unwrap_err();
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert_eq!(error.data.unwrap(), json!({"uri": "docs://missing.md"}));
    client.initialize(ProtocolVersion::V2025_11_25);
    let error = read(&mut client, "docs://missing.md").unwrap_err();
    assert_eq!(error.code.get(), -32002);
}

#[test]
fn a_listed_file_that_has_gone_is_not_found() {
    let folder = Folder::new();
    folder.write("a.md", "x");
    let mut client = folder.client();
    folder.remove("a.md");
    let error = read(&mut client, "docs://a.md").unwrap_err();
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
}

#[test]
fn a_file_is_read_on_a_thread_that_may_block() {
    let folder = Folder::new();
    folder.write("a.md", "x");
    let server = Server::new("s", "1").directory(folder.directory().watch(None));
    let runtime = TestRuntime::new();
    let mut client = TestClient::new(server).with_runtime(&runtime);
    runtime.hold_jobs();
    let reading = client.start("resources/read", json!({"uri": "docs://a.md"}));
    assert!(client.poll_request(&reading).is_none());
    assert_eq!(runtime.waiting_jobs(), 1);
    runtime.release_jobs();
    let result = client.poll_request(&reading).unwrap().unwrap();
    assert_eq!(result["contents"][0]["text"], "x");
}

#[cfg(unix)]
#[test]
fn the_folder_that_was_opened_is_served_wherever_it_is_moved() {
    let folder = Folder::new();
    folder.write("docs/a.md", "mine");
    let docs = folder.path().join("docs");
    let directory = mcp_core::fs::Directory::open(&docs).unwrap().at("docs://");
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    std::fs::rename(&docs, folder.path().join("moved")).unwrap();
    folder.write("docs/a.md", "another's");
    assert_eq!(text(&mut client, "docs://a.md"), "mine");
    folder.write("moved/b.md", "");
    client.advance(std::time::Duration::from_secs(2));
    assert_eq!(uris(&mut client), ["docs://a.md", "docs://b.md"]);
}

#[test]
fn a_folder_that_is_not_there_or_has_no_uri_is_an_error_at_once() {
    let folder = Folder::new();
    let missing = folder.path().join("missing");
    let error = mcp_core::fs::Directory::open(missing).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    folder.write("file", "");
    assert!(mcp_core::fs::Directory::open(folder.path().join("file")).is_err());
    for base in ["docs", "docs://{x}/", "a b:"] {
        let directory = folder.directory().at(base);
        let built = Server::new("s", "1").directory(directory).build();
        assert!(built.is_err(), "{base}");
    }
}

#[test]
fn nothing_that_is_printed_of_a_folder_holds_its_path() {
    let folder = Folder::new();
    let path = folder
        .path()
        .file_name()
        .and_then(|name| Path::new(name).to_str());
    let printed = format!("{:?}", folder.directory());
    assert!(!printed.contains(path.unwrap()), "{printed}");
}
