//! Questions of prompts and resources, by URL, and in whatever order things happen.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use std::task::{Context as TaskContext, Waker};

use futures_util::FutureExt;

use mcp_core::protocol::CreateMessageParams;
use mcp_core::protocol::{
    ProtocolVersion, SamplingContent, SamplingMessage, ToolResultContent, ToolUseContent,
};
use mcp_core::{
    Context, ErrorCode, ErrorObject, IntoMessages, Invocation, Layer, LayerCall, LayerReply, Next,
    PromptDefinition, Refused, ResourceDefinition, Server, Step, data, tool,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::talk::{
    Talk, call, cancel, error, failure, modern_as, modern_result, modern_text, request, result,
    text,
};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
const FORMS: &str = r#"{"elicitation":{}}"#;
const URLS: &str = r#"{"elicitation":{"url":{}}}"#;
const TOOLS: &str = r#"{"sampling":{"tools":{}}}"#;

/// A yes or a no.
#[data]
struct Sure {
    yes: bool,
}

async fn sure(cx: Context) -> Result<String, Refused> {
    let sure: Sure = cx.elicit("sure", "Sure?").await?;
    Ok(format!("yes: {}", sure.yes))
}

/// Asks.
#[tool]
async fn ask(cx: &Context) -> Result<String, Refused> {
    sure(cx.clone()).await
}

/// Sends the person to a page.
#[tool]
async fn visit(cx: &Context, url: String) -> Result<String, Refused> {
    cx.elicit_url("page", "Please pay.", url).await?;
    Ok("on the way".to_owned())
}

/// Looks before it asks.
#[tool]
async fn look(cx: &Context) -> String {
    let client = cx.client();
    format!(
        "{} {} {} {} {}",
        client.supports_elicitation(),
        client.supports_url_elicitation(),
        client.supports_sampling(),
        client.supports_sampling_tools(),
        client.supports_roots()
    )
}

/// Has the model go on with a conversation about tools.
#[tool]
async fn converse(cx: &Context, conversation: u32) -> Result<String, Refused> {
    let uses = |ids: &[&str]| {
        let uses = ids
            .iter()
            .map(|id| SamplingContent::from(ToolUseContent::new(*id, "t", json!({}))));
        let mut message = SamplingMessage::assistant("");
        message.content = uses.collect();
        message
    };
    let results = |ids: &[&str], text: bool| {
        let results = ids
            .iter()
            .map(|id| SamplingContent::from(ToolResultContent::new(*id, Vec::new())));
        let mut message = SamplingMessage::user("");
        message.content = results.collect();
        if text {
            message.content.push("and".into());
        }
        message
    };
    let messages = match conversation {
        1 => vec![uses(&["a", "b"]), results(&["a", "b"], true)],
        2 => vec![uses(&["a", "b"]), results(&["a"], false)],
        3 => vec![uses(&["a", "b"]), results(&["b", "a"], false)],
        4 => vec![results(&["a"], false)],
        _ => vec![uses(&["a"])],
    };
    let said = cx
        .sample("next", CreateMessageParams::new(messages, 10))
        .await?;
    Ok(said.text())
}

fn server() -> Server {
    let prompt = PromptDefinition::new("ask", |call: Invocation| {
        let cx = call.context().clone();
        Step::later(async move { Ok(sure(cx).await.into_messages()) })
    });
    let resource = ResourceDefinition::new("x://ask", "ask", |call: Invocation| {
        Step::later(async move {
            let text = sure(call.context().clone()).await;
            Ok(call.contents(text))
        })
    });
    Server::new("s", "1")
        .tool::<ask>()
        .tool::<visit>()
        .tool::<look>()
        .tool::<converse>()
        .raw_prompt(prompt)
        .raw_resource(resource)
}

fn legacy(capabilities: &str) -> Talk {
    Talk::new(server()).opened_as(V2025_11, capabilities)
}

fn answer(id: u32, members: &str) -> String {
    result(id, members)
}

const YES: &str = r#""action":"accept","content":{"yes":true}"#;

/// S20
#[test]
fn prompts_and_resources_ask_as_tools_do() {
    let mut talk = legacy(FORMS);
    talk.say(request(7, "prompts/get", r#""name":"ask""#))
        .heard();
    talk.say(answer(1, YES)).hears(&[result(
        7,
        r#""messages":[{"role":"user","content":{"type":"text","text":"yes: true"}}]"#,
    )]);
    talk.say(request(8, "resources/read", r#""uri":"x://ask""#))
        .heard();
    talk.say(answer(2, YES)).hears(&[result(
        8,
        r#""contents":[{"uri":"x://ask","text":"yes: true","mimeType":"text/plain"}]"#,
    )]);
    // What a person refuses, and what goes wrong, is an error there.
    talk.say(request(9, "prompts/get", r#""name":"ask""#))
        .heard();
    talk.say(answer(3, r#""action":"decline""#))
        .hears(&[error(9, -32603, "the person declined")]);
    talk.say(request(10, "resources/read", r#""uri":"x://ask""#))
        .heard();
    talk.say(error(4, -32000, "no")).hears(&[error(
        10,
        -32603,
        "the client answered `elicitation/create` with an error: no",
    )]);

    let mut talk = Talk::new(server());
    for (method, members, expected) in [
        (
            "prompts/get",
            r#""name":"ask""#,
            r#""messages":[{"role":"user","content":{"type":"text","text":"yes: true"}}]"#,
        ),
        (
            "resources/read",
            r#""uri":"x://ask""#,
            r#""contents":[{"uri":"x://ask","text":"yes: true","mimeType":"text/plain"}],"ttlMs":0,"cacheScope":"private""#,
        ),
    ] {
        let asked = talk.say(modern_as(1, FORMS, method, members)).result();
        assert_eq!(asked["resultType"], "input_required");
        assert!(
            asked.get("ttlMs").is_none(),
            "it is not to be kept: {asked}"
        );
        let more = format!(
            r#"{members},"requestState":{},"inputResponses":{{"sure":{{{YES}}}}}"#,
            asked["requestState"]
        );
        talk.say(modern_as(2, FORMS, method, &more))
            .hears(&[modern_result(2, expected)]);
    }
}

/// S20: lists and completion ask nothing, and what comes with them is passed over.
#[test]
fn lists_are_never_asked_about() {
    let mut talk = Talk::new(server());
    for method in ["tools/list", "prompts/list", "resources/list"] {
        let members = r#""requestState":"x","inputResponses":{}"#;
        let listed = talk.say(modern_as(1, FORMS, method, members)).result();
        assert_eq!(listed["resultType"], "complete");
    }
}

/// FEA-01
#[test]
fn content_counts_only_where_a_person_accepted() {
    for (members, said) in [
        (
            r#""action":"cancel","content":null"#,
            "the person gave no answer",
        ),
        (r#""action":"decline""#, "the person declined"),
        (
            r#""action":"decline","content":{"yes":true}"#,
            "the person declined",
        ),
        (
            r#""action":"reject""#,
            "the answer to `sure`: `action` must be accept, decline or cancel",
        ),
    ] {
        let mut talk = legacy(FORMS);
        talk.say(call(7, "ask", "{}")).heard();
        talk.say(answer(1, members)).hears(&[failure(7, said)]);
        // It was an error of that call only.
        talk.say(call(8, "ask", "{}")).heard();
        talk.say(answer(2, YES)).hears(&[text(8, "yes: true")]);
    }
}

/// S81, S82, FEA-03
#[test]
fn a_mode_that_the_client_does_not_have_is_not_asked_for() {
    let url = r#"{"url":"https://example.org/pay"}"#;
    let missing =
        |name: &str| format!("this needs the capability `{name}`, which the client does not have");
    for (capabilities, tool, arguments) in [
        ("{}", "ask", "{}"),
        ("{}", "visit", url),
        (FORMS, "visit", url),
        (URLS, "ask", "{}"),
    ] {
        let mode = if tool == "ask" { "form" } else { "url" };
        legacy(capabilities)
            .say(call(7, tool, arguments))
            .hears(&[failure(7, &missing(&format!("elicitation.{mode}")))]);
        let members = format!(r#""name":"{tool}","arguments":{arguments}"#);
        let mut talk = Talk::new(server());
        talk.say(modern_as(1, capabilities, "tools/call", &members));
        let heard = talk.heard();
        let required = format!(r#""requiredCapabilities":{{"elicitation":{{"{mode}":{{}}}}}}"#);
        assert!(
            heard[0].contains("-32021") && heard[0].contains(&required),
            "{heard:?}"
        );
        assert!(
            heard[0].contains(&missing(&format!("elicitation.{mode}"))),
            "{heard:?}"
        );
    }
    // A revision without the mode does not have it, whatever its client says.
    let mut talk =
        Talk::new(server()).opened_as(ProtocolVersion::V2025_06_18, r#"{"elicitation":{}}"#);
    talk.say(call(7, "visit", url))
        .hears(&[failure(7, &missing("elicitation.url"))]);
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_03_26] {
        let mut talk = Talk::new(server()).opened_as(version, "{}");
        talk.say(call(7, "ask", "{}"))
            .hears(&[failure(7, &missing("elicitation"))]);
    }
}

/// S82, S89, S92: who reads the error learns what to turn on.
#[test]
fn a_client_of_the_legacy_era_is_told_which_capability_is_missing() {
    /// Asks the model.
    #[tool]
    async fn think(cx: &Context, with_tools: bool) -> Result<String, Refused> {
        let mut ask = CreateMessageParams::new([SamplingMessage::user("Hi")], 10);
        if with_tools {
            ask = ask.with_tools(Vec::new());
        }
        Ok(cx.sample("think", ask).await?.text())
    }
    /// Asks for folders.
    #[tool]
    async fn folders(cx: &Context) -> String {
        cx.roots().await.len().to_string()
    }
    let plain = r#"{"with_tools":false}"#;
    let with_tools = r#"{"with_tools":true}"#;
    for (capabilities, tool, arguments, name) in [
        ("{}", "think", plain, "sampling"),
        ("{}", "think", with_tools, "sampling.tools"),
        (r#"{"sampling":{}}"#, "think", with_tools, "sampling.tools"),
        ("{}", "folders", "{}", "roots"),
    ] {
        let server = (Server::new("s", "1")).tool::<think>().tool::<folders>();
        let missing = format!("this needs the capability `{name}`, which the client does not have");
        Talk::new(server)
            .opened_as(V2025_11, capabilities)
            .say(call(7, tool, arguments))
            .hears(&[failure(7, &missing)]);
    }
    let missing = "this needs the capability `elicitation.form`, which the client does not have";
    legacy("{}")
        .say(request(7, "prompts/get", r#""name":"ask""#))
        .hears(&[error(7, -32600, missing)]);
}

/// S81
#[test]
fn a_person_is_sent_to_an_absolute_url_with_an_id_where_the_revision_has_them() {
    let mut talk = legacy(URLS);
    talk.say(call(7, "visit", r#"{"url":"https://example.org/pay"}"#));
    let heard = talk.heard();
    let asked: Value = serde_json::from_str(&heard[0]).unwrap();
    assert_eq!(asked["params"]["mode"], "url");
    assert_eq!(asked["params"]["url"], "https://example.org/pay");
    assert_eq!(asked["params"]["elicitationId"].as_str().unwrap().len(), 32);
    talk.say(answer(1, r#""action":"accept""#))
        .hears(&[text(7, "on the way")]);

    let members = r#""name":"visit","arguments":{"url":"https://example.org/pay"}"#;
    let mut talk = Talk::new(server());
    let asked = talk.say(modern_as(1, URLS, "tools/call", members)).result();
    assert_eq!(
        asked["inputRequests"]["page"]["params"],
        json!({"mode": "url", "message": "Please pay.", "url": "https://example.org/pay"})
    );
    for url in ["/pay", "", "https://example.org/a b", ":x"] {
        let mut talk = legacy(URLS);
        let arguments = json!({ "url": url }).to_string();
        talk.say(call(7, "visit", &arguments))
            .hears(&[failure(7, "a person can be sent to an absolute URL only")]);
    }
}

/// S1, S26-11
#[test]
fn each_request_is_judged_by_its_own_capabilities() {
    let mut talk = Talk::new(server()).opened_as(V2025_11, FORMS);
    let look = r#""name":"look","arguments":{}"#;
    for (capabilities, said) in [
        (FORMS, "true false false false false"),
        ("{}", "false false false false false"),
        (TOOLS, "false false true true false"),
        (
            r#"{"roots":{},"sampling":{}}"#,
            "false false true false true",
        ),
        (URLS, "false true false false false"),
    ] {
        talk.say(modern_as(1, capabilities, "tools/call", look))
            .hears(&[modern_text(1, said)]);
    }
    talk.say(call(2, "look", "{}"))
        .hears(&[text(2, "true false false false false")]);
    // Who could be asked before can't be now.
    let ask = r#""name":"ask","arguments":{}"#;
    let asked = talk.say(modern_as(3, FORMS, "tools/call", ask)).result();
    assert_eq!(asked["resultType"], "input_required");
    talk.say(modern_as(4, "{}", "tools/call", ask));
    let heard = talk.heard();
    assert!(
        heard[0].contains("-32021") && heard[0].contains(r#"{"elicitation":{"form":{}}}"#),
        "{heard:?}"
    );
}

/// S26
#[test]
fn a_client_that_never_comes_back_with_an_answer_keeps_nothing_busy() {
    let mut talk = Talk::new(server().in_flight_limit(1));
    let ask = r#""name":"ask","arguments":{}"#;
    for id in 1..200 {
        let asked = talk.say(modern_as(id, FORMS, "tools/call", ask)).result();
        assert_eq!(asked["resultType"], "input_required");
    }
    talk.pair.end_input().run();
    assert!(talk.pair.closed().is_some(), "a call is still open");
}

/// S89, S90, S91, FEA-04
#[test]
fn a_conversation_in_which_a_use_of_a_tool_has_no_result_is_not_sent() {
    for (conversation, is_sent) in [(1, false), (2, false), (3, true), (4, false), (5, false)] {
        let members = format!(r#""name":"converse","arguments":{{"conversation":{conversation}}}"#);
        let mut talk = Talk::new(server());
        talk.say(modern_as(1, TOOLS, "tools/call", &members));
        let heard = talk.heard();
        assert_eq!(heard[0].contains("input_required"), is_sent, "{heard:?}");
        assert_eq!(heard[0].contains("-32602"), !is_sent, "{heard:?}");
    }
}

/// Keeps the context of its call.
struct Kept(Mutex<Option<Context>>);

/// Is done at once, and keeps what it should not.
#[tool]
fn keep(cx: &Context, kept: &Kept) {
    *kept.0.lock().unwrap() = Some(cx.clone());
}

/// S93
#[test]
fn a_question_after_the_end_of_its_call_is_never_sent() {
    let kept = Arc::new(Kept(Mutex::new(None)));
    struct Shared(Arc<Kept>);
    /// Keeps it for somebody else.
    #[tool]
    fn keep_shared(cx: &Context, shared: &Shared) {
        keep(cx, &shared.0);
    }
    let server = Server::new("s", "1")
        .lend(Shared(Arc::clone(&kept)))
        .tool::<keep_shared>();
    let mut talk = Talk::new(server).opened_as(V2025_11, FORMS);
    talk.say(call(1, "keep_shared", "{}")).hears(&[text(1, "")]);
    let cx = kept.0.lock().unwrap().take().unwrap();
    let mut question = cx.elicit::<Sure>("late", "Sure?");
    let mut task = TaskContext::from_waker(Waker::noop());
    assert!(question.poll_unpin(&mut task).is_pending());
    talk.pair.run();
    talk.is_silent();
    drop(question);
    talk.pair.run();
    talk.is_silent();
}

/// S88, B8, B9
#[test]
fn codes_of_other_revisions_are_not_sent() {
    /// Fails with a code.
    #[tool]
    fn fail(code: i64) -> Result<(), ErrorObject> {
        Err(ErrorObject::new(ErrorCode::new(code), "failed"))
    }
    let modern_code = |code: i64| match code {
        -32002 => -32602,
        -32042 | -32050 => -32603,
        code => code,
    };
    let legacy_code = |code: i64| match code {
        -32020 | -32021 | -32022 | -32050 => -32603,
        code => code,
    };
    let server = || Server::new("s", "1").tool::<fail>();
    for code in [
        -32002, -32042, -32020, -32021, -32022, -32050, -32602, 7, -32000,
    ] {
        let arguments = json!({ "code": code }).to_string();
        let members = format!(r#""name":"fail","arguments":{arguments}"#);
        Talk::new(server())
            .say(modern_as(1, "{}", "tools/call", &members))
            .hears(&[error(1, modern_code(code), "failed")]);
        Talk::session(server(), V2025_11)
            .say(call(1, "fail", &arguments))
            .hears(&[error(1, legacy_code(code), "failed")]);
        let old = if code == -32042 {
            -32603
        } else {
            legacy_code(code)
        };
        Talk::session(server(), ProtocolVersion::V2025_06_18)
            .say(call(1, "fail", &arguments))
            .hears(&[error(1, old, "failed")]);
    }
}

/// S62, S63, S70, S80, S84, S85, S86, S87, S92: what only an application can see to stands in the guide.
#[test]
fn the_guide_says_what_only_an_application_can_see_to() {
    let page = |name: &str| {
        let path = format!("{}/docs/{name}.md", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (name, said) in [
        (
            "resources",
            "Whether somebody may do more than read is for the handler to check",
        ),
        (
            "resources",
            "Use `https:` URIs only for what clients can fetch themselves",
        ),
        (
            "context",
            "Send no secrets, no personal data, and not too many",
        ),
        ("asking", "Ask for no secrets by a form"),
        (
            "asking",
            "Keep what you stored of an answer with the user it came from, not with the connection",
        ),
        (
            "asking",
            "That page must make sure that who comes is who was sent",
        ),
        (
            "asking",
            "It holds no secrets and no personal data, is not signed in beforehand, and is `https:`",
        ),
        (
            "asking",
            "It is not a way to sign users in to this server, and tokens of third parties never pass through the client",
        ),
        (
            "asking",
            "check every path yourself, and expect folders to vanish",
        ),
    ] {
        assert!(page(name).contains(said), "{name}: {said}");
    }
}

/// How often the handler went on after each answer.
#[derive(Clone, Default)]
struct Passed(Arc<[AtomicUsize; 3]>);

/// Asks three times, one after the other.
#[tool]
async fn thrice(cx: &Context, passed: &Passed) -> Result<String, Refused> {
    for (at, key) in ["a", "b", "c"].into_iter().enumerate() {
        let _: Sure = cx.elicit(key, key).await?;
        passed.0[at].fetch_add(1, Ordering::Relaxed);
    }
    Ok("done".to_owned())
}

/// What a client may do next.
#[derive(Clone, Debug)]
enum Move {
    Call,
    /// Answers the newest question of the call so many calls ago.
    Answer {
        back: usize,
        is_good: bool,
    },
    /// Repeats the newest round of a call with its state broken.
    Tamper {
        back: usize,
    },
    Cancel {
        back: usize,
    },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let back = 0_usize..3;
    let one = prop_oneof![
        Just(Move::Call),
        (back.clone(), any::<bool>()).prop_map(|(back, is_good)| Move::Answer { back, is_good }),
        back.clone().prop_map(|back| Move::Tamper { back }),
        back.prop_map(|back| Move::Cancel { back }),
    ];
    proptest::collection::vec(one, 1..25)
}

/// A call as its client sees it.
struct Round {
    id: u32,
    /// The question that is open, and what stands for the call: a request id or a state.
    open: Option<(String, String)>,
    answered: usize,
}

fn question(message: &Value) -> Option<(String, String)> {
    if let Some(requests) = message["result"]["inputRequests"].as_object() {
        let (key, _) = requests.iter().next()?;
        return Some((key.clone(), message["result"]["requestState"].to_string()));
    }
    (message["method"] == "elicitation/create").then(|| {
        let key = message["params"]["message"].as_str().unwrap_or_default();
        (key.to_owned(), message["id"].to_string())
    })
}

/// One client, the calls it has made, and what it has counted.
struct Client {
    talk: Talk,
    is_modern: bool,
    rounds: Vec<Round>,
    next_id: u32,
    answers: usize,
}

impl Client {
    fn new(server: Server, is_modern: bool) -> Self {
        let mut talk = Talk::new(server);
        if !is_modern {
            talk = talk.opened_as(V2025_11, FORMS);
        }
        Self {
            talk,
            is_modern,
            rounds: Vec::new(),
            next_id: 100,
            answers: 0,
        }
    }

    fn exchange(&mut self, line: String) -> Vec<Value> {
        self.talk.pair.send(line).run();
        (self.talk.pair.take_sent().iter())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// A call, or a later round of one.
    fn call(&mut self, more: &str) -> Vec<Value> {
        self.next_id += 1;
        let id = self.next_id;
        let members = format!(r#""name":"thrice","arguments":{{}}{more}"#);
        self.exchange(if self.is_modern {
            modern_as(id, FORMS, "tools/call", &members)
        } else {
            call(id, "thrice", "{}")
        })
    }

    fn newest(&mut self, back: usize) -> Option<&mut Round> {
        let at = self.rounds.len().checked_sub(back + 1)?;
        self.rounds.get_mut(at)
    }

    fn begin(&mut self) -> Result<(), TestCaseError> {
        let heard = self.call("");
        prop_assert_eq!(heard.len(), 1);
        let open = question(&heard[0]);
        prop_assert!(open.is_some());
        self.rounds.push(Round {
            id: self.next_id,
            open,
            answered: 0,
        });
        Ok(())
    }

    fn answer(&mut self, back: usize, is_good: bool) -> Result<(), TestCaseError> {
        let open = self.newest(back).and_then(|round| round.open.take());
        let Some((key, token)) = open else {
            return Ok(());
        };
        let members = if is_good {
            YES
        } else {
            r#""action":"accept","content":{"yes":[]}"#
        };
        let heard = if self.is_modern {
            let responses = format!(r#"{{"{key}":{{{members}}}}}"#);
            self.call(&format!(
                r#","requestState":{token},"inputResponses":{responses}"#
            ))
        } else {
            self.exchange(result(&token, members))
        };
        prop_assert_eq!(heard.len(), 1, "{:?}", heard);
        if !is_good {
            let failed = heard[0].get("error").is_some() || heard[0]["result"]["isError"] == true;
            prop_assert!(failed, "{:?}", heard);
            return Ok(());
        }
        self.answers += 1;
        let is_done = heard[0]["result"]["content"][0]["text"] == "done";
        let open = question(&heard[0]);
        if let Some(round) = self.newest(back) {
            round.answered += 1;
            round.open = open;
            prop_assert_eq!(is_done, round.answered == 3);
            prop_assert_eq!(round.open.is_some(), round.answered < 3);
        }
        Ok(())
    }

    fn tamper(&mut self, back: usize) -> Result<(), TestCaseError> {
        let open = self.newest(back).and_then(|round| round.open.clone());
        let Some((key, token)) = open else {
            return Ok(());
        };
        if !self.is_modern {
            prop_assert!(self.exchange(result(9999, YES)).is_empty());
            return Ok(());
        }
        let token = token.replace('"', "");
        let responses = format!(r#"{{"{key}":{{{YES}}}}}"#);
        let heard = self.call(&format!(
            r#","requestState":"{token}x","inputResponses":{responses}"#
        ));
        prop_assert_eq!(&heard[0]["error"]["code"], -32602);
        Ok(())
    }

    fn cancel(&mut self, back: usize) -> Result<(), TestCaseError> {
        let Some(id) = self.newest(back).map(|round| round.id) else {
            return Ok(());
        };
        let heard = self.exchange(cancel(id));
        if self.is_modern {
            // A call that waits for its next round is over.
            prop_assert!(heard.is_empty());
            return Ok(());
        }
        let was_open = self.newest(back).and_then(|round| round.open.take());
        prop_assert_eq!(heard.len(), usize::from(was_open.is_some()));
        Ok(())
    }
}

fn play(moves: &[Move], is_modern: bool) -> Result<(), TestCaseError> {
    let passed = Passed::default();
    let server = Server::new("s", "1").lend(passed.clone()).tool::<thrice>();
    let mut client = Client::new(server, is_modern);
    for step in moves {
        match *step {
            Move::Call => client.begin()?,
            Move::Answer { back, is_good } => client.answer(back, is_good)?,
            Move::Tamper { back } => client.tamper(back)?,
            Move::Cancel { back } => client.cancel(back)?,
        }
    }
    // Nobody went on without an answer: in rounds each run passes what was answered before once more.
    let passed: Vec<_> = (passed.0.iter())
        .map(|count| count.load(Ordering::Relaxed))
        .collect();
    prop_assert!(passed[0] >= passed[1] && passed[1] >= passed[2]);
    if !is_modern {
        prop_assert_eq!(passed.iter().sum::<usize>(), client.answers);
    }
    client.talk.pair.end_input().run();
    prop_assert!(client.talk.pair.closed().is_some(), "a call is open");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whatever_a_client_does_no_call_stays_open_and_no_handler_runs_ahead(moves in moves(), is_modern: bool) {
        play(&moves, is_modern)?;
    }
}

/// Panics whatever is called.
struct Falls;

impl Layer for Falls {
    async fn call(&self, _call: LayerCall, _next: Next<'_>) -> LayerReply {
        panic!("the password is hunter2")
    }
}

#[test]
fn a_layer_that_panics_is_an_error_of_prompts_and_resources() {
    let mut talk = Talk::new(server().layer(Falls));
    talk.say(modern_as(1, "{}", "prompts/get", r#""name":"ask""#))
        .hears(&[error(1, -32603, "the prompt failed")]);
    talk.say(modern_as(2, "{}", "resources/read", r#""uri":"x://ask""#))
        .hears(&[error(2, -32603, "the resource failed")]);
}

/// Asks before anything is done.
struct Asks;

impl Layer for Asks {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        let question = format!("Run {}?", call.name());
        match call.context().elicit::<Sure>("layer", question).await {
            Ok(Sure { yes: true }) => next.run(call).await,
            _ => LayerReply::tool_error("not allowed"),
        }
    }
}

#[test]
fn layers_ask_as_well_and_what_they_wrap_asks_after_them() {
    let mut talk = Talk::new(server().layer(Asks)).opened_as(V2025_11, FORMS);
    talk.say(call(7, "ask", "{}")).heard();
    talk.say(answer(1, YES)).heard();
    talk.say(answer(2, YES)).hears(&[text(7, "yes: true")]);

    let members = r#""name":"ask","arguments":{}"#;
    let asked = talk
        .say(modern_as(1, FORMS, "tools/call", members))
        .result();
    assert_eq!(
        asked["inputRequests"]["layer"]["params"]["message"],
        "Run ask?"
    );
    let round = |asked: &Value, key: &str| {
        format!(
            r#"{members},"requestState":{},"inputResponses":{{"{key}":{{{YES}}}}}"#,
            asked["requestState"]
        )
    };
    let more = round(&asked, "layer");
    let asked = talk.say(modern_as(2, FORMS, "tools/call", &more)).result();
    assert_eq!(asked["resultType"], "input_required");
    let more = round(&asked, "sure");
    talk.say(modern_as(3, FORMS, "tools/call", &more))
        .hears(&[modern_text(3, "yes: true")]);
}
