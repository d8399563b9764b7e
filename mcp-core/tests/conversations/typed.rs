//! Clients that call tools by their definitions, over a connection, in every revision.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_core::client::ClientErrorKind;
use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::TestRuntime;
use mcp_core::{
    Client, Content, Context, Json, Reply, Run, Server, Tool, ToolResult, data, tool, tools,
    transport,
};
use serde_json::{Value, json};

/// A note.
#[data]
#[derive(Clone, Debug, PartialEq)]
struct Note {
    title: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// What may be left out, all of it.
#[data]
#[derive(Debug, Default, PartialEq)]
struct Settings {
    size: Option<u8>,
}

/// Adds.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Takes one of each.
#[tool]
fn one_of_each(
    cx: &Context,
    title: String,
    body: &str,
    words: &[String],
    #[arg(default = 5)] limit: u32,
    #[arg(rename = "type")] kind: Option<String>,
) -> Result<String, String> {
    cx.progress(1, 1);
    Ok(format!("{title}|{body}|{words:?}|{limit}|{kind:?}"))
}

/// Takes a note and gives it back.
#[tool]
fn copy(#[args] note: Note) -> Json<Note> {
    Json(note)
}

/// Gives a note as text.
#[tool]
fn plain() -> Note {
    note()
}

/// Gives notes.
#[tool]
fn notes() -> Result<Json<Vec<Note>>, std::fmt::Error> {
    Ok(Json(vec![note()]))
}

/// Gives what is there, or nothing.
#[tool]
fn settings(there: bool) -> Json<Option<Settings>> {
    Json(there.then(Settings::default))
}

/// Gives anything.
#[tool]
fn anything(value: Value) -> Json<Value> {
    Json(value)
}

/// Gives a map.
#[tool]
fn counts() -> BTreeMap<String, u8> {
    BTreeMap::from([("a".to_owned(), 1)])
}

/// Gives content.
#[tool]
fn content() -> Vec<Content> {
    vec![Content::text("a"), Content::text("b")]
}

/// Says all by itself.
#[tool]
fn reply() -> Reply {
    Reply::text("done")
}

/// Text that looks like JSON.
#[tool]
fn digits() -> &'static str {
    "17"
}

/// Nothing.
#[tool]
fn nothing() {}

/// Fails.
#[tool]
fn fails() -> Result<u8, &'static str> {
    Err("the disk is full")
}

/// Shows a value.
#[tool]
fn show<T: std::fmt::Display>(value: T) -> String {
    value.to_string()
}

/// Finds files.
#[data]
#[derive(Tool)]
struct FindFiles {
    pattern: String,
    limit: Option<u8>,
}

impl Run for FindFiles {
    type Output = Json<(String, Option<u8>)>;

    async fn run(self, _: &Context) -> Self::Output {
        Json((self.pattern, self.limit))
    }
}

struct Counter(u64);

#[tools(prefix = "counter_", client = CounterClient)]
impl Counter {
    /// Counts.
    #[tool]
    fn up(&self, #[arg(default = 1)] step: u64) -> u64 {
        self.0 + step
    }

    /// Notes of a name.
    #[tool]
    fn notes(&self, name: String) -> Json<Vec<Note>> {
        Json(vec![Note {
            title: name,
            tags: Vec::new(),
        }])
    }

    /// Waits for a minute.
    #[tool]
    async fn wait(&self, runtime: &TestRuntime) {
        runtime.sleep(Duration::from_secs(60)).await;
    }
}

fn note() -> Note {
    Note {
        title: "a".to_owned(),
        tags: vec!["b".to_owned()],
    }
}

fn server(runtime: &TestRuntime) -> Server {
    Server::new("s", "1")
        .lend(runtime.clone())
        .tool::<add>()
        .tool::<one_of_each>()
        .tool::<copy>()
        .tool::<plain>()
        .tool::<notes>()
        .tool::<settings>()
        .tool::<anything>()
        .tool::<counts>()
        .tool::<content>()
        .tool::<reply>()
        .tool::<digits>()
        .tool::<nothing>()
        .tool::<fails>()
        .tool::<show<u8>>()
        .tool::<FindFiles>()
        .tools(Counter(1))
}

/// Talks to the server in every revision.
fn in_every_revision(talk: impl AsyncFn(Client)) {
    for version in ProtocolVersion::ALL {
        let runtime = TestRuntime::new();
        let (ours, theirs) = transport::memory(1 << 16);
        runtime.serve(&server(&runtime).build().unwrap(), theirs);
        runtime.block_on(async {
            let builder = Client::builder("c", "1").protocol(version);
            let client = builder.connect(ours, runtime.clone()).await.unwrap();
            assert_eq!(client.server().version, version);
            talk(client).await;
        });
    }
}

