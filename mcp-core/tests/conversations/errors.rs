//! Errors of tools, as the model reads them.

use std::error::Error;
use std::fmt;

use mcp_core::{Json, Reply, Run, Server, Tool, data, tool, tools};

use crate::talk::{Talk, modern, modern_call, modern_failure};

#[derive(Debug, thiserror::Error)]
#[error("the disk is full")]
struct DiskFull;

#[derive(Debug, thiserror::Error)]
enum StoreError {
    #[error("the note was not stored")]
    NotStored(#[source] DiskFull),
    #[error("no disk: {0}")]
    Said(#[source] DiskFull),
    #[error(transparent)]
    Transparent(#[from] Box<Self>),
}

#[derive(Debug, thiserror::Error)]
#[error("nothing was saved")]
struct SaveError(#[from] StoreError);

/// Its cause is itself.
#[derive(Debug)]
struct Endless;

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("again")
    }
}

impl Error for Endless {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

#[data]
struct Note {
    title: String,
}

#[tool]
fn text() -> Result<String, SaveError> {
    Err(StoreError::NotStored(DiskFull).into())
}

#[tool]
async fn structured() -> Result<Json<Note>, SaveError> {
    Err(StoreError::NotStored(DiskFull).into())
}

#[tool]
fn serialised() -> Result<Vec<Note>, SaveError> {
    Err(StoreError::NotStored(DiskFull).into())
}

#[tool]
fn boxed() -> Result<(), Box<dyn Error + Send + Sync>> {
    Err(SaveError(StoreError::NotStored(DiskFull)).into())
}

#[tool]
fn boxed_here() -> Result<Vec<Note>, Box<dyn Error>> {
    Err(SaveError(StoreError::NotStored(DiskFull)).into())
}

#[tool(blocking)]
fn generic<E: Error + From<StoreError> + Send + 'static>() -> Result<String, E> {
    Err(StoreError::NotStored(DiskFull).into())
}

#[derive(Tool, serde::Deserialize, schemars::JsonSchema)]
#[tool(name = "in_a_struct")]
struct InAStruct {}

impl Run for InAStruct {
    type Output = Result<Json<Note>, SaveError>;

    async fn run(self, _: &mcp_core::Context) -> Self::Output {
        Err(StoreError::NotStored(DiskFull).into())
    }
}

struct Set;

#[tools]
impl Set {
    #[tool]
    fn in_a_set(&self) -> Result<Note, SaveError> {
        Err(StoreError::NotStored(DiskFull).into())
    }
}

#[tool]
fn says_its_cause() -> Result<(), StoreError> {
    Err(StoreError::Said(DiskFull))
}

#[tool]
fn is_transparent() -> Result<(), StoreError> {
    Err(Box::new(StoreError::NotStored(DiskFull)).into())
}

#[tool]
fn never_ends() -> Result<(), Endless> {
    Err(Endless)
}

fn server() -> Server {
    Server::new("s", "1")
        .tool::<text>()
        .tool::<structured>()
        .tool::<serialised>()
        .tool::<boxed>()
        .tool::<boxed_here>()
        .tool::<generic<SaveError>>()
        .tool::<InAStruct>()
        .tools(Set)
        .tool::<says_its_cause>()
        .tool::<is_transparent>()
        .tool::<never_ends>()
}

#[test]
fn the_model_reads_an_error_and_all_its_causes_whatever_the_tool_returns() {
    let mut talk = Talk::new(server());
    for name in [
        "text",
        "structured",
        "serialised",
        "boxed",
        "boxed_here",
        "generic",
        "in_a_struct",
        "in_a_set",
    ] {
        talk.say(modern_call(1, name, "{}")).hears(&[modern_failure(
            1,
            "nothing was saved: the note was not stored: the disk is full",
        )]);
    }
}

#[test]
fn what_an_error_has_said_already_is_not_said_again() {
    let mut talk = Talk::new(server());
    for (name, text) in [
        ("says_its_cause", "no disk: the disk is full"),
        (
            "is_transparent",
            "the note was not stored: the disk is full",
        ),
        ("never_ends", "again"),
    ] {
        talk.say(modern_call(1, name, "{}"))
            .hears(&[modern_failure(1, text)]);
    }
}

#[test]
fn a_tool_whose_error_has_causes_keeps_the_schema_of_its_output() {
    let mut talk = Talk::new(server());
    talk.say(modern(1, "tools/list", ""));
    let tools = talk.result()["tools"].take();
    let with_schema: Vec<_> = (tools.as_array().unwrap().iter())
        .filter(|tool| !tool["outputSchema"].is_null())
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(with_schema, ["structured", "in_a_struct"]);
}

#[test]
fn a_cause_that_is_only_part_of_a_longer_word_is_said() {
    #[derive(Debug, thiserror::Error)]
    #[error("{said}")]
    struct Said {
        said: &'static str,
        source: Option<Box<Self>>,
    }
    let say = |said, cause| {
        let source = Some(Box::new(Said {
            said: cause,
            source: None,
        }));
        let error = Said { said, source };
        let tool = mcp_core::ToolDefinition::new("t", move |_: mcp_core::Invocation| {
            mcp_core::Step::Done(Reply::from_error(&error))
        });
        Talk::new(Server::new("s", "1").raw_tool(tool))
            .say(modern_call(1, "t", "{}"))
            .heard()
            .concat()
    };
    for (said, cause, text) in [
        ("timeout", "out", "timeout: out"),
        ("outside", "out", "outside: out"),
        ("it is out, alas", "out", "it is out, alas"),
        ("disk: full", ": full", "disk: full"),
        ("nothing", "", "nothing"),
    ] {
        let heard = say(said, cause);
        assert!(heard.contains(&format!(r#""text":"{text}""#)), "{heard}");
    }
}
