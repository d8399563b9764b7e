//! Questions to the client: one handler, asked by requests up to 2025-11-25 and by rounds from 2026-07-28 on.

use std::time::Duration;

use futures_util::future::join;
use mcp_core::protocol::{CreateMessageParams, ProtocolVersion, SamplingMessage};
use mcp_core::testing::{Gate, Pair};
use mcp_core::{
    Context, Layer, LayerCall, LayerReply, Next, Principal, Refused, Server, data, tool,
};
use serde_json::Value;

use crate::talk::{
    Talk, call, cancel, error, failure, modern_as, modern_text, request, result, text,
};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
pub(crate) const ALL: &str = r#"{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}"#;

/// A person.
#[data]
pub(crate) struct Person {
    pub(crate) name: String,
}

/// Greets whoever is there.
#[tool]
pub(crate) async fn greet(cx: &Context) -> Result<String, Refused> {
    let person: Person = cx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {}!", person.name))
}

/// Asks for three things at once.
#[tool]
async fn gather(cx: &Context) -> Result<String, Refused> {
    let ask = CreateMessageParams::new([SamplingMessage::user("Hi")], 100);
    let person = cx.elicit::<Person>("who", "Who?");
    let (person, (said, roots)) = join(person, join(cx.sample("sampling", ask), cx.roots())).await;
    let (person, said) = (person?, said?);
    Ok(format!("{} {} {}", person.name, said.model, roots.len()))
}

/// Asks until it likes the answer, and remembers how often it ran.
#[tool]
pub(crate) async fn insist(cx: &Context) -> Result<String, Refused> {
    let runs: u32 = cx.recall("runs").unwrap_or(0) + 1;
    cx.remember("runs", &runs);
    loop {
        let person: Person = cx.elicit("elicitation", "Who?").await?;
        if person.name.len() > 2 {
            return Ok(format!("{} after {runs}", person.name));
        }
    }
}

/// Asks, unless it is told to go on first.
#[tool]
async fn hurry(cx: &Context, gate: &Gate) -> String {
    let question = cx.elicit::<Person>("elicitation", "Who?");
    match futures_util::future::select(question, gate.wait()).await {
        futures_util::future::Either::Left((Ok(person), _)) => person.name,
        _ => "nobody".to_owned(),
    }
}

fn server() -> (Server, Gate) {
    let gate = Gate::new();
    let server = Server::new("s", "1")
        .lend(gate.clone())
        .tool::<greet>()
        .tool::<gather>()
        .tool::<insist>()
        .tool::<hurry>();
    (server, gate)
}

fn legacy() -> (Talk, Gate) {
    let (server, gate) = server();
    (Talk::new(server).opened_as(V2025_11, ALL), gate)
}

