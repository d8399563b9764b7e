//! Lists of tools: pages, cursors, and changes while the server serves.

use mcp_core::protocol::{CacheScope, ProtocolVersion};
use mcp_core::{BuildError, Live, Server, Step, ToolDefinition};
use serde_json::Value;
use std::time::Duration;

use crate::talk::{
    Talk, call, cancel, error, modern, modern_call, modern_text, request, result, text,
};
use crate::tools::{add, adder, help, server};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

fn named(name: impl Into<String>) -> ToolDefinition {
    ToolDefinition::new(name.into(), |_: mcp_core::Invocation| {
        Step::Done(mcp_core::Reply::text("ok"))
    })
}

/// A server of so many tools, three on a page.
fn paged(tools: u32) -> (Server, Live) {
    let server = Server::new("s", "1").page_size(3);
    let live = server.live();
    let server = (0..tools).fold(server, |server, n| server.raw_tool(named(format!("t{n}"))));
    (server, live)
}

/// The names on a page, and the cursor of the next.
fn page(talk: &mut Talk, cursor: Option<&str>) -> (Vec<String>, Option<String>) {
    let cursor = cursor.map_or_else(String::new, |cursor| format!(r#""cursor":"{cursor}""#));
    talk.say(modern(1, "tools/list", &cursor));
    let result = talk.result();
    let names = result["tools"].as_array().unwrap().iter();
    let names = names
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    (names, result["nextCursor"].as_str().map(str::to_owned))
}

/// S49, RSC-08
#[test]
fn pages_come_in_order_of_registration_and_end() {
    let (server, _) = paged(7);
    let mut talk = Talk::new(server);
    let (first, cursor) = page(&mut talk, None);
    let (second, next) = page(&mut talk, cursor.as_deref());
    let (third, end) = page(&mut talk, next.as_deref());
    assert_eq!(
        [first, second, third].concat(),
        ["t0", "t1", "t2", "t3", "t4", "t5", "t6"]
    );
    assert_eq!(end, None);
    // A page may be asked for again.
    assert_eq!(page(&mut talk, cursor.as_deref()).0, ["t3", "t4", "t5"]);
}

/// RSC-08
#[test]
fn a_last_page_that_is_full_names_no_next() {
    let (server, _) = paged(3);
    assert_eq!(page(&mut Talk::new(server), None).1, None);
}

/// S49, RSC-08
#[test]
fn cursors_stay_good_while_tools_come_and_go() {
    let (server, live) = paged(7);
    let mut talk = Talk::new(server);
    let cursor = page(&mut talk, None).1;
    // The tool that the cursor names, one before, and one after.
    assert!(live.remove("t2") && live.remove("t0") && live.remove("t4"));
    live.add_definition(named("late")).unwrap();
    talk.pair.run();
    let (second, next) = page(&mut talk, cursor.as_deref());
    assert_eq!(second, ["t3", "t5", "t6"]);
    assert_eq!(
        page(&mut talk, next.as_deref()),
        (vec!["late".to_owned()], None)
    );
}

/// S49, RSC-08
#[test]
fn an_unknown_cursor_is_refused() {
    let (server, _) = paged(4);
    let mut talk = Talk::session(server, V2025_11);
    for cursor in ["", "x", "AAAA", "%%%", "AAAAAAAAAAAAAAA"] {
        talk.say(request(1, "tools/list", &format!(r#""cursor":"{cursor}""#)))
            .hears(&[error(1, -32602, "no such cursor")]);
    }
    talk.say(request(2, "tools/list", r#""cursor":7"#))
        .hears(&[error(2, -32602, "`cursor` must be a string")]);
    talk.say(request(3, "tools/list", r#""cursor":null"#));
    assert_eq!(talk.result()["tools"].as_array().unwrap().len(), 3);
}

/// SCH-17, S44
#[test]
fn lists_are_the_same_bytes_each_time() {
    let list = || {
        let (server, ..) = server();
        let mut talk = Talk::new(server);
        talk.say(modern(1, "tools/list", ""))
            .say(request(2, "tools/list", ""));
        talk.heard()
    };
    let first = list();
    for _ in 0..20 {
        assert_eq!(list(), first);
    }
}

#[test]
fn lists_say_how_long_they_may_be_kept_in_2026_07_28_only() {
    let tool = r#""tools":[{"name":"add","description":"Adds two integers.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}}]"#;
    let server = || adder().cache(Duration::from_secs(60), CacheScope::Public);
    Talk::new(server())
        .say(modern(1, "tools/list", ""))
        .hears(&[crate::talk::modern_result(
            1,
            &format!(r#"{tool},"ttlMs":60000,"cacheScope":"public""#),
        )]);
    Talk::session(server(), V2025_11)
        .say(request(1, "tools/list", ""))
        .hears(&[result(1, tool)]);
}

fn live_server() -> (Server, Live) {
    let server = adder();
    let live = server.live();
    (server, live)
}

#[test]
fn a_session_is_told_unasked_when_tools_change_once_it_is_ready() {
    let (server, live) = live_server();
    let mut talk = Talk::new(server);
    live.add::<help>().unwrap();
    talk.pair.run();
    talk.is_silent();
    let mut talk = talk.opened(V2025_11);
    talk.say(call(1, "help", "{}")).hears(&[text(1, "help")]);
    for change in [
        (|live| live.remove("help")) as fn(&Live) -> bool,
        |live| live.disable("add"),
        |live| live.enable("add"),
        |live| live.add::<help>().is_ok(),
    ] {
        assert!(change(&live));
        talk.pair.run();
        talk.hears(&[CHANGED]);
    }
    // What changes nothing is not told, and changes that come fast are told as one.
    assert!(live.enable("add") && !live.remove("no_such") && !live.disable("no_such"));
    assert_eq!(live.add::<help>(), Err(BuildError::Twice("help".into())));
    talk.pair.run();
    talk.is_silent();
    assert!(live.remove("help") && live.add::<help>().is_ok());
    talk.pair.run();
    talk.hears(&[CHANGED]);
}

/// ARG-02
#[test]
fn a_tool_removed_or_disabled_a_moment_ago_is_unknown() {
    let (server, live) = live_server();
    let mut talk = Talk::session(server, V2025_11);
    let unknown = error(1, -32602, "there is no tool `add`");
    live.disable("add");
    talk.say(call(1, "add", r#"{"a":1,"b":2}"#));
    assert!(talk.heard().contains(&unknown));
    live.enable("add");
    talk.say(call(1, "add", r#"{"a":1,"b":2}"#));
    assert!(talk.heard().contains(&text(1, "3")));
    live.remove("add");
    talk.say(call(1, "add", r#"{"a":1,"b":2}"#));
    assert!(talk.heard().contains(&unknown));
}

#[test]
fn a_tool_that_is_enabled_again_is_in_its_old_place() {
    let (server, live) = paged(3);
    let mut talk = Talk::new(server);
    live.disable("t1");
    live.add_definition(named("last")).unwrap();
    talk.pair.run();
    assert_eq!(page(&mut talk, None).0, ["t0", "t2", "last"]);
    live.enable("t1");
    talk.pair.run();
    assert_eq!(page(&mut talk, None).0, ["t0", "t1", "t2"]);
}

#[test]
fn a_call_that_runs_is_not_touched_by_the_removal_of_its_tool() {
    let (server, gate, _) = server();
    let live = server.live();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "wait", "{}"));
    live.remove("wait");
    talk.pair.run();
    gate.open();
    talk.pair.run();
    talk.hears(&[modern_text(1, "waited")]);
}

fn listen(id: &str, filter: &str) -> String {
    modern(
        id,
        "subscriptions/listen",
        &format!(r#""notifications":{filter}"#),
    )
}

fn acknowledged(id: &str, filter: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"notifications":{filter},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

fn changed_for(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

#[test]
fn a_modern_client_is_told_by_the_subscriptions_it_has() {
    let (server, live) = live_server();
    let mut talk = Talk::new(server);
    talk.say(modern_call(1, "add", r#"{"a":1,"b":2}"#))
        .hears(&[modern_text(1, "3")]);
    live.add::<help>().unwrap();
    talk.pair.run();
    talk.is_silent();
    for (id, wanted, honoured) in [
        (
            "7",
            r#"{"toolsListChanged":true}"#,
            r#"{"toolsListChanged":true}"#,
        ),
        (
            r#""7""#,
            r#"{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a:b"]}"#,
            r#"{"toolsListChanged":true}"#,
        ),
        ("8", r#"{"toolsListChanged":false}"#, "{}"),
        ("9", "{}", "{}"),
    ] {
        talk.say(listen(id, wanted))
            .hears(&[acknowledged(id, honoured)]);
    }
    live.remove("help");
    talk.pair.run();
    talk.hears(&[changed_for("7"), changed_for(r#""7""#)]);
    talk.say(cancel(7)).is_silent();
    live.add::<help>().unwrap();
    talk.pair.run();
    talk.hears(&[changed_for(r#""7""#)]);
}

#[test]
fn subscriptions_end_with_a_cancellation_and_a_result_when_the_server_ends_them() {
    for shuts_down in [false, true] {
        let mut talk = Talk::new(adder());
        talk.say(listen(r#""s""#, r#"{"toolsListChanged":true}"#));
        assert_eq!(talk.heard().len(), 1);
        if shuts_down {
            talk.pair.shut_down().run();
        } else {
            talk.pair.end_input().run();
        }
        talk.hears(&[
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s","_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}"#,
            r#"{"jsonrpc":"2.0","id":"s","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"s","io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
        ]);
        assert!(talk.pair.closed().is_some());
    }
}

#[test]
fn both_eras_are_told_on_one_connection_each_in_its_own_way() {
    let (server, live) = live_server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(listen("1", r#"{"toolsListChanged":true}"#));
    assert_eq!(talk.heard().len(), 1);
    live.remove("add");
    talk.pair.run();
    talk.hears(&[CHANGED.to_owned(), changed_for("1")]);
}

#[test]
fn a_filter_that_is_no_object_is_refused() {
    let mut talk = Talk::new(adder());
    let why = "`notifications` must be an object";
    for params in [
        "",
        r#""notifications":7"#,
        r#""notifications":[]"#,
        r#""notifications":null"#,
    ] {
        talk.say(modern(1, "subscriptions/listen", params))
            .hears(&[error(1, -32602, why)]);
    }
}

#[test]
fn a_connection_has_a_bounded_number_of_subscriptions() {
    let mut talk = Talk::new(adder());
    for id in 0..64 {
        talk.say(listen(&id.to_string(), "{}"));
    }
    assert_eq!(talk.heard().len(), 64);
    let full = "this connection has as many subscriptions as it may";
    talk.say(listen("64", "{}"))
        .hears(&[error(64, -32600, full)]);
    talk.say(cancel(3))
        .say(listen("65", "{}"))
        .hears(&[acknowledged("65", "{}")]);
}

#[test]
fn every_connection_of_a_server_is_told() {
    let (server, live) = live_server();
    let built = server.build().unwrap();
    let mut talks = [0, 1].map(|_| Talk::connect(&built).opened(V2025_11));
    live.remove("add");
    for talk in &mut talks {
        talk.pair.run();
        talk.hears(&[CHANGED]);
    }
}

#[test]
fn a_server_of_live_tools_only_declares_tools() {
    let server = Server::new("s", "1");
    let live = server.live();
    let mut talk = Talk::new(server);
    talk.say(crate::talk::initialize("a", "2025-11-25"));
    assert_eq!(
        talk.result()["capabilities"]["tools"]["listChanged"],
        Value::Bool(true)
    );
    live.add::<add>().unwrap();
    talk.say(call(1, "add", r#"{"a":1,"b":2}"#))
        .hears(&[text(1, "3")]);
}
