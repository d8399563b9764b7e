//! What must not be read, whatever happens to the folder meanwhile.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::TestClient;
use mcp_core::{ErrorObject, Server};
use proptest::prelude::*;
use serde_json::json;

use crate::folder::{Folder, read, text, uris};

const SECRET: &str = "TOP SECRET";

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A folder `root` in which and beside which are things that nobody may read.
fn surrounded() -> Folder {
    let folder = Folder::new();
    folder.write("secret.md", SECRET);
    folder.write("outside/secret.md", SECRET);
    folder.write("root/open.md", "open");
    folder.write("root/sub/open.md", "open");
    folder.write("root/.hidden/secret.md", SECRET);
    folder.write("root/.secret.md", SECRET);
    folder.write("root/sub/.secret.md", SECRET);
    let root = folder.path().join("root");
    for (link, target) in [
        ("up.md", "../secret.md"),
        ("inside.md", ".secret.md"),
        ("folder", "../outside"),
        ("hidden", ".hidden"),
        ("absolute", "/"),
        ("myself", "."),
        ("dangling", "nowhere"),
        ("proc", "/proc/self"),
        ("root", "/proc/self/root"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    symlink(folder.path().join("secret.md"), root.join("sub/up.md")).unwrap();
    pipe(&root.join("pipe.md"));
    folder
}

fn client(folder: &Folder) -> TestClient {
    let root = folder.path().join("root");
    let directory = mcp_core::fs::Directory::open(root).unwrap().at("docs://");
    TestClient::new(Server::new("s", "1").directory(directory))
}

/// Asserts that this can't be told from a file that does not exist.
#[track_caller]
fn is_not_found(client: &mut TestClient, uri: &str) {
    let error = read(client, uri).unwrap_err();
    let missing = read(client, "docs://missing.md").unwrap_err();
    let missing = ErrorObject::new(missing.code, missing.message).with_data(json!({ "uri": uri }));
    assert_eq!(error, missing, "{uri}");
}

#[test]
fn what_is_forbidden_looks_like_what_is_missing() {
    let folder = surrounded();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("root/socket"));
    assert!(folder.path().join("root/socket").exists());
    let mut client = client(&folder);
    for path in [
        "../secret.md",
        "sub/../../secret.md",
        "%2e%2e/secret.md",
        "..%2Fsecret.md",
        "sub/..%2f..%2Fsecret.md",
        "%252e%252e/secret.md",
        "%252e%252e%252fsecret.md",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "..%5Csecret.md",
        "open.md%00",
        "open.md/",
        "open.md/x",
        "./open.md",
        "sub//open.md",
        "sub",
        ".secret.md",
        ".hidden/secret.md",
        "sub/.secret.md",
        "up.md",
        "inside.md",
        "sub/up.md",
        "folder/secret.md",
        "hidden/secret.md",
        "absolute/etc/passwd",
        "myself/open.md",
        "dangling",
        "proc/environ",
        "root/etc/passwd",
        "pipe.md",
        "socket",
    ] {
        is_not_found(&mut client, &format!("docs://{path}"));
    }
    assert_eq!(text(&mut client, "docs://sub/open.md"), "open");
}

#[test]
fn what_can_not_be_read_is_not_listed() {
    let folder = surrounded();
    let listed = uris(&mut client(&folder));
    assert_eq!(listed, ["docs://open.md", "docs://sub/open.md"]);
}

#[test]
fn devices_are_not_opened() {
    let directory = mcp_core::fs::Directory::open("/dev").unwrap().at("docs://");
    let mut client = TestClient::new(Server::new("s", "1").directory(directory.max_depth(0)));
    is_not_found(&mut client, "docs://zero");
    is_not_found(&mut client, "docs://null");
}

#[test]
fn links_lead_nowhere_but_within_the_folder_when_they_are_followed() {
    let folder = surrounded();
    let root = folder.path().join("root");
    symlink("../open.md", root.join("sub/back.md")).unwrap();
    symlink("sub", root.join("alias")).unwrap();
    let directory = mcp_core::fs::Directory::open(root).unwrap();
    let directory = directory.at("docs://").follow_symlinks(true);
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    assert_eq!(text(&mut client, "docs://sub/back.md"), "open");
    assert_eq!(text(&mut client, "docs://alias/open.md"), "open");
    assert_eq!(text(&mut client, "docs://myself/myself/open.md"), "open");
    for path in [
        "up.md",
        "sub/up.md",
        "folder/secret.md",
        "absolute/etc/passwd",
        "dangling",
        "proc/environ",
        "root/etc/passwd",
        "pipe.md",
        ".secret.md",
    ] {
        is_not_found(&mut client, &format!("docs://{path}"));
    }
    // What the links of files lead to is listed; folders that are links are not gone through.
    assert_eq!(
        uris(&mut client),
        [
            "docs://inside.md",
            "docs://open.md",
            "docs://sub/back.md",
            "docs://sub/open.md"
        ]
    );
}

#[test]
fn a_hidden_file_is_one_like_others_when_hidden_files_are_shown() {
    let folder = surrounded();
    let root = folder.path().join("root");
    let directory = mcp_core::fs::Directory::open(root).unwrap();
    let directory = directory.at("docs://").hidden(true);
    let mut client = TestClient::new(Server::new("s", "1").directory(directory));
    assert_eq!(text(&mut client, "docs://.hidden/secret.md"), SECRET);
    assert!(uris(&mut client).contains(&"docs://sub/.secret.md".to_owned()));
    is_not_found(&mut client, "docs://up.md");
    is_not_found(&mut client, "docs://../secret.md");
}

/// What is put in the place of another.
#[derive(Clone, Copy, Debug)]
enum Thing {
    File,
    Folder,
    Link(&'static str),
    Pipe,
}

impl Thing {
    fn put(self, root: &Path, at: &Path) {
        match self {
            Self::File => std::fs::write(at, "open").unwrap(),
            Self::Folder => {
                std::fs::create_dir(at).unwrap();
                std::fs::write(at.join("secret.md"), "open").unwrap();
            }
            Self::Link(target) => symlink(target, at).unwrap(),
            Self::Pipe => std::fs::hard_link(root.join("pipe.md"), at).unwrap(),
        }
    }
}

/// How many swaps there are until one stays. No multiple of how many things there are, so that each of them does.
const FLEETING: usize = 7;

/// Puts one thing after the other in the place of `victim`, until told to stop. Now and then one of them stays while
/// somebody looks, so that each is seen however little of a machine is had.
fn swap(root: &Path, victim: &Path, things: &[Thing], looks: &Looks) {
    let (next, old) = (root.join("next"), root.join("old"));
    for (at, thing) in things.iter().cycle().enumerate() {
        if at % FLEETING == 0 {
            looks.wait_for_one();
        }
        if looks.over() {
            return;
        }
        thing.put(root, &next);
        // Nothing is renamed over a folder.
        let _: std::io::Result<()> = std::fs::rename(victim, &old);
        std::fs::rename(&next, victim).unwrap();
        let _: std::io::Result<()> =
            std::fs::remove_file(&old).or_else(|_| std::fs::remove_dir_all(&old));
    }
}

/// How often somebody has looked, which who swaps goes by.
#[derive(Default)]
struct Looks {
    done: AtomicUsize,
    over: AtomicBool,
}

impl Looks {
    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn has_looked(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until a look that began after this has ended.
    fn wait_for_one(&self) {
        let enough = self.done.load(Ordering::Relaxed) + 2;
        while self.done.load(Ordering::Relaxed) < enough && !self.over() {
            std::thread::yield_now();
        }
    }
}

/// Stops who swaps, also when the test fails.
struct Stop<'a>(&'a Looks);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// Reads a file again and again while something swaps what is there. Only what is open may be seen of it, and each of
/// found and not found often enough to say that it was hit at many moments.
fn read_through(uri: &str, victim: &str, things: &[Thing]) {
    let folder = surrounded();
    let root = folder.path().join("root");
    let victim = root.join(victim);
    let mut client = client(&folder);
    let looks = Looks::default();
    std::thread::scope(|scope| {
        let _stop = Stop(&looks);
        scope.spawn(|| swap(&root, &victim, things, &looks));
        let (mut open, mut closed) = (0, 0);
        while open < 1000 || closed < 1000 {
            match read(&mut client, uri) {
                Ok(contents) => {
                    assert_eq!(contents["text"], "open");
                    open += 1;
                }
                Err(error) => {
                    assert_eq!(error.code.get(), -32602);
                    closed += 1;
                }
            }
            looks.has_looked();
            assert!(open + closed < 1_000_000, "{open} open, {closed} closed");
        }
    });
}

#[test]
fn a_link_that_is_put_in_the_place_of_a_file_is_never_followed() {
    let things = [
        Thing::File,
        Thing::Link("../secret.md"),
        Thing::File,
        Thing::Link(".secret.md"),
    ];
    read_through("docs://victim.md", "victim.md", &things);
}

#[test]
fn a_link_that_is_put_in_the_place_of_a_folder_is_never_followed() {
    let things = [
        Thing::Folder,
        Thing::Link("../outside"),
        Thing::Folder,
        Thing::Link(".hidden"),
    ];
    read_through("docs://victim/secret.md", "victim", &things);
}

#[test]
fn a_pipe_that_is_put_in_the_place_of_a_file_keeps_nobody_waiting() {
    read_through("docs://victim.md", "victim.md", &[Thing::File, Thing::Pipe]);
}

#[test]
fn looking_through_a_folder_that_changes_meanwhile_finds_nothing_outside() {
    let folder = surrounded();
    let root = folder.path().join("root");
    let (victim, looks) = (root.join("victim"), Looks::default());
    let things = [Thing::Folder, Thing::Link("../outside"), Thing::Link("sub")];
    let mut client = client(&folder);
    std::thread::scope(|scope| {
        let _stop = Stop(&looks);
        scope.spawn(|| swap(&root, &victim, &things, &looks));
        let (mut with, mut without) = (0, 0);
        while with < 300 || without < 300 {
            client.advance(std::time::Duration::from_secs(2));
            let mut uris = uris(&mut client);
            // The places where things wait to be swapped are in the folder, too.
            uris.retain(|uri| !uri.starts_with("docs://next") && !uri.starts_with("docs://old"));
            let expected = ["docs://open.md", "docs://sub/open.md"].map(str::to_owned);
            let found: Vec<_> = (uris.iter())
                .filter(|uri| !expected.contains(uri))
                .collect();
            match found.as_slice() {
                [] => without += 1,
                [victim] if *victim == "docs://victim/secret.md" => with += 1,
                others => panic!("{others:?}"),
            }
            looks.has_looked();
            assert!(with + without < 100_000, "{with} with, {without} without");
        }
    });
}

/// Parts of paths that lead astray where one is careless.
fn parts() -> impl Strategy<Value = Vec<&'static str>> {
    let part = prop::sample::select(vec![
        "..",
        ".",
        "",
        "/",
        "%2e%2e",
        "%2E.",
        "%252e%252e",
        "%2f",
        "%2F",
        "%5c",
        "%5C",
        "%00",
        "%",
        "%25",
        "%FF",
        "~",
        "\u{2025}",
        "open.md",
        "sub",
        "up.md",
        "folder",
        "hidden",
        ".hidden",
        ".secret.md",
        "secret.md",
        "myself",
        "absolute",
        "proc",
        "root",
        "environ",
        "etc",
        "passwd",
        "outside",
        "pipe.md",
        "?",
        "#",
        "docs:",
        "file:",
        "é",
    ]);
    prop::collection::vec(part, 0..8)
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let folder = surrounded();
    for follow in [false, true] {
        let root = folder.path().join("root");
        std::fs::remove_file(root.join("inside.md")).unwrap();
        std::fs::remove_file(root.join("hidden")).unwrap();
        let directory = mcp_core::fs::Directory::open(&root).unwrap();
        let directory = directory.at("docs://").follow_symlinks(follow).watch(None);
        let client = TestClient::new(Server::new("s", "1").directory(directory));
        let client = std::sync::Mutex::new(client);
        proptest!(ProptestConfig::with_cases(4000), |(parts in parts(), slashes in any::<u8>())| {
            let mut uri = "docs://".to_owned();
            for (at, part) in parts.iter().enumerate() {
                if at > 0 && slashes & (1 << at) != 0 {
                    uri.push('/');
                }
                uri.push_str(part);
            }
            match read(&mut client.lock().unwrap(), &uri) {
                Ok(contents) => prop_assert_eq!(&contents["text"], "open"),
                Err(error) => {
                    prop_assert_eq!(error.code.get(), -32602);
                    let place = folder.path().to_str().unwrap();
                    let error = format!("{error:?}");
                    prop_assert!(!error.contains(place));
                }
            }
        });
        symlink(".secret.md", root.join("inside.md")).unwrap();
        symlink(".hidden", root.join("hidden")).unwrap();
    }
}

#[test]
fn a_file_that_may_not_be_opened_looks_like_one_that_is_missing() {
    use std::os::unix::fs::PermissionsExt;

    let folder = surrounded();
    let closed = folder.write("root/closed.md", SECRET);
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    let mut client = client(&folder);
    // Whoever may do everything reads it all the same.
    if std::fs::read(&closed).is_err() {
        is_not_found(&mut client, "docs://closed.md");
        client.initialize(ProtocolVersion::V2025_11_25);
        is_not_found(&mut client, "docs://closed.md");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_not_unicode_have_no_uri() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = surrounded();
    folder.write(
        Path::new("root").join(OsStr::from_bytes(b"a\xFF.md")),
        SECRET,
    );
    let folder_name = Path::new("root").join(OsStr::from_bytes(b"b\xFF"));
    folder.write(folder_name.join("c.md"), SECRET);
    let mut client = client(&folder);
    assert_eq!(uris(&mut client), ["docs://open.md", "docs://sub/open.md"]);
    for uri in ["docs://a%FF.md", "docs://a\u{fffd}.md", "docs://b%FF/c.md"] {
        assert_eq!(read(&mut client, uri).unwrap_err().code.get(), -32602);
    }
}
