//! What the prompts and resources that the macros make do when a client lists, reads and completes them.

use std::sync::Arc;

use mcp_core::protocol::{Completion, PromptMessage};
use mcp_core::{
    Completing, Context, ErrorCode, ErrorObject, Json, Server, data, prompt, prompts, resource,
    resources,
};
use serde_json::{Value, json};

use super::wire::Wire;

struct Db(&'static str);

/// How strict a review is.
#[data]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Strictness {
    Lenient,
    Strict,
}

fn languages(typed: &str) -> Vec<String> {
    vec![format!("{typed}st"), format!("{typed}by")]
}

async fn authors(typed: &Completing) -> Result<Completion, ErrorObject> {
    if typed.is_empty() {
        return Err(ErrorObject::new(ErrorCode::new(-32_001), "type something"));
    }
    let db = typed.lent::<Db>().map_or("", |db| db.0);
    let language = typed.argument("language").unwrap_or("none");
    Ok(Completion::new(vec![format!(
        "{}:{language}:{db}",
        &**typed
    )]))
}

/// Reviews code.
#[prompt(name = "code-review", title = "Review", icon = "data:", meta("a" = 1))]
async fn review(
    cx: &Context,
    db: &Db,
    /// What it is written in.
    #[complete(languages)]
    language: &str,
    #[complete(authors)]
    #[arg(rename = "by")]
    author: Option<String>,
    strictness: Option<Strictness>,
    #[arg(default = 3, range = 1..=9)] findings: u8,
) -> Result<Vec<PromptMessage>, ErrorObject> {
    cx.progress(1, 1);
    if language == "none" {
        return Err(ErrorObject::new(ErrorCode::INVALID_PARAMS, "no language"));
    }
    let text = format!(
        "{findings} in {language} by {author:?} {strictness:?} {}",
        db.0
    );
    Ok(vec![
        PromptMessage::user(text),
        PromptMessage::assistant("Well."),
    ])
}

#[prompt(blocking)]
fn shout(#[complete("ab", "ba", "c")] text: &str) -> String {
    text.to_uppercase()
}

/// One note.
#[resource(
    "notes://{id}/{+path}{?page,size}",
    name = "One note",
    title = "Note",
    mime_type = "text/markdown",
    audience = [user],
    priority = 0.5,
    last_modified = "2026-07-28"
)]
async fn note(
    #[complete("1", "12")] id: u32,
    page: Option<u8>,
    path: &str,
    #[arg(default = 10)] size: u8,
    db: &Db,
) -> Option<String> {
    (id != 404).then(|| format!("{id}|{path}|{page:?}|{size}|{}", db.0))
}

#[resource("config:", size = 2)]
fn config() -> Json<Strictness> {
    Json(Strictness::Strict)
}

struct Shelf {
    titles: Vec<&'static str>,
}

#[prompts(prefix = "shelf_")]
impl Shelf {
    #[prompt]
    fn pick(&self, #[complete(Self::titles)] title: &str) -> String {
        format!("{title} of {}", self.titles.len())
    }

    async fn titles(self: Arc<Self>, typed: &Completing) -> Vec<&'static str> {
        let titles = self.titles.iter().copied();
        titles.filter(|title| title.starts_with(&**typed)).collect()
    }
}

#[resources]
impl Shelf {
    #[resource("shelf://{title}")]
    fn book(&self, #[complete(self.sorted)] title: &str) -> Result<Vec<u8>, String> {
        match self.titles.contains(&title) {
            true => Ok(title.into()),
            false => Err(format!("no {title}")),
        }
    }

    fn sorted(&self, _typed: &str) -> Vec<&'static str> {
        let mut titles = self.titles.clone();
        titles.sort_unstable();
        titles
    }
}

fn wire() -> Wire {
    let shelf = Arc::new(Shelf {
        titles: vec!["b", "a"],
    });
    let server = Server::new("test", "1.0.0")
        .lend(Db("db"))
        .prompt::<review>()
        .prompt::<shout>()
        .prompts(Arc::clone(&shelf))
        .resource::<note>()
        .resource::<config>()
        .resources(shelf);
    Wire::new(server)
}

impl Wire {
    fn said(&mut self, prompt: &str, arguments: Value) -> Value {
        let params = json!({"name": prompt, "arguments": arguments});
        let response = self.request("prompts/get", &params);
        assert!(response["error"].is_null(), "{response}");
        response["result"]["messages"][0]["content"]["text"].clone()
    }

    fn read(&mut self, uri: &str) -> Value {
        let response = self.request("resources/read", &json!({"uri": uri}));
        match &response["error"] {
            Value::Null => response["result"]["contents"][0].clone(),
            error => error["code"].clone(),
        }
    }

    fn completed(&mut self, reference: Value, argument: &str, typed: &str) -> Value {
        let params = json!({
            "ref": reference,
            "argument": {"name": argument, "value": typed},
            "context": {"arguments": {"language": "rust"}},
        });
        let response = self.request("completion/complete", &params);
        match &response["error"] {
            Value::Null => response["result"]["completion"]["values"].clone(),
            error => error["code"].clone(),
        }
    }
}

fn named(prompt: &str) -> Value {
    json!({"type": "ref/prompt", "name": prompt})
}

