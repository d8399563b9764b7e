//! Questions of layers that ask after their handler: all that is asked and answered in a call is one record.

use mcp_core::testing::Gate;
use mcp_core::{ErrorCode, ErrorObject, Layer, LayerCall, LayerReply, Next, Refused, Server, tool};
use serde_json::Value;

use crate::asking::{ANN, Person, answers, greet, insist, round, state_of};
use crate::talk::{Talk, modern_text};

/// Asks whether to hand out what the handler has made.
struct Confirms;

impl Layer for Confirms {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        let cx = call.context().clone();
        let reply = next.run(call).await;
        match cx.elicit::<Person>("confirm", "Sure?").await {
            Ok(_) => reply,
            Err(_) => LayerReply::Error(ErrorObject::new(ErrorCode::new(-1), "no")),
        }
    }
}

/// The keys of the questions.
fn keys(asked: &Value) -> Vec<&str> {
    let requests = asked["inputRequests"].as_object();
    requests
        .into_iter()
        .flatten()
        .map(|(key, _)| &**key)
        .collect()
}

/// Adds the state and answers to these questions.
fn answered(asked: &Value, keys: &[&str]) -> String {
    let responses: Vec<_> = keys.iter().map(|key| format!(r#""{key}":{ANN}"#)).collect();
    answers(&state_of(asked), &format!("{{{}}}", responses.join(",")))
}

fn confirmed() -> Talk {
    Talk::new(Server::new("s", "1").layer(Confirms).tool::<greet>())
}

#[test]
fn what_a_layer_asks_after_its_handler_is_asked_along_with_its_questions() {
    let mut talk = confirmed();
    let asked = talk.say(round(1, "greet", "")).result();
    assert_eq!(keys(&asked), ["confirm", "user_name"]);
    let more = answered(&asked, &["user_name", "confirm"]);
    (talk.say(round(2, "greet", &more))).hears(&[modern_text(2, "Hello, Ann!")]);
}

#[test]
fn each_is_asked_once_whichever_is_answered_first() {
    for [first, second] in [["user_name", "confirm"], ["confirm", "user_name"]] {
        let mut talk = confirmed();
        let asked = talk.say(round(1, "greet", "")).result();
        let more = answered(&asked, &[first]);
        let asked = talk.say(round(2, "greet", &more)).result();
        assert_eq!(keys(&asked), [second], "after {first}");
        let more = answered(&asked, &[second]);
        (talk.say(round(3, "greet", &more))).hears(&[modern_text(3, "Hello, Ann!")]);
    }
}

/// Asks for one name, then for another.
#[tool]
async fn pair_up(cx: &mcp_core::Context) -> Result<String, Refused> {
    let one: Person = cx.elicit("one", "Who?").await?;
    let other: Person = cx.elicit("other", "And who?").await?;
    Ok(format!("{} and {}", one.name, other.name))
}

#[test]
fn layers_in_layers_and_handlers_that_ask_on_share_their_rounds() {
    let server = Server::new("s", "1").layer(Confirms).layer(Confirms);
    let mut talk = Talk::new(server.tool::<pair_up>());
    let asked = talk.say(round(1, "pair_up", "")).result();
    // The outer layer has yet to get there: the inner one waits.
    assert_eq!(keys(&asked), ["confirm", "one"]);
    let more = answered(&asked, &["confirm", "one"]);
    let asked = talk.say(round(2, "pair_up", &more)).result();
    assert_eq!(keys(&asked), ["confirm-2", "other"]);
    let more = answered(&asked, &["confirm-2", "other"]);
    (talk.say(round(3, "pair_up", &more))).hears(&[modern_text(3, "Ann and Ann")]);
}

#[test]
fn what_is_remembered_survives_a_layer_that_asks_after_its_handler() {
    let server = Server::new("s", "1").layer(Confirms).tool::<insist>();
    let mut talk = Talk::new(server);
    let asked = talk.say(round(1, "insist", "")).result();
    let more = answered(&asked, &["confirm"]);
    let asked = talk.say(round(2, "insist", &more)).result();
    let more = answered(&asked, &["elicitation"]);
    (talk.say(round(3, "insist", &more))).hears(&[modern_text(3, "Ann after 3")]);
}

/// Takes its time when its handler is done, and puts a mark on what it lets through.
struct Marks(Gate);

impl Layer for Marks {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        let reply = next.run(call).await;
        self.0.wait().await;
        let LayerReply::Result(result) = reply else {
            return reply;
        };
        let mut result: Value = result.parse().unwrap();
        assert!(result.get("requestState").is_none(), "it is not sealed yet");
        if result["resultType"] == "input_required" {
            result["requestState"] = "forged".into();
            result["_meta"] = serde_json::json!({ "mark": true });
        }
        LayerReply::Result(result.into())
    }
}

#[test]
fn a_layer_may_take_its_time_with_questions_and_add_to_them_but_not_seal() {
    let gate = Gate::new();
    let server = Server::new("s", "1").layer(Marks(gate.clone()));
    let mut talk = Talk::new(server.tool::<greet>());
    talk.say(round(1, "greet", "")).is_silent();
    gate.open();
    talk.pair.run();
    let asked = talk.result();
    assert_eq!(
        (keys(&asked), &asked["_meta"]["mark"]),
        (vec!["user_name"], &true.into())
    );
    let more = answered(&asked, &["user_name"]);
    (talk.say(round(2, "greet", &more))).hears(&[modern_text(2, "Hello, Ann!")]);
}

/// Lets no questions through.
struct Silences;

impl Layer for Silences {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        match next.run(call).await {
            LayerReply::Result(result) if result.get().contains("input_required") => {
                LayerReply::Result(serde_json::json!({ "content": [] }).into())
            }
            reply => reply,
        }
    }
}

#[test]
fn a_layer_may_answer_instead_of_asking() {
    let mut talk = Talk::new(Server::new("s", "1").layer(Silences).tool::<greet>());
    let result = talk.say(round(1, "greet", "")).result();
    assert_eq!(result["resultType"], "complete");
    assert!(result.get("requestState").is_none());
}

#[test]
fn a_client_may_answer_beforehand() {
    let mut talk = confirmed();
    let more = format!(r#","inputResponses":{{"user_name":{ANN},"confirm":{ANN},"other":{ANN}}}"#);
    (talk.say(round(1, "greet", &more))).hears(&[modern_text(1, "Hello, Ann!")]);
    let more = format!(r#","inputResponses":{{"confirm":{ANN}}}"#);
    let asked = talk.say(round(2, "greet", &more)).result();
    assert_eq!(keys(&asked), ["user_name"]);
    let more = answered(&asked, &["user_name"]);
    (talk.say(round(3, "greet", &more))).hears(&[modern_text(3, "Hello, Ann!")]);
}
