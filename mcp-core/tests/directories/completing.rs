//! How the path of a file is completed.

use mcp_core::testing::TestClient;
use mcp_core::{Server, Shown};
use serde_json::json;

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    for path in [
        "readme.md",
        "guide/first steps.md",
        "guide/second.md",
        "guide/deep/third.md",
        "a%20b.md",
        ".git/config",
    ] {
        folder.write(path, "");
    }
    folder
}

fn complete(client: &mut TestClient, typed: &str) -> Vec<String> {
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "docs://{+path}"},
        "argument": {"name": "path", "value": typed},
    });
    let result = client.request("completion/complete", params).unwrap();
    let values = result["completion"]["values"].as_array().unwrap().iter();
    values
        .map(|value| value.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_in_the_folder_comes_first_and_then_files_of_any() {
    let folder = folder();
    let mut client = folder.client();
    let all = [
        "guide/",
        "a%2520b.md",
        "readme.md",
        "guide/deep/third.md",
        "guide/first steps.md",
        "guide/second.md",
    ];
    assert_eq!(complete(&mut client, ""), all);
    let beside = [
        "guide/deep/",
        "guide/first steps.md",
        "guide/second.md",
        "guide/deep/third.md",
    ];
    assert_eq!(complete(&mut client, "guide/"), beside);
    assert_eq!(complete(&mut client, "third"), ["guide/deep/third.md"]);
    assert_eq!(complete(&mut client, "gsec"), ["guide/second.md"]);
}

#[test]
fn what_came_a_moment_ago_is_completed_where_it_is() {
    let folder = folder();
    let mut client =
        TestClient::new(Server::new("s", "1").directory(folder.directory().watch(None)));
    folder.write("guide/late.md", "");
    assert_eq!(complete(&mut client, "guide/la"), ["guide/late.md"]);
}

#[test]
fn nothing_is_completed_that_could_not_be_read() {
    let folder = folder();
    let mut client = folder.client();
    for typed in [
        "../",
        "/",
        ".git/",
        "guide/../",
        "guide//",
        "./",
        "nowhere/",
        "\0/",
    ] {
        let values = complete(&mut client, typed);
        assert!(
            values
                .iter()
                .all(|value| !value.contains("git") && !value.contains(".."))
        );
        assert!(
            !values.iter().any(|value| value.starts_with(typed)),
            "{values:?}"
        );
    }
}

#[test]
fn who_is_not_shown_a_file_does_not_get_its_name_completed() {
    let folder = folder();
    let server = folder.server().show_if(|what, _| match what {
        Shown::Resource(uri) => uri.contains("second"),
        _ => true,
    });
    let mut client = TestClient::new(server);
    assert_eq!(complete(&mut client, ""), ["guide/second.md"]);
    assert_eq!(complete(&mut client, "guide/"), ["guide/second.md"]);
    assert_eq!(complete(&mut client, "read"), Vec::<String>::new());
}