/// A call of a tool in 2026-07-28, with members beside its name and arguments.
pub(crate) fn round(id: u32, tool: &str, more: &str) -> String {
    let members = format!(r#""name":"{tool}","arguments":{{}}{more}"#);
    modern_as(id, ALL, "tools/call", &members)
}

/// What a later round adds.
pub(crate) fn answers(state: &str, responses: &str) -> String {
    let state = Value::from(state);
    format!(r#","requestState":{state},"inputResponses":{responses}"#)
}

pub(crate) fn state_of(result: &Value) -> String {
    assert_eq!(result["resultType"], "input_required", "{result}");
    result["requestState"].as_str().unwrap().to_owned()
}

pub(crate) const ANN: &str = r#"{"action":"accept","content":{"name":"Ann"}}"#;
const FORM: &str =
    r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;

/// S20, S21, S22
#[test]
fn a_question_is_asked_by_a_round_and_answered_by_the_next() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let asked = talk.say(round(1, "greet", "")).result();
    let questions = serde_json::to_string(&asked["inputRequests"]).unwrap();
    assert_eq!(
        questions,
        format!(
            r#"{{"user_name":{{"method":"elicitation/create","params":{{"message":"What is your name?","requestedSchema":{FORM}}}}}}}"#
        )
    );
    let state = state_of(&asked);
    let more = answers(&state, &format!(r#"{{"user_name":{ANN}}}"#));
    talk.say(round(2, "greet", &more))
        .hears(&[modern_text(2, "Hello, Ann!")]);
}

#[test]
fn a_question_is_asked_by_a_request_before() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).hears(&[request(
        1,
        "elicitation/create",
        &format!(r#""message":"What is your name?","requestedSchema":{FORM}"#),
    )]);
    talk.say(result(1, &ANN[1..ANN.len() - 1]))
        .hears(&[text(7, "Hello, Ann!")]);
}

/// S83
#[test]
fn what_a_person_decides_is_left_to_the_handler() {
    for (action, said) in [
        ("decline", "the person declined"),
        ("cancel", "the person gave no answer"),
    ] {
        let (mut talk, _) = legacy();
        talk.say(call(7, "greet", "{}")).heard();
        talk.say(result(1, &format!(r#""action":"{action}""#)))
            .hears(&[failure(7, said)]);
        let (server, _) = server();
        let mut talk = Talk::new(server);
        let state = state_of(&talk.say(round(1, "greet", "")).result());
        let more = answers(
            &state,
            &format!(r#"{{"user_name":{{"action":"{action}"}}}}"#),
        );
        let refused = talk.say(round(2, "greet", &more)).result();
        assert_eq!(refused["isError"], true);
        assert_eq!(refused["content"][0]["text"], said);
    }
}

#[test]
fn questions_that_are_joined_are_asked_at_once() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let asked = talk.say(round(1, "gather", "")).result();
    let keys: Vec<_> = asked["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["roots", "sampling", "who"]);
    assert_eq!(
        asked["inputRequests"]["roots"].to_string(),
        r#"{"method":"roots/list"}"#
    );
    let said = r#"{"role":"assistant","content":{"type":"text","text":"ok"},"model":"m"}"#;
    let roots = r#"{"roots":[{"uri":"file:///a"}]}"#;
    let state = state_of(&asked);
    // Two answers now, the third later: nothing is asked twice.
    let more = answers(&state, &format!(r#"{{"who":{ANN},"sampling":{said}}}"#));
    let asked = talk.say(round(2, "gather", &more)).result();
    let keys: Vec<_> = asked["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["roots"]);
    let more = answers(&state_of(&asked), &format!(r#"{{"roots":{roots}}}"#));
    talk.say(round(3, "gather", &more))
        .hears(&[modern_text(3, "Ann m 1")]);

    let (mut talk, _) = legacy();
    talk.say(call(7, "gather", "{}"));
    let methods: Vec<_> = (talk.heard().iter())
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["method"].to_string())
        .collect();
    assert_eq!(
        methods,
        [
            r#""elicitation/create""#,
            r#""sampling/createMessage""#,
            r#""roots/list""#
        ]
    );
    // Answers come in any order.
    talk.say(result(3, &roots[1..roots.len() - 1])).is_silent();
    talk.say(result(2, &said[1..said.len() - 1])).is_silent();
    talk.say(result(1, &ANN[1..ANN.len() - 1]))
        .hears(&[text(7, "Ann m 1")]);
}

#[test]
fn a_loop_that_asks_again_gets_the_next_answer_each_time() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let asked = talk.say(round(1, "insist", "")).result();
    let short = r#"{"elicitation":{"action":"accept","content":{"name":"A"}}}"#;
    let more = answers(&state_of(&asked), short);
    let asked = talk.say(round(2, "insist", &more)).result();
    assert!(
        asked["inputRequests"]["elicitation-2"].is_object(),
        "{asked}"
    );
    let more = answers(&state_of(&asked), &format!(r#"{{"elicitation-2":{ANN}}}"#));
    talk.say(round(3, "insist", &more))
        .hears(&[modern_text(3, "Ann after 3")]);

    let (mut talk, _) = legacy();
    talk.say(call(7, "insist", "{}")).heard();
    talk.say(result(1, r#""action":"accept","content":{"name":"A"}"#));
    assert!(talk.heard()[0].contains(r#""id":2"#));
    talk.say(result(2, &ANN[1..ANN.len() - 1]))
        .hears(&[text(7, "Ann after 1")]);
}

/// S28, S29
#[test]
fn unknown_answers_are_ignored_and_missing_ones_asked_for_again() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let state = state_of(&talk.say(round(1, "greet", "")).result());
    let more = answers(&state, &format!(r#"{{"nobody_asked":{ANN}}}"#));
    let again = talk.say(round(2, "greet", &more)).result();
    let more = answers(
        &state_of(&again),
        &format!(r#"{{"user_name":{ANN},"more":1}}"#),
    );
    talk.say(round(3, "greet", &more))
        .hears(&[modern_text(3, "Hello, Ann!")]);
}

/// S27, S83
#[test]
fn an_answer_that_does_not_fit_ends_the_call() {
    for answer in [
        "12345",
        "null",
        "[]",
        r#"{"action":"maybe"}"#,
        r#"{"action":"accept"}"#,
        r#"{"action":"accept","content":{"name":5}}"#,
    ] {
        let (server, _) = server();
        let mut talk = Talk::new(server);
        let state = state_of(&talk.say(round(1, "greet", "")).result());
        let more = answers(&state, &format!(r#"{{"user_name":{answer}}}"#));
        talk.say(round(2, "greet", &more));
        let heard = talk.heard();
        assert!(heard[0].contains("-32602"), "{answer}: {heard:?}");
    }
    for responses in ["null", "[]", "1"] {
        let (server, _) = server();
        let mut talk = Talk::new(server);
        let more = format!(r#","inputResponses":{responses}"#);
        talk.say(round(2, "greet", &more)).hears(&[error(
            2,
            -32602,
            "`inputResponses` must be an object",
        )]);
    }
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    talk.say(result(1, r#""action":"maybe""#)).hears(&[failure(
        7,
        "the answer to `user_name`: `action` must be accept, decline or cancel",
    )]);
}

/// S4, S23
#[test]
fn a_client_that_can_not_be_asked_is_told_what_is_missing() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let members = r#""name":"greet","arguments":{}"#;
    talk.say(modern_as(1, "{}", "tools/call", members));
    let heard = talk.heard();
    assert!(heard[0].contains("-32021"), "{heard:?}");
    assert!(heard[0].contains(r#""requiredCapabilities":{"elicitation":{"form":{}}}"#));
    let (server, _) = self::server();
    let mut talk = Talk::new(server).opened_as(V2025_11, "{}");
    talk.say(call(7, "greet", "{}")).hears(&[failure(
        7,
        "this needs the capability `elicitation.form`, which the client does not have",
    )]);
}

#[test]
fn nothing_is_asked_by_a_call_that_can_not_go_on() {
    let (server, _) = server();
    let some = r#"{"sampling":{},"roots":{}}"#;
    let mut talk = Talk::new(server).opened_as(V2025_11, some);
    // It asks for three things at once, the first of which the client can't be asked for.
    talk.say(call(7, "gather", "{}")).hears(&[failure(
        7,
        "this needs the capability `elicitation.form`, which the client does not have",
    )]);
}

/// S24, S25, S26-09
#[test]
fn a_state_that_was_changed_or_belongs_elsewhere_is_refused() {
    let refused = |id: u32| {
        let why = "`requestState` is not one of this request, or has expired";
        error(id, -32602, why)
    };
    let (server, _) = server();
    let server = server.build().unwrap();
    let mut talk = Talk::connect(&server);
    let state = state_of(&talk.say(round(1, "greet", "")).result());
    let good = format!(r#"{{"user_name":{ANN}}}"#);
    for wrong in [
        format!("{state}-TAMPERED"),
        String::new(),
        "AAAA".to_owned(),
    ] {
        talk.say(round(2, "greet", &answers(&wrong, &good)))
            .hears(&[refused(2)]);
    }
    for (at, _) in state.char_indices() {
        let mut changed = state.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        talk.say(round(2, "greet", &answers(&changed, &good)));
        let heard = talk.heard();
        // The last character of base64 may hold bits that mean nothing.
        assert!(
            heard == [refused(2)] || at + 1 == state.len(),
            "{at}: {heard:?}"
        );
    }
    // Another call's.
    talk.say(round(3, "insist", &answers(&state, &good)))
        .hears(&[refused(3)]);
    let other = r#""name":"greet","arguments":{"loud":true}"#;
    let other = format!("{other}{}", answers(&state, &good));
    talk.say(modern_as(4, ALL, "tools/call", &other))
        .hears(&[refused(4)]);
    // No string.
    let more = format!(r#","requestState":1,"inputResponses":{good}"#);
    talk.say(round(5, "greet", &more)).hears(&[refused(5)]);
    // Another principal's.
    let alice = server.for_principal(Principal::new("alice"));
    Talk::connect(&alice)
        .say(round(6, "greet", &answers(&state, &good)))
        .hears(&[refused(6)]);
    // The order of arguments and blanks are the client's to choose, and another connection may come with the next round.
    Talk::connect(&server)
        .say(
            round(7, "greet", &answers(&state, &good))
                .replace(r#""arguments":{}"#, r#""arguments": { }"#),
        )
        .hears(&[modern_text(7, "Hello, Ann!")]);
}

/// S25
#[test]
fn a_state_expires() {
    let (server, _) = server();
    let server = server.state_lifetime(Duration::from_secs(60));
    let mut talk = Talk::new(server);
    let state = state_of(&talk.say(round(1, "greet", "")).result());
    let more = answers(&state, &format!(r#"{{"user_name":{ANN}}}"#));
    talk.pair.advance(Duration::from_secs(59));
    talk.say(round(2, "greet", &more))
        .hears(&[modern_text(2, "Hello, Ann!")]);
    talk.pair.advance(Duration::from_secs(1));
    talk.say(round(3, "greet", &more));
    assert!(talk.heard()[0].contains("-32602"));
}

#[test]
fn keys_may_be_changed_while_states_are_under_way() {
    let with_keys = |keys: &[u8]| {
        let (server, _) = server();
        (keys.iter()).fold(server, |server, key| server.state_key([*key; 32]))
    };
    let mut first = Talk::new(with_keys(&[1]));
    let state = state_of(&first.say(round(1, "greet", "")).result());
    let more = answers(&state, &format!(r#"{{"user_name":{ANN}}}"#));
    Talk::new(with_keys(&[2, 1]))
        .say(round(2, "greet", &more))
        .hears(&[modern_text(2, "Hello, Ann!")]);
    let mut later = Talk::new(with_keys(&[3, 2]));
    later.say(round(2, "greet", &more));
    assert!(later.heard()[0].contains("-32602"));
    let short = Server::new("s", "1").state_key(*b"too short");
    assert!(short.build().is_err());
}

/// What a person agreed to is what they were shown.
#[test]
fn an_answer_is_not_used_for_another_question() {
    /// A thing to delete, which may change.
    struct Target(std::sync::Mutex<&'static str>);
    /// Deletes it.
    #[tool]
    async fn delete(cx: &Context, target: &Target) -> Result<String, Refused> {
        let name = *target.0.lock().unwrap();
        let _: Person = cx.elicit("elicitation", format!("Delete {name}?")).await?;
        Ok(format!("deleted {name}"))
    }
    let target = std::sync::Arc::new(Target(std::sync::Mutex::new("a")));
    struct Held(std::sync::Arc<Target>);
    /// Deletes it.
    #[tool]
    async fn delete_held(cx: &Context, held: &Held) -> Result<String, Refused> {
        delete(cx, &held.0).await
    }
    let server = Server::new("s", "1")
        .lend(Held(std::sync::Arc::clone(&target)))
        .tool::<delete_held>();
    let mut talk = Talk::new(server);
    let state = state_of(&talk.say(round(1, "delete_held", "")).result());
    *target.0.lock().unwrap() = "b";
    let more = answers(&state, &format!(r#"{{"elicitation":{ANN}}}"#));
    let again = talk.say(round(2, "delete_held", &more)).result();
    assert_eq!(
        again["inputRequests"]["elicitation"]["params"]["message"],
        "Delete b?"
    );
    let more = answers(&state_of(&again), &format!(r#"{{"elicitation":{ANN}}}"#));
    talk.say(round(3, "delete_held", &more))
        .hears(&[modern_text(3, "deleted b")]);
}

#[test]
fn a_question_that_is_dropped_is_withdrawn() {
    let (mut talk, gate) = legacy();
    talk.say(call(7, "hurry", "{}"));
    assert_eq!(talk.heard().len(), 1);
    gate.open();
    talk.pair.run();
    let withdrawn = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"it is no longer needed"}}"#;
    talk.hears(&[withdrawn.to_owned(), text(7, "nobody")]);
    // It was on its way already.
    talk.say(result(1, &ANN[1..ANN.len() - 1])).is_silent();
    // In rounds, what is ready at once needs no answer.
    let (server, gate) = server();
    gate.open();
    Talk::new(server)
        .say(round(1, "hurry", ""))
        .hears(&[modern_text(1, "nobody")]);
}

#[test]
fn a_call_that_is_cancelled_takes_its_questions_along() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    let withdrawn = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the call that asked is over"}}"#;
    talk.say(cancel(7)).hears(&[withdrawn]);
    talk.say(result(1, &ANN[1..ANN.len() - 1])).is_silent();
}

#[test]
fn a_client_that_does_not_answer_in_time_ends_the_call() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    talk.pair.advance(Duration::from_secs(599));
    talk.is_silent();
    talk.pair.advance(Duration::from_secs(1));
    let withdrawn = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"it took too long"}}"#;
    talk.hears(&[
        withdrawn.to_owned(),
        failure(7, "the client did not answer `elicitation/create` in time"),
    ]);
}

#[test]
fn a_client_that_answers_with_an_error_ends_the_call_unless_a_person_refused() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    talk.say(error(1, -32603, "no")).hears(&[failure(
        7,
        "the client answered `elicitation/create` with an error: no",
    )]);
    talk.say(call(8, "greet", "{}")).heard();
    talk.say(error(2, -1, "User rejected"))
        .hears(&[failure(8, "the person declined")]);
}

#[test]
fn a_client_that_leaves_is_not_waited_for() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    talk.pair.end_input().run();
    talk.hears(&[failure(
        7,
        "the client left without an answer to `elicitation/create`",
    )]);
    assert!(talk.pair.closed().is_some());
}

#[test]
fn calls_in_tasks_of_their_own_ask_as_well() {
    let (server, _) = server();
    let mut talk = Talk::over(Pair::new(server.spawn_handlers(true))).opened_as(V2025_11, ALL);
    talk.say(call(7, "greet", "{}")).heard();
    talk.say(result(1, &ANN[1..ANN.len() - 1]))
        .hears(&[text(7, "Hello, Ann!")]);
    let state = state_of(&talk.say(round(1, "greet", "")).result());
    let more = answers(&state, &format!(r#"{{"user_name":{ANN}}}"#));
    talk.say(round(2, "greet", &more))
        .hears(&[modern_text(2, "Hello, Ann!")]);
}

/// What an order costs, which may change.
struct Price(std::sync::Arc<std::sync::atomic::AtomicU32>);

/// Orders something.
#[tool]
async fn order(cx: &Context, price: &Price) -> Result<String, Refused> {
    let price = price.0.load(std::sync::atomic::Ordering::Relaxed);
    let _: Person = cx.elicit("agreed", format!("It costs {price}.")).await?;
    let person: Person = cx.elicit("who", "For whom?").await?;
    Ok(format!("{price} for {}", person.name))
}

#[test]
fn an_answer_that_is_sent_once_more_does_not_answer_what_was_not_shown() {
    let price = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(10));
    let server = (Server::new("s", "1"))
        .lend(Price(std::sync::Arc::clone(&price)))
        .tool::<order>();
    let mut talk = Talk::new(server);
    let state = state_of(&talk.say(round(1, "order", "")).result());
    let more = answers(&state, &format!(r#"{{"agreed":{ANN}}}"#));
    let state = state_of(&talk.say(round(2, "order", &more)).result());
    price.store(20, std::sync::atomic::Ordering::Relaxed);
    // All answers so far, as some clients send them.
    let more = answers(&state, &format!(r#"{{"agreed":{ANN},"who":{ANN}}}"#));
    let again = talk.say(round(3, "order", &more)).result();
    let message = &again["inputRequests"]["agreed"]["params"]["message"];
    assert_eq!(message, "It costs 20.", "{again}");
}

/// Asks by keys that look like numbered ones.
#[tool]
async fn collide(cx: &Context) -> Result<String, Refused> {
    let mut names = Vec::new();
    for (key, message) in [("a", "1?"), ("a", "2?"), ("a-2", "3?"), ("a", "4?")] {
        names.push(cx.elicit::<Person>(key, message).await?.name);
    }
    Ok(names.join(" "))
}

#[test]
fn a_key_that_looks_like_a_numbered_one_is_a_key_of_its_own() {
    let mut talk = Talk::new(Server::new("s", "1").tool::<collide>());
    let mut more = String::new();
    for number in 1..=4 {
        let asked = talk.say(round(number, "collide", &more)).result();
        let requests = asked["inputRequests"].as_object().unwrap();
        let (key, question) = requests.iter().next().unwrap();
        assert_eq!(question["params"]["message"], format!("{number}?"));
        let name = format!(r#"{{"action":"accept","content":{{"name":"{number}"}}}}"#);
        more = answers(&state_of(&asked), &format!(r#"{{"{key}":{name}}}"#));
    }
    talk.say(round(5, "collide", &more))
        .hears(&[modern_text(5, "1 2 3 4")]);
}

#[test]
fn answers_that_come_twice_in_a_message_are_refused() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let state = state_of(&talk.say(round(1, "greet", "")).result());
    let responses = format!(r#"{{"user_name":{ANN}}}"#);
    let more = answers(&state, &responses);
    let more = format!(r#"{more},"inputResponses":{{}}"#);
    talk.say(round(2, "greet", &more)).hears(&[error(
        2,
        -32602,
        "a member of `params` occurs twice",
    )]);
}

#[test]
fn only_the_id_of_a_question_answers_it() {
    let (mut talk, _) = legacy();
    talk.say(call(7, "greet", "{}")).heard();
    let said = &ANN[1..ANN.len() - 1];
    for id in ["\"1\"", "0", "2", "-1", "18446744073709551617", "1.5"] {
        talk.say(result(id, said)).is_silent();
    }
    talk.say(result(1, said)).hears(&[text(7, "Hello, Ann!")]);
    talk.say(result(1, said)).is_silent();
    talk.say(error(1, -1, "no")).is_silent();
}

#[test]
fn an_answer_gets_through_though_calls_wait() {
    let (server, _) = server();
    let mut talk = Talk::new(server.in_flight_limit(1)).opened_as(V2025_11, ALL);
    talk.say(call(7, "greet", "{}")).heard();
    for id in 8..200 {
        talk.say(call(id, "greet", "{}")).is_silent();
    }
    talk.say(result(1, &ANN[1..ANN.len() - 1]));
    let heard = talk.heard();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert_eq!(heard[0], text(7, "Hello, Ann!"));
    assert!(heard[1].contains("elicitation/create"));
    talk.say(cancel(8));
    assert_eq!(talk.heard().len(), 2, "a withdrawal, and the next question");
}

#[test]
fn a_batch_may_hold_an_answer_that_a_call_waits_for() {
    let mut pair = Pair::new(Server::new("s", "1").tool::<folders>());
    let opening = r#""protocolVersion":"2025-03-26","capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"0"}"#;
    pair.send(request(0, "initialize", opening)).run();
    assert_eq!(pair.take_sent().len(), 1);
    pair.send(format!("[{}]", call(7, "folders", "{}"))).run();
    let asks = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
    assert_eq!(pair.take_sent(), [asks(1)]);
    let said = result(1, r#""roots":[]"#);
    pair.send(format!("[{said},{said},{}]", call(8, "folders", "{}")))
        .run();
    let mut heard = pair.take_sent();
    heard.sort();
    let batch = |id: u32| format!("[{}]", text(id, "0"));
    assert_eq!(heard, [batch(7), asks(2)]);
    let said = result(2, r#""roots":[]"#);
    pair.send(format!("[{said}]")).run();
    assert_eq!(pair.take_sent(), [batch(8)]);
}

/// Counts the folders of the client.
#[tool]
async fn folders(cx: &Context) -> String {
    cx.roots().await.len().to_string()
}

/// Goes on without the question that it can't ask.
#[tool]
async fn shrug(cx: &Context) -> String {
    let question = cx.elicit::<Person>("who", "Who?");
    futures_util::future::select(question, std::future::ready(())).await;
    "whatever".to_owned()
}

/// Waits when its handler is done.
struct Lingers(Gate);

impl Layer for Lingers {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        let reply = next.run(call).await;
        self.0.wait().await;
        reply
    }
}

#[test]
fn a_question_that_was_dropped_does_not_fail_a_call_later() {
    let gate = Gate::new();
    let server = (Server::new("s", "1").layer(Lingers(gate.clone()))).tool::<shrug>();
    let mut talk = Talk::new(server).opened_as(V2025_11, "{}");
    talk.say(call(7, "shrug", "{}")).is_silent();
    gate.open();
    talk.pair.run();
    talk.hears(&[text(7, "whatever")]);
}
