//! Who is told of what changes, and when.

use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::Pair;
use mcp_core::{
    BuildError, ErrorCode, ErrorObject, Invocation, Layer, LayerCall, LayerReply, Live, Next,
    Principal, PromptDefinition, Reply, ResourceDefinition, Server, Shown, Step,
};
use serde_json::json;

use crate::talk::{Talk, error, modern, modern_call, request, result};
use crate::tools::{add, echo};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

fn resource(uri: &'static str) -> ResourceDefinition {
    ResourceDefinition::new(uri, "r", |call: Invocation| Step::Done(call.contents("r")))
}

fn prompt(name: &'static str) -> PromptDefinition {
    PromptDefinition::new(name, |_: Invocation| {
        Step::Done(mcp_core::IntoMessages::into_messages("p"))
    })
}

fn server() -> (Server, Live) {
    let server = Server::new("s", "1")
        .tool::<add>()
        .raw_prompt(prompt("p"))
        .raw_resource(resource("x:///a"))
        .raw_resource(resource("x:///b"));
    let live = server.live();
    (server, live)
}

fn notification(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}"}}"#)
}

fn tagged(method: &str, members: &str, id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{members}"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

fn acknowledged(filter: &str, id: &str) -> String {
    tagged(
        "subscriptions/acknowledged",
        &format!(r#""notifications":{filter},"#),
        id,
    )
}

fn updated(uri: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"{uri}"}}}}"#
    )
}

