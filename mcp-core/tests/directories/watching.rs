//! What clients are told of a folder that changes.

use std::time::Duration;

use mcp_core::Server;
use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{TestClient, TestRuntime};
use serde_json::{Value, json};

use crate::folder::{Folder, list, text, uris};

const INTERVAL: Duration = Duration::from_secs(2);

fn session(folder: &Folder) -> TestClient {
    opened(folder.client())
}

fn opened(mut client: TestClient) -> TestClient {
    client.initialize(ProtocolVersion::V2025_11_25);
    client
}

fn subscribe(client: &mut TestClient, uri: &str) {
    client
        .request("resources/subscribe", json!({ "uri": uri }))
        .unwrap();
}

/// Lets the folder be looked through, and takes what was told: methods, with URIs where they have one.
fn told(client: &mut TestClient) -> Vec<String> {
    client.advance(INTERVAL);
    taken(client)
}

fn taken(client: &mut TestClient) -> Vec<String> {
    let mut told: Vec<String> = (client.take_messages().iter())
        .map(|message| {
            let method = message["method"].as_str().unwrap();
            let method = method.strip_prefix("notifications/resources/").unwrap();
            match &message["params"]["uri"] {
                Value::String(uri) => format!("{method} {uri}"),
                _ => method.to_owned(),
            }
        })
        .collect();
    told.sort();
    told
}

#[test]
fn files_that_come_and_go_change_the_list_once() {
    let folder = Folder::new();
    folder.write("old.md", "");
    let mut client = session(&folder);
    assert_eq!(told(&mut client), Vec::<String>::new());
    folder.write("new.md", "");
    folder.write("sub/new.md", "");
    folder.remove("old.md");
    assert_eq!(told(&mut client), ["list_changed"]);
    assert_eq!(uris(&mut client), ["docs://new.md", "docs://sub/new.md"]);
    assert_eq!(told(&mut client), Vec::<String>::new());
    std::fs::rename(folder.path().join("sub"), folder.path().join("bus")).unwrap();
    assert_eq!(told(&mut client), ["list_changed"]);
    assert_eq!(uris(&mut client), ["docs://new.md", "docs://bus/new.md"]);
}

#[test]
fn who_has_subscribed_is_told_what_has_changed_come_or_gone() {
    let folder = Folder::new();
    folder.write("a b.md", "1");
    folder.write("other.md", "1");
    let mut client = session(&folder);
    subscribe(&mut client, "docs://a%20b.md");
    folder.write("a b.md", "22");
    folder.write("other.md", "22");
    assert_eq!(told(&mut client), ["updated docs://a%20b.md"]);
    folder.remove("a b.md");
    let gone = ["list_changed", "updated docs://a%20b.md"];
    assert_eq!(told(&mut client), gone);
    folder.write("a b.md", "1");
    assert_eq!(told(&mut client), gone);
    client
        .request("resources/unsubscribe", json!({"uri": "docs://a%20b.md"}))
        .unwrap();
    folder.write("a b.md", "333");
    assert_eq!(told(&mut client), Vec::<String>::new());
}

#[test]
fn listeners_of_2026_are_told_what_they_asked_for() {
    let folder = Folder::new();
    folder.write("a.md", "1");
    let mut client = folder.client();
    let filter = json!({"resourcesListChanged": true, "resourceSubscriptions": ["docs://a.md"]});
    let _listening = client.start("subscriptions/listen", json!({ "notifications": filter }));
    client.advance(Duration::ZERO);
    assert_eq!(client.take_messages().len(), 1, "the acknowledgment");
    folder.write("a.md", "22");
    assert_eq!(told(&mut client), ["updated docs://a.md"]);
    folder.write("b.md", "");
    assert_eq!(told(&mut client), ["list_changed"]);
}

#[test]
fn the_list_says_the_size_that_a_file_has_now() {
    let folder = Folder::new();
    folder.write("a.md", "1");
    folder.write("b.md", "1");
    let mut client = session(&folder);
    folder.write("a.md", "4444");
    assert_eq!(told(&mut client), Vec::<String>::new());
    let listed = list(&mut client);
    assert_eq!(
        (&listed[0]["uri"], &listed[0]["size"]),
        (&json!("docs://a.md"), &json!(4))
    );
}

#[test]
fn a_file_replaced_by_one_of_the_same_size_and_time_has_changed() {
    let folder = Folder::new();
    let path = folder.write("a.md", "1");
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    let mut client = session(&folder);
    subscribe(&mut client, "docs://a.md");
    let next = folder.write(".next", "2");
    let file = std::fs::OpenOptions::new().write(true).open(&next).unwrap();
    file.set_modified(time).unwrap();
    std::fs::rename(&next, &path).unwrap();
    if cfg!(unix) {
        assert_eq!(told(&mut client), ["updated docs://a.md"]);
    }
}

