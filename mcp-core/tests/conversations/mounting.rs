//! Putting servers together, and what is refused when they are built.

use std::sync::{Arc, Mutex};

use mcp_core::{
    BuildError, Flow, Invocation, Layer, LayerCall, LayerReply, Next, Reply, Server, Step,
    ToolAnnotations, ToolDefinition, tool,
};
use serde_json::json;

use crate::talk::{Talk, initialize, modern, modern_call, modern_text};
use crate::tools::{add, help};

/// The name of a kitchen.
struct Kitchen(&'static str);

/// Says which kitchen it is in.
#[tool]
fn kitchen(kitchen: &Kitchen) -> &'static str {
    kitchen.0
}

/// Says so as well.
#[tool]
fn pantry(kitchen: &Kitchen) -> String {
    format!("the pantry of {}", kitchen.0)
}

struct Notes(&'static str, Arc<Mutex<Vec<&'static str>>>);

impl Layer for Notes {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        self.1.lock().unwrap().push(self.0);
        next.run(call).await
    }
}

fn built(server: Server) -> Result<(), BuildError> {
    server.build().map(drop)
}

fn plain(name: &str) -> ToolDefinition {
    ToolDefinition::new(name.to_owned(), |_: Invocation| {
        Step::Done(Reply::text("ok"))
    })
}

#[test]
fn two_values_of_one_type_are_not_lent_by_one_server() {
    let server = || {
        Server::new("s", "1")
            .lend(Kitchen("one"))
            .lend(7_u8)
            .lend(Kitchen("two"))
            .lend(8_u8)
    };
    let error = built(server()).unwrap_err();
    assert!(matches!(error, BuildError::LentTwice(name) if name.ends_with("::Kitchen")));
    assert!(error.to_string().contains("::Kitchen`"), "{error}");
    let outer = Server::new("s", "1").lend(Kitchen("outer"));
    assert_eq!(built(outer.mount("in", server())), Err(error));
}

#[test]
fn mounted_tools_have_a_prefix_and_keep_what_they_were_lent() {
    let inner = Server::new("inner", "1")
        .lend(Kitchen("inner"))
        .tool::<kitchen>();
    let other = Server::new("other", "1")
        .lend(Kitchen("other"))
        .tool::<kitchen>();
    let server = Server::new("s", "1")
        .lend(Kitchen("outer"))
        .tool::<kitchen>()
        .mount("in", inner)
        .mount("other", other);
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "kitchen", "{}"))
        .hears(&[modern_text(1, "outer")]);
    talk.say(modern_call(2, "in_kitchen", "{}"))
        .hears(&[modern_text(2, "inner")]);
    talk.say(modern_call(3, "other_kitchen", "{}"))
        .hears(&[modern_text(3, "other")]);
}

#[test]
fn what_the_outer_server_lends_is_not_lent_to_mounted_tools() {
    let inner = Server::new("inner", "1").tool::<kitchen>();
    let server = Server::new("s", "1")
        .lend(Kitchen("outer"))
        .mount("in", inner);
    let error = built(server).unwrap_err();
    assert!(
        matches!(&error, BuildError::NotLent { to, wanted } if to == "tool `in_kitchen`" && wanted.ends_with("Kitchen")),
        "{error}"
    );
    let told = error.to_string();
    assert!(told.contains("from its own server only"), "{told}");
}

#[test]
fn an_empty_prefix_leaves_names_as_they_are() {
    let inner = || Server::new("inner", "1").tool::<help>();
    let mounted = inner();
    let live = mounted.live();
    let mut talk = Talk::new(Server::new("s", "1").mount("", mounted));
    talk.say(modern_call(1, "help", "{}"))
        .hears(&[modern_text(1, "help")]);
    assert!(
        live.remove("help"),
        "its own server finds it by that name, too"
    );
    let clash = Server::new("s", "1").tool::<help>().mount("", inner());
    assert_eq!(built(clash), Err(BuildError::Twice("help".into())));
}