#[test]
fn arguments_and_results_are_what_the_function_says() {
    in_every_revision(async |client| {
        assert_eq!(client.call(add::with(2, 3)).await.unwrap(), 5);
        let words = ["w".to_owned()];
        let call = one_of_each::with("t", "b", &words, None, None);
        let said = client.call(call).await.unwrap();
        assert_eq!(said, r#"t|b|["w"]|5|None"#);
        let call = one_of_each::with("t", "", &[], 7, Some("k".to_owned()));
        let said = client.call(call).await.unwrap();
        assert_eq!(said, r#"t||[]|7|Some("k")"#);
        assert_eq!(client.call(copy::with(note())).await.unwrap(), note());
        assert_eq!(client.call(show::<u8>::with(7)).await.unwrap(), "7");
    });
}

#[test]
fn results_of_every_kind_are_read() {
    in_every_revision(async |client| {
        assert_eq!(client.call(plain::with()).await.unwrap(), note());
        assert_eq!(client.call(notes::with()).await.unwrap(), [note()]);
        assert_eq!(client.call(counts::with()).await.unwrap()["a"], 1);
        let content: Vec<Content> = client.call(content::with()).await.unwrap();
        assert_eq!(content.len(), 2);
        let reply: ToolResult = client.call(reply::with()).await.unwrap();
        assert_eq!(reply.text(), "done");
        let digits: String = client.call(digits::with()).await.unwrap();
        assert_eq!(digits, "17");
        client.call(nothing::with()).await.unwrap();
    });
}

#[test]
fn what_is_wrapped_in_older_revisions_is_unwrapped_and_nothing_else_is() {
    in_every_revision(async |client| {
        let absent = client.call(settings::with(false)).await.unwrap();
        assert_eq!(absent, None);
        let there = client.call(settings::with(true)).await.unwrap();
        assert_eq!(there, Some(Settings::default()));
        for value in [
            json!(1),
            json!({"result": 1}),
            json!({"result": {"result": []}}),
        ] {
            let given = client.call(anything::with(value.clone())).await.unwrap();
            assert_eq!(given, value);
        }
    });
}

#[test]
fn a_struct_that_is_a_tool_is_its_own_call() {
    in_every_revision(async |client| {
        let call = FindFiles {
            pattern: "*".to_owned(),
            limit: None,
        };
        let found: (String, Option<u8>) = client.call(call).await.unwrap();
        assert_eq!(found, ("*".to_owned(), None));
    });
}

#[test]
fn a_tool_that_fails_is_an_error_with_its_words() {
    in_every_revision(async |client| {
        let error = client.call(fails::with()).await.unwrap_err();
        let ClientErrorKind::Tool(result) = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(result.text(), "the disk is full");
        assert_eq!(
            error.to_string(),
            "s: `tools/call`: the tool failed: the disk is full"
        );
    });
}

#[test]
fn a_call_goes_to_another_name_where_the_server_is_mounted() {
    let runtime = TestRuntime::new();
    let (ours, theirs) = transport::memory(1 << 16);
    let inner = Server::new("inner", "1").tool::<add>();
    let outer = Server::new("outer", "1").mount("math", inner);
    runtime.serve(&outer.build().unwrap(), theirs);
    let sum = runtime.block_on(async {
        let builder = Client::builder("c", "1");
        let client = builder.connect(ours, runtime.clone()).await.unwrap();
        client
            .call(add::with(1, 2).named("math_add"))
            .await
            .unwrap()
    });
    assert_eq!(sum, 3);
}

#[test]
fn a_set_has_a_client_of_its_own() {
    in_every_revision(async |client| {
        let counter = CounterClient::new(client);
        assert_eq!(counter.up(2).await.unwrap(), 3);
        assert_eq!(counter.up(None).await.unwrap(), 2);
        let notes = counter.notes("a").await.unwrap();
        assert_eq!(notes.len(), 1);
        assert!(!counter.client().is_closed());
    });
}

#[test]
fn a_typed_call_may_have_a_deadline_of_its_own() {
    let runtime = TestRuntime::new();
    let (ours, theirs) = transport::memory(1 << 16);
    runtime.serve(&server(&runtime).build().unwrap(), theirs);
    let counter = CounterClient::connect(ours, runtime.clone());
    let counter = runtime.block_on(counter).unwrap();
    let call = counter.wait();
    let call = call.with(|call| call.timeout(Duration::from_secs(1)));
    let winding = async { runtime.advance(Duration::from_secs(1)) };
    let (waited, ()) = runtime.block_on(futures_util::future::join(call, winding));
    assert!(waited.unwrap_err().is_timeout());
    assert_eq!(runtime.elapsed(), Duration::from_secs(1));
}

#[test]
fn the_client_of_a_set_connects_by_itself_and_says_whose_it_is() {
    let runtime = TestRuntime::new();
    let (ours, theirs) = transport::memory(1 << 16);
    runtime.serve(&server(&runtime).build().unwrap(), theirs);
    let counted = runtime.block_on(async {
        let counter = CounterClient::connect(ours, runtime.clone()).await?;
        counter.clone().up(5).await
    });
    assert_eq!(counted.unwrap(), 6);
}
