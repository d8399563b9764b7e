//! What is listed of a folder.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::TestClient;
use mcp_core::{Invocation, ResourceDefinition, Server, Shown, Step};
use serde_json::{Value, json};

use crate::folder::{Folder, list, text, uris};

fn set_modified(path: &std::path::Path, seconds: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    file.set_modified(time).unwrap();
}

#[test]
fn files_are_listed_with_size_media_type_and_time() {
    let folder = Folder::new();
    let path = folder.write("sub/a b.md", "12345");
    set_modified(&path, 951_782_400);
    let mut client = folder.client();
    let expected = json!({
        "uri": "docs://sub/a%20b.md",
        "name": "sub/a b.md",
        "mimeType": "text/markdown",
        "annotations": {"lastModified": "2000-02-29T00:00:00Z"},
        "size": 5,
    });
    assert_eq!(list(&mut client), [expected]);
    client.initialize(ProtocolVersion::V2024_11_05);
    let expected = json!({
        "uri": "docs://sub/a%20b.md",
        "name": "sub/a b.md",
        "mimeType": "text/markdown",
        "size": 5,
    });
    assert_eq!(list(&mut client), [expected]);
}

#[test]
fn all_files_are_a_family() {
    let folder = Folder::new();
    let directory = folder.directory().name("docs").description("The docs.");
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    let result = client
        .request("resources/templates/list", json!({}))
        .unwrap();
    let expected =
        json!([{"uriTemplate": "docs://{+path}", "name": "docs", "description": "The docs."}]);
    assert_eq!(result["resourceTemplates"], expected);
    // What came after the list was made is read, too.
    folder.write("late.md", "x");
    assert_eq!(text(&mut client, "docs://late.md"), "x");
}

#[test]
fn two_folders_are_two_families() {
    let (first, second) = (Folder::new(), Folder::new());
    first.write("a.md", "first");
    second.write("a.md", "second");
    let server = Server::new("s", "1")
        .directory(first.directory().at("first:"))
        .directory(second.directory().at("file:///second"));
    let mut client = TestClient::new(server);
    assert_eq!(uris(&mut client), ["first:/a.md", "file:///second/a.md"]);
    assert_eq!(text(&mut client, "first:/a.md"), "first");
    assert_eq!(text(&mut client, "file:///second/a.md"), "second");
}

#[test]
fn thousands_of_files_come_in_pages_of_a_thousand() {
    let folder = Folder::new();
    for sub in 0..25 {
        std::fs::create_dir(folder.path().join(format!("{sub:02}"))).unwrap();
        for file in 0..100 {
            folder.write(format!("{sub:02}/{file:02}.md"), "");
        }
    }
    let mut client = folder.client();
    let first = client.request("resources/list", json!({})).unwrap();
    assert_eq!(first["resources"].as_array().unwrap().len(), 1000);
    let all = uris(&mut client);
    assert_eq!(all.len(), 2500);
    assert!(all.is_sorted());
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 2500);
    assert_eq!(text(&mut client, "docs://24/99.md"), "");
    // What comes is on the last page, and those before it stay.
    folder.write("late.md", "");
    client.advance(Duration::from_secs(2));
    let params = json!({ "cursor": first["nextCursor"] });
    let second = client.request("resources/list", params).unwrap();
    assert_eq!(second["resources"][0]["uri"], all[1000]);
    assert_eq!(uris(&mut client).last().unwrap(), "docs://late.md");
}

#[test]
fn of_more_files_than_are_listed_those_of_upper_folders_are() {
    let folder = Folder::new();
    for path in ["a/1.md", "a/2.md", "z.md", "b/1.md"] {
        folder.write(path, path);
    }
    let directory = folder.directory().max_entries(3);
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    let expected = ["docs://z.md", "docs://a/1.md", "docs://a/2.md"];
    assert_eq!(uris(&mut client), expected);
    assert_eq!(text(&mut client, "docs://b/1.md"), "b/1.md");
}

#[test]
fn what_is_below_the_deepest_folder_is_neither_listed_nor_read() {
    let folder = Folder::new();
    folder.write("a/b/2.md", "2");
    folder.write("a/b/c/3.md", "3");
    let directory = folder.directory().max_depth(2);
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    assert_eq!(uris(&mut client), ["docs://a/b/2.md"]);
    assert!(crate::folder::read(&mut client, "docs://a/b/c/3.md").is_err());
}

#[test]
fn a_page_size_of_the_application_counts() {
    let folder = Folder::new();
    for n in 0..5 {
        folder.write(format!("{n}.md"), "");
    }
    let mut client = TestClient::new(folder.server().page_size(2));
    let page = client.request("resources/list", json!({})).unwrap();
    assert_eq!(page["resources"].as_array().unwrap().len(), 2);
}

fn own(text: &'static str) -> ResourceDefinition {
    ResourceDefinition::new("docs://own.md", "own", move |call: Invocation| {
        Step::Done(call.contents(text))
    })
}

#[test]
fn a_resource_of_the_application_goes_before_a_file_and_outlives_it() {
    let folder = Folder::new();
    folder.write("own.md", "the file's");
    let mut client = TestClient::new(folder.server().raw_resource(own("mine")));
    assert_eq!(text(&mut client, "docs://own.md"), "mine");
    folder.write("own.md", "the file's, changed");
    client.advance(Duration::from_secs(2));
    assert_eq!(list(&mut client)[0]["name"], "own");
    folder.remove("own.md");
    client.advance(Duration::from_secs(2));
    assert_eq!(text(&mut client, "docs://own.md"), "mine");
    assert_eq!(uris(&mut client), ["docs://own.md"]);
}

#[test]
fn a_file_that_is_not_shown_is_not_listed_nor_read() {
    let folder = Folder::new();
    folder.write("open.md", "open");
    folder.write("closed.md", "closed");
    let server = folder.server().show_if(|what, _| match what {
        Shown::Resource(uri) => !uri.contains("closed"),
        _ => true,
    });
    let mut client = TestClient::new(server);
    assert_eq!(uris(&mut client), ["docs://open.md"]);
    assert!(crate::folder::read(&mut client, "docs://closed.md").is_err());
}

#[test]
fn a_folder_of_a_mounted_server_is_served_and_watched() {
    let folder = Folder::new();
    folder.write("a.md", "x");
    let middle = Server::new("middle", "1").mount("in", folder.server());
    let mut client = TestClient::new(Server::new("outer", "1").mount("mid", middle));
    assert_eq!(text(&mut client, "docs://a.md"), "x");
    folder.write("b.md", "y");
    client.advance(Duration::from_secs(2));
    assert_eq!(uris(&mut client), ["docs://a.md", "docs://b.md"]);
    folder.remove("a.md");
    client.advance(Duration::from_secs(2));
    assert_eq!(uris(&mut client), ["docs://b.md"]);
}

#[test]
fn an_empty_folder_is_an_empty_list() {
    let folder = Folder::new();
    assert_eq!(list(&mut folder.client()), Vec::<Value>::new());
}