#[test]
fn thousands_of_changes_are_told_as_few() {
    let folder = Folder::new();
    for n in 0..1000 {
        folder.write(format!("{n:04}.md"), "1");
    }
    let mut client = session(&folder);
    subscribe(&mut client, "docs://0007.md");
    for n in 0..1000 {
        folder.write(format!("{n:04}.md"), "22");
        folder.write(format!("more/{n:04}.md"), "");
    }
    for _ in 0..100 {
        folder.write("0007.md", "333");
        folder.write("0007.md", "4444");
    }
    let expected = ["list_changed", "updated docs://0007.md"];
    assert_eq!(told(&mut client), expected);
    assert_eq!(uris(&mut client).len(), 2000);
}

#[test]
fn an_unwatched_folder_stays_as_it_was_and_sets_no_timer() {
    let folder = Folder::new();
    folder.write("a.md", "1");
    let server = Server::new("s", "1").directory(folder.directory().watch(None));
    let runtime = TestRuntime::new();
    let mut client = opened(TestClient::new(server).with_runtime(&runtime));
    assert_eq!(runtime.next_timer(), None);
    folder.write("b.md", "late");
    assert_eq!(told(&mut client), Vec::<String>::new());
    assert_eq!(uris(&mut client), ["docs://a.md"]);
    assert_eq!(text(&mut client, "docs://b.md"), "late");
}

#[test]
fn one_connection_looks_for_all_and_the_next_takes_over() {
    let folder = Folder::new();
    let server = folder.server().build().unwrap();
    let runtime = TestRuntime::new();
    let connect = || opened(TestClient::connect(&server).with_runtime(&runtime));
    let (first, mut second, mut third) = (connect(), connect(), connect());
    runtime.hold_jobs();
    for client in [&mut second, &mut third] {
        client.advance(INTERVAL);
    }
    assert_eq!(runtime.waiting_jobs(), 0, "the first has not run");
    drop(first);
    for client in [&mut second, &mut third] {
        client.advance(INTERVAL);
    }
    assert_eq!(runtime.waiting_jobs(), 1);
    runtime.release_jobs();
    folder.write("a.md", "");
    second.advance(INTERVAL);
    third.advance(Duration::ZERO);
    assert_eq!(taken(&mut second), ["list_changed"]);
    assert_eq!(taken(&mut third), ["list_changed"]);
}

#[test]
fn connections_that_come_and_go_do_not_make_it_look_more_often() {
    let folder = Folder::new();
    let server = folder.server().build().unwrap();
    let runtime = TestRuntime::new();
    runtime.hold_jobs();
    for _ in 0..50 {
        opened(TestClient::connect(&server).with_runtime(&runtime));
    }
    assert_eq!(runtime.waiting_jobs(), 1);
    runtime.advance(INTERVAL);
    opened(TestClient::connect(&server).with_runtime(&runtime));
    assert_eq!(runtime.waiting_jobs(), 2);
}

#[test]
fn nothing_is_left_of_a_folder_when_its_server_is_gone() {
    let folder = Folder::new();
    folder.write("a.md", "");
    let runtime = TestRuntime::new();
    let client = opened(TestClient::new(folder.server()).with_runtime(&runtime));
    assert!(runtime.next_timer().is_some());
    assert!(handles_on(&folder) > 0 || !cfg!(target_os = "linux"));
    drop(client);
    assert_eq!(runtime.next_timer(), None);
    assert_eq!(runtime.waiting_jobs(), 0);
    assert_eq!(handles_on(&folder), 0);
}

/// Handles of this process on the folder and on what is in it, where the system tells.
fn handles_on(folder: &Folder) -> usize {
    let Ok(handles) = std::fs::read_dir("/proc/self/fd") else {
        return 0;
    };
    let targets = handles.filter_map(|handle| std::fs::read_link(handle.ok()?.path()).ok());
    targets
        .filter(|target| target.starts_with(folder.path()))
        .count()
}

#[test]
fn a_folder_that_is_deleted_has_no_files() {
    let folder = Folder::new();
    folder.write("docs/a.md", "");
    let docs = folder.path().join("docs");
    let directory = mcp_core::fs::Directory::open(&docs).unwrap().at("docs://");
    let mut client = opened(TestClient::new(Server::new("s", "1").directory(directory)));
    assert_eq!(uris(&mut client), ["docs://a.md"]);
    if std::fs::remove_dir_all(&docs).is_ok() {
        assert_eq!(told(&mut client), ["list_changed"]);
        assert_eq!(uris(&mut client), Vec::<String>::new());
    }
}