fn listen(id: &str, filter: &str) -> String {
    modern(
        id,
        "subscriptions/listen",
        &format!(r#""notifications":{filter}"#),
    )
}

/// S43
#[test]
fn a_legacy_client_is_told_of_every_list_that_changes() {
    let (server, live) = server();
    let mut talk = Talk::session(server, V2025_11);
    live.add::<echo>().unwrap();
    live.add_prompt_definition(prompt("q")).unwrap();
    live.add_resource_definition(resource("x:///c")).unwrap();
    live.add_resource_definition(resource("x:///{id}")).unwrap();
    talk.pair.run();
    talk.hears(&[
        notification("tools/list_changed"),
        notification("prompts/list_changed"),
        notification("resources/list_changed"),
    ]);
    assert!(live.disable_prompt("q") && live.remove_resource("x:///{id}"));
    talk.pair.run();
    talk.hears(&[
        notification("prompts/list_changed"),
        notification("resources/list_changed"),
    ]);
    let list = talk.say(request(1, "prompts/list", "")).result();
    assert_eq!(list["prompts"].as_array().unwrap().len(), 1);
    talk.say(request(2, "prompts/get", r#""name":"q""#))
        .hears(&[error(2, -32602, "there is no prompt `q`")]);
    assert!(live.enable_prompt("q") && live.disable_resource("x:///a"));
    assert!(!live.enable_prompt("nobody") && !live.remove_resource("x:///nowhere"));
}

/// S30, S31, S32, S34, S26-08
#[test]
fn a_listener_is_told_what_it_asked_for_and_nothing_else() {
    let (server, live) = server();
    let mut talk = Talk::new(server);
    talk.say(listen(
        "\"l\"",
        r#"{"toolsListChanged":false,"promptsListChanged":true,"resourceSubscriptions":["x:///a","x:///a"],"taskIds":["t"]}"#,
    ))
    .hears(&[acknowledged(
        r#"{"promptsListChanged":true,"resourceSubscriptions":["x:///a"]}"#,
        "\"l\"",
    )]);
    live.add::<echo>().unwrap();
    live.add_resource_definition(resource("x:///c")).unwrap();
    live.resource_updated("x:///b");
    talk.pair.run();
    talk.is_silent();
    live.add_prompt_definition(prompt("q")).unwrap();
    live.resource_updated("x:///a");
    talk.pair.run();
    talk.hears(&[
        tagged("prompts/list_changed", "", "\"l\""),
        tagged("resources/updated", r#""uri":"x:///a","#, "\"l\""),
    ]);
    // Two listeners are told each for itself, and one that has gone is told no more.
    talk.say(listen("7", r#"{"resourceSubscriptions":["x:///a"]}"#))
        .heard();
    live.resource_updated("x:///a");
    talk.pair.run();
    assert_eq!(talk.heard().len(), 2);
    talk.say(crate::talk::cancel("\"l\"")).is_silent();
    live.resource_updated("x:///a");
    talk.pair.run();
    talk.hears(&[tagged("resources/updated", r#""uri":"x:///a","#, "7")]);
}

/// S30, S26-08
#[test]
fn a_change_right_after_the_request_to_listen_is_not_lost() {
    let (server, live) = server();
    let mut talk = Talk::new(server);
    let filter = r#"{"resourceSubscriptions":["x:///a"]}"#;
    talk.put(listen("1", filter));
    // Before the request is read nobody listens, so nothing goes before the acknowledgement.
    live.resource_updated("x:///a");
    talk.pair.run();
    live.resource_updated("x:///a");
    talk.pair.run();
    talk.hears(&[
        acknowledged(filter, "1"),
        tagged("resources/updated", r#""uri":"x:///a","#, "1"),
    ]);
}

#[test]
fn a_legacy_client_is_told_of_the_resources_it_subscribed_to() {
    let (server, live) = server();
    let mut talk = Talk::session(server, V2025_11);
    let uri = |uri: &str| format!(r#""uri":"{uri}""#);
    live.resource_updated("x:///a");
    talk.pair.run();
    talk.is_silent();
    talk.say(request(1, "resources/subscribe", &uri("x:///a")))
        .hears(&[result(1, "")]);
    // Twice is once.
    talk.say(request(2, "resources/subscribe", &uri("x:///a")))
        .hears(&[result(2, "")]);
    live.resource_updated("x:///a");
    live.resource_updated("x:///b");
    talk.pair.run();
    talk.hears(&[updated("x:///a")]);
    talk.say(request(3, "resources/unsubscribe", &uri("x:///a")))
        .hears(&[result(3, "")]);
    talk.say(request(4, "resources/unsubscribe", &uri("x:///a")))
        .hears(&[result(4, "")]);
    live.resource_updated("x:///a");
    talk.pair.run();
    talk.is_silent();
    talk.say(modern(5, "resources/subscribe", &uri("x:///a")))
        .hears(&[error(5, -32601, "no such method")]);
}

const SPELLINGS: [&str; 4] = [
    "x://h/caf\u{e9}",
    "X://H/caf%c3%a9",
    "x://H/c%61f%C3%A9",
    "x://h/caf%C3%A9",
];

#[test]
fn a_legacy_client_is_told_in_its_own_spelling_whatever_that_is() {
    for told in SPELLINGS {
        for spelled in SPELLINGS {
            let (server, live) = server();
            let mut talk = Talk::session(server, V2025_11);
            let uri = format!(r#""uri":"{spelled}""#);
            talk.say(request(1, "resources/subscribe", &uri))
                .hears(&[result(1, "")]);
            live.resource_updated(told);
            live.resource_updated("x://h/CAF%C3%A9");
            talk.pair.run();
            talk.hears(&[updated(spelled)]);
        }
    }
}

#[test]
fn a_resource_is_one_however_often_it_is_spelled() {
    let (server, live) = server();
    let mut talk = Talk::session(server, V2025_11);
    for (id, spelled) in (1..).zip(SPELLINGS) {
        let uri = format!(r#""uri":"{spelled}""#);
        talk.say(request(id, "resources/subscribe", &uri))
            .hears(&[result(id, "")]);
    }
    for told in SPELLINGS {
        live.resource_updated(told);
    }
    talk.pair.run();
    talk.hears(&[updated(SPELLINGS[3])]);
    let uri = format!(r#""uri":"{}""#, SPELLINGS[0]);
    talk.say(request(9, "resources/unsubscribe", &uri))
        .hears(&[result(9, "")]);
    live.resource_updated(SPELLINGS[3]);
    talk.pair.run();
    talk.is_silent();
}

#[test]
fn a_listener_is_told_in_its_own_spelling() {
    let (server, live) = server();
    let mut talk = Talk::new(server);
    let [first, second, ..] = SPELLINGS;
    let both = format!(r#"{{"resourceSubscriptions":["{first}","{second}","x:///a"]}}"#);
    let kept = format!(r#"{{"resourceSubscriptions":["{first}","x:///a"]}}"#);
    talk.say(listen("1", &both))
        .hears(&[acknowledged(&kept, "1")]);
    let other = format!(r#"{{"resourceSubscriptions":["{second}"]}}"#);
    talk.say(listen("2", &other))
        .hears(&[acknowledged(&other, "2")]);
    live.resource_updated(SPELLINGS[2]);
    talk.pair.run();
    let told = |uri: &str, id| tagged("resources/updated", &format!(r#""uri":"{uri}","#), id);
    talk.hears(&[told(first, "1"), told(second, "2")]);
}

#[test]
fn nobody_is_told_of_what_is_hidden_in_another_spelling() {
    let (server, live) = server();
    let server = server
        .raw_resource(resource("Secret://Vault/{id}"))
        .show_if(|what, _| match what {
            Shown::Resource(uri) => uri != "x:///a",
            Shown::ResourceTemplate(_) => false,
            _ => true,
        });
    let mut talk = Talk::session(server, V2025_11);
    for (id, uri) in [(1, "x:///%61"), (2, "x:///b"), (3, "secret://vault/1")] {
        talk.say(request(
            id,
            "resources/subscribe",
            &format!(r#""uri":"{uri}""#),
        ));
        assert_eq!(talk.heard().len(), 1);
    }
    for uri in ["x:///%61", "X:///b", "secret://VAULT/1"] {
        live.resource_updated(uri);
    }
    talk.pair.run();
    talk.hears(&[updated("x:///b")]);
}

#[test]
fn a_peer_that_reads_slowly_is_told_once_of_several_changes() {
    let (server, live) = server();
    let server = server.tool::<echo>();
    let mut talk = Talk::over(Pair::new(server).with_capacity(1 << 16)).opened(V2025_11);
    talk.say(request(1, "resources/subscribe", r#""uri":"x:///a""#))
        .heard();
    talk.pair.stop_reading();
    let text = "x".repeat(1 << 21);
    talk.pair
        .send(crate::talk::call(
            2,
            "echo",
            &format!(r#"{{"text":"{text}"}}"#),
        ))
        .run();
    for _ in 0..1000 {
        live.resource_updated("x:///a");
        live.disable_prompt("p");
        live.enable_prompt("p");
        talk.pair.run();
    }
    talk.pair.resume_reading().run();
    let heard = talk.pair.take_sent();
    assert_eq!(heard.len(), 3, "{:?}", heard.len());
    assert_eq!(
        heard[1..],
        [notification("prompts/list_changed"), updated("x:///a")]
    );
}

#[test]
fn what_a_connection_may_watch_is_bounded() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let uris: Vec<_> = (0..3000).map(|n| format!("x:///{n}")).collect();
    let filter = json!({ "resourceSubscriptions": uris }).to_string();
    talk.say(listen("1", &filter));
    assert_eq!(talk.heard().len(), 1);
    talk.say(listen("2", &filter)).hears(&[error(
        2,
        -32600,
        "this connection watches as many resources as it may",
    )]);
    talk.say(crate::talk::cancel("1")).is_silent();
    talk.say(listen("3", &filter));
    assert!(talk.heard()[0].contains("acknowledged"));
}

#[test]
fn prompts_and_resources_come_later_only_where_the_server_said_so() {
    let server = Server::new("s", "1").tool::<add>().expect_prompts();
    let live = server.live();
    let built = server.build().unwrap();
    assert_eq!(
        live.add_resource_definition(resource("x:///a")),
        Err(BuildError::NotDeclared("resources"))
    );
    live.add_prompt_definition(prompt("p")).unwrap();
    drop(built);
}

/// S41, S48
#[test]
fn who_may_not_see_a_thing_finds_nothing_there() {
    let (server, live) = server();
    let (secret, open) = (resource("secret:///{id}"), resource("open:///{id}"));
    let server = (server
        .raw_resource(secret)
        .raw_resource(open)
        .tool::<echo>())
    .show_if(|what, principal| {
        let is_ann = principal.is_some_and(|who| who.id() == "ann");
        match what {
            Shown::Tool(name) => is_ann || name != "echo",
            Shown::Prompt(_) => is_ann,
            Shown::Resource(uri) => is_ann || !["x:///b", "open:///2"].contains(&uri),
            Shown::ResourceTemplate(template) => is_ann || !template.starts_with("secret"),
            _ => false,
        }
    });
    let server = server.build().unwrap();
    let ann = server.for_principal(Principal::new("ann"));
    let bob = server.for_principal(Principal::new("bob"));
    let counts = |talk: &mut Talk| {
        ["tools", "prompts", "resources", "resources/templates"].map(|list| {
            let page = talk.say(modern(1, &format!("{list}/list"), "")).result();
            let member = if list.ends_with("templates") {
                "resourceTemplates"
            } else {
                list
            };
            page[member].as_array().unwrap().len()
        })
    };
    assert_eq!(counts(&mut Talk::connect(&ann)), [2, 1, 2, 2]);
    // The page of one is not kept for the other.
    let mut talk = Talk::connect(&bob);
    assert_eq!(counts(&mut talk), [1, 0, 1, 1]);
    talk.say(modern_call(1, "echo", r#"{"text":"x"}"#))
        .hears(&[error(1, -32602, "there is no tool `echo`")]);
    talk.say(modern(1, "prompts/get", r#""name":"p""#))
        .hears(&[error(1, -32602, "there is no prompt `p`")]);
    // Another spelling is not another resource.
    for uri in [
        "x:///b",
        "x:///%62",
        "secret:///1",
        "secret:///%31",
        "open:///2",
        "open:///%32",
    ] {
        talk.say(modern(1, "resources/read", &format!(r#""uri":"{uri}""#)));
        assert!(talk.heard()[0].contains("resource not found"));
    }
    talk.say(listen(
        "9",
        r#"{"resourceSubscriptions":["x:///a","x:///b"]}"#,
    ))
    .heard();
    live.resource_updated("x:///a");
    live.resource_updated("x:///b");
    talk.pair.run();
    talk.hears(&[tagged("resources/updated", r#""uri":"x:///a","#, "9")]);
}

#[test]
fn prompts_and_resources_of_a_mounted_server_come_along() {
    let (inner, live) = server();
    let outer = Server::new("outer", "1").mount("in", inner);
    let outer = outer.raw_prompt(prompt("p")).build().unwrap();
    let mut talk = Talk::connect(&outer).opened(V2025_11);
    let list = talk.say(request(1, "prompts/list", "")).result();
    assert_eq!(
        (&list["prompts"][0]["name"], &list["prompts"][1]["name"]),
        (&json!("in_p"), &json!("p"))
    );
    talk.say(request(2, "resources/read", r#""uri":"x:///a""#));
    assert!(talk.heard()[0].contains(r#""text":"r""#));
    live.add_resource_definition(resource("x:///late")).unwrap();
    talk.pair.run();
    talk.hears(&[notification("resources/list_changed")]);
    talk.say(request(3, "resources/subscribe", r#""uri":"x:///late""#))
        .heard();
    live.resource_updated("x:///late");
    talk.pair.run();
    talk.hears(&[updated("x:///late")]);
    let (one, _) = server();
    let (other, _) = server();
    let clash = Server::new("s", "1")
        .mount("a", one)
        .mount("b", other)
        .build();
    assert_eq!(clash.unwrap_err(), BuildError::TwiceAt("x:///a".to_owned()));
}

/// S33, S26-08
#[test]
fn a_server_that_stops_ends_its_listeners_with_a_result() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    talk.say(listen("1", r#"{"resourceSubscriptions":["x:///a"]}"#))
        .heard();
    talk.pair.shut_down().run();
    let heard = talk.heard();
    assert!(heard[0].contains("notifications/cancelled"));
    assert!(heard[1].contains(
        r#""result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1,"#
    ));
}

/// Nothing that a reply holds changes what was asked of.
#[test]
fn an_unused_reply_is_no_resource() {
    let odd = ResourceDefinition::new("x:///odd", "odd", |_: Invocation| {
        Step::Done(Reply::from_messages(Vec::new()))
    });
    let mut talk = Talk::new(Server::new("s", "1").raw_resource(odd));
    talk.say(modern(1, "resources/read", r#""uri":"x:///odd""#))
        .hears(&[error(1, -32603, "the resource failed")]);
}

/// Lets nobody near one resource.
struct Keeper;

impl Layer for Keeper {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        if ["x:///b", "open:///2"].contains(&call.name()) {
            let no = ErrorObject::new(ErrorCode::new(-1), "no");
            return LayerReply::Error(no);
        }
        next.run(call).await
    }
}

#[test]
fn a_layer_sees_one_spelling_of_a_uri() {
    let server = Server::new("s", "1")
        .layer(Keeper)
        .raw_resource(resource("x:///b"))
        .raw_resource(resource("open:///{id}"));
    let mut talk = Talk::new(server);
    for uri in ["x:///b", "x:///%62", "open:///2", "open:///%32"] {
        talk.say(modern(1, "resources/read", &format!(r#""uri":"{uri}""#)));
        let heard = talk.heard();
        assert!(heard[0].contains("\"code\":-1"), "{uri}: {heard:?}");
    }
}

#[test]
fn what_the_filter_panics_about_is_not_shown_and_the_connection_goes_on() {
    let server = (Server::new("s", "1").tool::<add>().tool::<echo>())
        .show_if(|what, _| what != Shown::Tool("add") || panic!("it can't decide"));
    let mut talk = Talk::new(server);
    let listed = talk.say(modern(1, "tools/list", "")).result();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1, "{listed}");
    talk.say(modern_call(2, "add", r#"{"a":1,"b":2}"#))
        .hears(&[error(2, -32602, "there is no tool `add`")]);
}