fn at(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

#[test]
fn a_prompt_shows_its_arguments_with_docs() {
    let listed = wire().request("prompts/list", &json!({}));
    assert_eq!(
        listed["result"]["prompts"][0],
        json!({
            "name": "code-review",
            "title": "Review",
            "description": "Reviews code.",
            "arguments": [
                {"name": "language", "description": "What it is written in.", "required": true},
                {"name": "by"},
                {"name": "strictness", "description": "How strict a review is."},
                {"name": "findings"},
            ],
            "icons": [{"src": "data:"}],
            "_meta": {"a": 1},
        })
    );
}

#[test]
fn a_prompt_reads_the_text_of_its_arguments_as_what_they_are() {
    let mut wire = wire();
    assert_eq!(
        wire.said(
            "code-review",
            json!({"language": "rust", "findings": "5", "strictness": "strict"})
        ),
        "5 in rust by None Some(Strict) db"
    );
    assert_eq!(
        wire.said("code-review", json!({"language": "go", "by": "Ada"})),
        "3 in go by Some(\"Ada\") None db"
    );
    assert_eq!(wire.said("shout", json!({"text": "a"})), "A");
    assert_eq!(wire.blocking_jobs(), 1);
    assert_eq!(wire.said("shelf_pick", json!({"title": "a"})), "a of 2");
}

#[test]
fn a_prompt_refuses_what_it_does_not_take() {
    let mut wire = wire();
    for arguments in [
        json!({}),
        json!({"language": "rust", "findings": "10"}),
        json!({"language": "rust", "more": "1"}),
        json!({"language": "none"}),
    ] {
        let params = json!({"name": "code-review", "arguments": arguments});
        let response = wire.request("prompts/get", &params);
        assert_eq!(response["error"]["code"], -32_602, "{arguments}");
    }
}

#[test]
fn a_resource_is_read_by_the_variables_of_its_uri() {
    let mut wire = wire();
    let contents = wire.read("notes://1/a/b?page=2");
    assert_eq!(contents["text"], "1|a/b|Some(2)|10|db");
    assert_eq!(contents["mimeType"], "text/markdown");
    assert_eq!(contents["uri"], "notes://1/a/b?page=2");
    assert_eq!(wire.read("notes://1/a?size=3")["text"], "1|a|None|3|db");
    assert_eq!(wire.read("config:")["text"], r#""strict""#);
    assert_eq!(wire.read("shelf://a")["blob"], "YQ==");
}

#[test]
fn a_uri_whose_values_are_no_variables_names_no_resource() {
    let mut wire = wire();
    for uri in ["notes://one/a", "notes://404/a", "notes://1/a?page=256"] {
        assert_eq!(wire.read(uri), -32_002, "{uri}");
    }
    assert_eq!(wire.read("shelf://c"), -32_603);
}

#[test]
fn resources_and_families_show_what_their_settings_say() {
    let mut wire = wire();
    let listed = wire.request("resources/templates/list", &json!({}));
    assert_eq!(
        listed["result"]["resourceTemplates"][0],
        json!({
            "uriTemplate": "notes://{id}/{+path}{?page,size}",
            "name": "One note",
            "title": "Note",
            "description": "One note.",
            "mimeType": "text/markdown",
            "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-07-28"},
        })
    );
    let listed = wire.request("resources/list", &json!({}));
    assert_eq!(
        listed["result"]["resources"],
        json!([{"uri": "config:", "name": "config", "size": 2}])
    );
}

#[test]
fn arguments_are_completed_by_functions_methods_and_lists() {
    let mut wire = wire();
    let review = || named("code-review");
    assert_eq!(
        wire.completed(review(), "language", "ru"),
        json!(["rust", "ruby"])
    );
    assert_eq!(
        wire.completed(review(), "by", "A"),
        json!(["A:rust:db"]),
        "by its name on the wire"
    );
    assert_eq!(wire.completed(review(), "by", ""), -32_001);
    assert_eq!(
        wire.completed(review(), "strictness", "s"),
        json!(["strict"])
    );
    assert_eq!(
        wire.completed(named("shout"), "text", "b"),
        json!(["ba", "ab"])
    );
    assert_eq!(
        wire.completed(named("shelf_pick"), "title", "b"),
        json!(["b"])
    );
    assert_eq!(
        wire.completed(at("shelf://{title}"), "title", ""),
        json!(["a", "b"])
    );
    let note = "notes://{id}/{+path}{?page,size}";
    assert_eq!(wire.completed(at(note), "id", "12"), json!(["12"]));
    assert_eq!(wire.completed(at(note), "page", "1"), json!([]));
}

#[test]
fn what_a_prompt_or_a_resource_lacks_is_said_of_it_and_not_of_a_tool() {
    struct Shelf;
    /// Borrows.
    #[prompt(name = "pick")]
    fn pick(_shelf: &Shelf) -> &'static str {
        ""
    }
    /// Borrows.
    #[resource("shelf://{id}")]
    fn book(_shelf: &Shelf, id: u8) -> String {
        id.to_string()
    }
    /// Its arguments are none.
    #[prompt]
    fn speak(#[args] _all: Vec<u8>) -> &'static str {
        ""
    }
    let said = |server: Server| server.build().unwrap_err().to_string();
    let server = || Server::new("s", "1");
    let borrowed = said(server().prompt::<pick>());
    assert!(
        borrowed.starts_with("prompt `pick` borrows a `"),
        "{borrowed}"
    );
    let borrowed = said(server().resource::<book>());
    assert!(
        borrowed.starts_with("resource `shelf://{id}` borrows a `"),
        "{borrowed}"
    );
    let schema = said(server().prompt::<speak>());
    assert_eq!(schema, "the schema of prompt `speak`");
    let twice = said(server().lend(Shelf).prompt::<pick>().prompt::<pick>());
    assert_eq!(twice, "there are two prompts of the name `pick`");
}
