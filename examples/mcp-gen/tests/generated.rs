//! What is generated is compiled here, and called.
//!
//! `GENERATE=overwrite` writes what comes out now, for review.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_core::protocol::{ListToolsResult, Tool};
use mcp_core::testing::TestRuntime;
use mcp_core::{Client, Json, Server, data, tool, transport};
use serde_json::json;

#[rustfmt::skip]
#[path = "generated/notes.rs"]
mod notes;
#[rustfmt::skip]
#[path = "generated/odd.rs"]
mod odd;

/// How to sort.
#[data]
#[derive(Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// The latest first.
    ByDate,
    ByTitle,
}

/// A note.
#[data]
#[derive(Clone, Debug)]
struct Note {
    /// Shown in lists.
    title: String,
    /// The notes that it belongs to.
    #[serde(rename = "parentNotes")]
    parents: Vec<Note>,
    stars: Option<u8>,
}

/// Finds notes.
#[tool]
fn find(text: &str, order: Option<Order>, #[arg(default = 3)] limit: u32) -> Json<Vec<Note>> {
    let note = |number| Note {
        title: format!("{text} {number} {order:?}"),
        parents: Vec::new(),
        stars: None,
    };
    Json((0..limit).map(note).collect())
}

/// Saves a note.
#[tool]
fn save(
    note: Note,
    #[arg(rename = "where")] place: BTreeMap<String, String>,
) -> Result<Json<Note>, String> {
    if place.is_empty() {
        return Err("nowhere to put it".to_owned());
    }
    Ok(Json(note))
}

/// Counts notes.
#[tool(name = "count-all")]
fn count_all() -> String {
    "17".to_owned()
}

fn server() -> Server {
    Server::new("my notes", "1")
        .tool::<find>()
        .tool::<save>()
        .tool::<count_all>()
}

/// Talks to the server.
fn with_client<T>(talk: impl AsyncFnOnce(Client) -> T) -> T {
    let runtime = TestRuntime::new();
    let (ours, theirs) = transport::memory(1 << 16);
    runtime.serve(&server().build().unwrap(), theirs);
    runtime.block_on(async {
        let client = Client::builder("c", "1").connect(ours, runtime.clone());
        talk(client.await.unwrap()).await
    })
}

fn assert_reviewed(file: &str, source: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/generated")
        .join(file);
    if std::env::var("GENERATE").is_ok_and(|mode| mode == "overwrite") {
        std::fs::write(&path, source).unwrap();
    }
    let reviewed = std::fs::read_to_string(&path).unwrap();
    assert_eq!(source, reviewed, "{file} is another now");
}

#[test]
fn a_client_is_written_for_what_a_server_lists() {
    let (name, tools) = with_client(async |client| {
        let tools = client.list_all_tools().await.unwrap();
        (mcp_gen::client_name(client.server().name()), tools)
    });
    assert_eq!(name, "MyNotesClient");
    assert_reviewed("notes.rs", &mcp_gen::generate(&name, &tools));
}

#[test]
fn whatever_a_server_says_becomes_source_that_compiles() {
    let list: ListToolsResult = serde_json::from_str(include_str!("odd.json")).unwrap();
    assert_reviewed("odd.rs", &mcp_gen::generate("OddClient", &list.tools));
}

#[test]
fn the_client_calls_the_server_that_it_was_written_for() {
    with_client(async |client| {
        let notes = notes::MyNotesClient::new(client);
        let found = notes.find(&notes::FindArguments {
            text: "tea".to_owned(),
            order: Some(notes::FindOrder::ByDate),
            limit: None,
        });
        let found = found.await.unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].title, "tea 0 Some(ByDate)");

        let mut arguments = notes::SaveArguments {
            note: notes::SaveNote {
                title: "a".to_owned(),
                parent_notes: Vec::new(),
                stars: Some(5),
            },
            r#where: BTreeMap::new(),
        };
        let refused = notes.save(&arguments).await.unwrap_err();
        assert!(
            refused.to_string().ends_with("nowhere to put it"),
            "{refused}"
        );
        arguments.r#where.insert("shelf".to_owned(), "3".to_owned());
        let saved = notes.save(&arguments).await.unwrap();
        assert_eq!((saved.title.as_str(), saved.stars), ("a", Some(5)));
        assert_eq!(notes.count_all().await.unwrap().text(), "17");
    });
}

#[test]
fn names_and_alternatives_are_on_the_wire_what_the_schema_says() {
    let arguments = odd::TypeArguments {
        self_: true,
        r#type: None,
        max_count: Some(1),
        max_count_2: None,
        n2nd: None,
        unnamed: None,
        unnamed_2: None,
        a_quoted_name: Some(vec![vec![1]]),
    };
    assert_eq!(
        serde_json::to_value(&arguments).unwrap(),
        json!({"self": true, "maxCount": 1, "2nd": null, "a \"quoted\" name\n": [[1]]})
    );
    let circle = json!({"kind": "circle", "radius": 1.0});
    let note = json!({"note": "x"});
    for (value, is_expected) in [
        (
            circle,
            (|shape| matches!(shape, odd::DrawShape::Circle(_))) as fn(&odd::DrawShape) -> bool,
        ),
        (note, |shape| matches!(shape, odd::DrawShape::Object(_))),
        (json!("dot"), |shape| {
            matches!(shape, odd::DrawShape::String(_))
        }),
    ] {
        let shape: odd::DrawShape = serde_json::from_value(value.clone()).unwrap();
        assert!(is_expected(&shape), "{shape:?}");
        assert_eq!(serde_json::to_value(&shape).unwrap(), value);
    }
    let whole = json!({
        "shape": "dot", "tree": {"children": [{"children": []}], "byName": {"a": {"children": []}}},
        "anything": [], "color": "", "extra": 7,
    });
    let arguments: odd::DrawArguments = serde_json::from_value(whole.clone()).unwrap();
    assert_eq!(arguments.others["extra"], 7);
    assert_eq!(serde_json::to_value(&arguments).unwrap(), whole);
}

#[test]
fn a_schema_that_never_ends_is_followed_so_far() {
    let mut schema = json!({"type": "string"});
    for _ in 0..100 {
        schema = json!({"type": "array", "items": schema});
    }
    let schema = json!({"type": "object", "properties": {"deep": schema}});
    let tool = Tool::new("deep", mcp_core::RawJson::from(schema));
    let source = mcp_gen::generate("DeepClient", &[tool]);
    assert!(source.contains("Vec<serde_json::Value>"), "{source}");
}