#[test]
fn a_server_that_hides_something_is_not_mounted_without_its_rule() {
    let hiding = || {
        Server::new("inner", "1")
            .tool::<help>()
            .show_if(|_, _| false)
    };
    let refused = BuildError::MountedShowIf("in".into());
    assert_eq!(
        built(Server::new("s", "1").mount("in", hiding())),
        Err(refused.clone())
    );
    let middle = Server::new("middle", "1").mount("in", hiding());
    let outer = Server::new("s", "1").show_if(|_, _| true);
    assert_eq!(built(outer.mount("out", middle)), Err(refused.clone()));
    let told = refused.to_string();
    assert!(
        told.contains("`in`") && told.contains("`show_if`"),
        "{told}"
    );
}

#[test]
fn layers_of_mounted_servers_come_after_those_outside() {
    let notes = Arc::default();
    let layer = |name| Notes(name, Arc::clone(&notes));
    let innermost = Server::new("c", "1").layer(layer("c")).tool::<help>();
    let inner = Server::new("b", "1")
        .mount("c", innermost)
        .layer(layer("b"));
    let server = Server::new("s", "1")
        .mount("b", inner)
        .layer(layer("a"))
        .tool::<add>();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "b_c_help", "{}"))
        .hears(&[modern_text(1, "help")]);
    assert_eq!(*notes.lock().unwrap(), ["a", "b", "c"]);
    talk.say(modern_call(2, "add", r#"{"a":1,"b":2}"#))
        .hears(&[modern_text(2, "3")]);
    assert_eq!(*notes.lock().unwrap(), ["a", "b", "c", "a"]);
}

#[test]
fn the_live_handle_of_a_mounted_server_changes_its_tools_where_they_went() {
    let notes = Arc::default();
    let inner = Server::new("inner", "1")
        .lend(Kitchen("inner"))
        .layer(Notes("inner", Arc::clone(&notes)))
        .tool::<kitchen>();
    let live = inner.live();
    let outer = Server::new("outer", "1").mount("in", inner);
    let mut talk = Talk::new(Server::new("s", "1").lend(Kitchen("s")).mount("out", outer));
    talk.say(modern_call(1, "out_in_kitchen", "{}"))
        .hears(&[modern_text(1, "inner")]);
    // What is added later has what the mounted server gives its tools.
    live.add::<pantry>().unwrap();
    talk.pair.run();
    talk.say(modern_call(2, "out_in_pantry", "{}"))
        .hears(&[modern_text(2, "the pantry of inner")]);
    assert_eq!(*notes.lock().unwrap(), ["inner", "inner"]);
    assert_eq!(
        live.add::<pantry>(),
        Err(BuildError::Twice("out_in_pantry".into()))
    );
    assert!(live.disable("pantry") && live.remove("kitchen"));
    talk.pair.run();
    talk.say(modern(3, "tools/list", ""));
    assert_eq!(talk.result()["tools"], json!([]));
}

#[test]
fn a_mounted_server_whose_tools_come_later_makes_the_outer_one_declare_tools() {
    let inner = Server::new("inner", "1");
    let live = inner.live();
    let mut talk = Talk::new(Server::new("s", "1").mount("in", inner));
    talk.say(initialize("a", "2025-11-25"));
    assert_eq!(talk.result()["capabilities"]["tools"]["listChanged"], true);
    live.add::<help>().unwrap();
    talk.pair.run();
    talk.say(modern_call(1, "in_help", "{}"))
        .hears(&[modern_text(1, "help")]);
}

#[test]
fn names_that_clash_are_found_when_the_server_is_built() {
    let clash = Server::new("s", "1").tool::<help>().raw_tool(plain("help"));
    assert_eq!(built(clash), Err(BuildError::Twice("help".into())));
    let inner = Server::new("inner", "1").raw_tool(plain("b_help"));
    let other = Server::new("other", "1").tool::<help>();
    let clash = Server::new("s", "1").mount("a", inner).mount("a_b", other);
    assert_eq!(built(clash), Err(BuildError::Twice("a_b_help".into())));
}

#[test]
fn names_are_one_to_64_of_the_allowed_characters() {
    let with_name = |name: &str| built(Server::new("s", "1").raw_tool(plain(name)));
    let longest = "n".repeat(64);
    assert_eq!(with_name(&longest), Ok(()));
    assert_eq!(with_name("A-Z_a.z-09"), Ok(()));
    let too_long = "n".repeat(65);
    for name in [too_long.as_str(), "", "a b", "a/b", "é"] {
        assert_eq!(with_name(name), Err(BuildError::Name(name.into())));
    }
    // A prefix may make a name too long.
    let inner = Server::new("inner", "1").raw_tool(plain(&longest));
    let outer = built(Server::new("s", "1").mount("p", inner));
    assert_eq!(outer, Err(BuildError::Name(format!("p_{longest}"))));
}

#[test]
fn a_value_that_is_not_lent_is_found_when_the_server_is_built_or_the_tool_added() {
    let error = built(Server::new("s", "1").tool::<kitchen>()).unwrap_err();
    assert!(matches!(&error, BuildError::NotLent { to, .. } if to == "tool `kitchen`"));
    assert!(error.to_string().contains("Server::lend"), "{error}");
    let server = Server::new("s", "1").tool::<add>();
    let live = server.live();
    let mut talk = Talk::new(server);
    assert!(matches!(
        live.add::<kitchen>(),
        Err(BuildError::NotLent { .. })
    ));
    // The tool that was refused is not there, and nothing else has changed.
    talk.say(modern(1, "tools/list", ""));
    let tools = talk.result()["tools"].take();
    assert_eq!(tools.as_array().unwrap().len(), 1);
}

#[test]
fn flows_that_contradict_themselves_or_the_annotations_are_refused() {
    let read_only = ToolAnnotations::new().with_read_only_hint(true);
    let closed = ToolAnnotations::new().with_open_world_hint(false);
    let none = ToolAnnotations::new();
    let cases: [(&[Flow], &ToolAnnotations, bool); 8] = [
        (&[Flow::LocalOnly], &read_only, true),
        (&[Flow::LocalOnly, Flow::NetworkOut], &none, false),
        (&[Flow::FilesystemWrite], &read_only, false),
        (&[Flow::FilesystemRead], &read_only, true),
        (&[Flow::NetworkOut], &closed, false),
        (&[Flow::ThirdParty], &closed, false),
        (&[Flow::FilesystemWrite], &closed, true),
        (&[Flow::NetworkOut, Flow::ThirdParty], &none, true),
    ];
    for (flow, annotations, fine) in cases {
        let tool = plain("t")
            .with_flow(flow)
            .with_annotations(annotations.clone());
        let outcome = built(Server::new("s", "1").raw_tool(tool));
        assert_eq!(outcome.is_ok(), fine, "{flow:?} {annotations:?}");
        if let Err(error) = outcome {
            assert!(matches!(error, BuildError::Flow { .. }), "{error}");
        }
    }
}

#[test]
fn flows_are_shown_under_the_key_of_the_server_and_in_descriptions_on_request() {
    let tool = || {
        plain("t")
            .with_description("Does it.")
            .with_flow(&[Flow::FilesystemRead, Flow::NetworkOut])
    };
    let listed = |server: Server| {
        let mut talk = Talk::new(server);
        talk.say(modern(1, "tools/list", ""));
        talk.result()["tools"][0].take()
    };
    let flows = json!(["filesystem-read", "network-out"]);
    let shown = listed(Server::new("s", "1").raw_tool(tool()));
    assert_eq!(shown["_meta"], json!({"dataFlow": flows}));
    assert_eq!(shown["description"], "Does it.");
    let server = Server::new("s", "1")
        .flow_key("org/flow")
        .flow_in_description(true);
    let shown = listed(server.raw_tool(tool()));
    assert_eq!(shown["_meta"], json!({"org/flow": flows}));
    assert_eq!(
        shown["description"],
        "Does it.\n\nData flow: filesystem-read, network-out."
    );
}
