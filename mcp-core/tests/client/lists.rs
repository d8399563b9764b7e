//! Lists, page by page and whole, and how long they are kept.

use std::sync::Arc;

use mcp_core::ClientError;
use mcp_core::client::{ClientErrorKind, Events};
use mcp_core::protocol::Tool;
use mcp_core::testing::Started;

use crate::talk::{OFFERS, SECOND, Talk, builder, error, kind, modern_request, words};

const CHANGES: &str = r#"{"tools":{"listChanged":true},"prompts":{}}"#;
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

fn tool(name: &str) -> String {
    format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#)
}

fn page(tools: &[&str], more: &str) -> String {
    let tools: Vec<_> = tools.iter().map(|name| tool(name)).collect();
    format!(
        r#"{{"resultType":"complete","tools":[{}]{more}}}"#,
        tools.join(",")
    )
}

fn cursor(id: u64, cursor: &str) -> String {
    modern_request(id, "tools/list", &format!(r#""cursor":"{cursor}""#), "")
}

type Listing = Started<Result<Arc<[Tool]>, ClientError>>;

fn list(talk: &Talk) -> Listing {
    talk.start(|c| async move { c.list_all_tools().await })
}

fn names(listing: &Listing) -> Vec<String> {
    let tools = listing.take().expect("it is over").unwrap();
    tools.iter().map(|tool| tool.name.clone()).collect()
}

/// C30, C31: cursors are opaque, and the empty string is one in 2026-07-28.
#[test]
fn pages_are_followed_to_the_end() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server
        .assert_sent(&[&modern_request(2, "tools/list", "", "")]);
    talk.answer(&page(&["a"], r#","nextCursor":"x\u0000é""#));
    talk.server.assert_sent(&[&cursor(3, "x\\u0000é")]);
    talk.answer(&page(&[], r#","nextCursor":"""#));
    talk.server.assert_sent(&[&cursor(4, "")]);
    talk.answer(&page(&["b", "a"], r#","nextCursor":null"#));
    talk.server.assert_sent(&[]);
    assert_eq!(names(&listing), ["a", "b", "a"]);
}

/// Before, servers that can't leave a text out say so that there is no more.
#[test]
fn an_empty_cursor_ends_the_list_in_older_revisions() {
    let mut talk = Talk::legacy();
    let listing = list(&talk);
    drop(talk.server.run().take_sent());
    talk.answer(&page(&["a"], r#","nextCursor":"""#));
    talk.server.assert_sent(&[]);
    assert_eq!(names(&listing), ["a"]);
}

#[test]
fn one_page_is_what_it_says() {
    let mut talk = Talk::modern();
    let listed = talk.start(|c| async move { c.list_tools(Some(&"c".into())).await });
    talk.server.assert_sent(&[&cursor(2, "c")]);
    talk.answer(&page(
        &["a"],
        r#","nextCursor":"d","ttlMs":1500,"cacheScope":"PUBLIC""#,
    ));
    let page = listed.take().unwrap().unwrap();
    assert_eq!(
        (page.items.len(), page.next_cursor, page.ttl),
        (1, Some("d".into()), Some(SECOND * 3 / 2))
    );
}

/// RSC-06.
#[test]
fn a_list_that_does_not_end_is_an_error() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    for _ in 0..2 {
        talk.server.run();
        talk.answer(&page(&["a"], r#","nextCursor":"x""#));
    }
    assert_eq!(
        words(listing.take()),
        "s: `tools/list`: the answer can't be read: the list does not end: the same page comes again"
    );
    let listing = list(&talk);
    for turn in 0..1_000 {
        talk.server.run();
        talk.answer(&page(&["a"], &format!(r#","nextCursor":"{turn}""#)));
    }
    talk.server.run();
    assert!(words(listing.take()).ends_with("it has too many pages"));
    // Each page comes in time, but all of them take too long.
    let listing = list(&talk);
    for turn in 0..11 {
        talk.server.advance(SECOND * 59);
        talk.answer(&page(&["a"], &format!(r#","nextCursor":"{turn}""#)));
    }
    talk.server.run();
    assert!(listing.take().unwrap().unwrap_err().is_timeout());
    let listing = list(&talk);
    talk.server.run();
    talk.next = 1_014;
    drop(listing);
}

#[test]
fn a_list_of_too_many_elements_is_an_error() {
    let mut talk = Talk::modern();
    let many: Vec<_> = (0..50_001)
        .map(|_| r#"{"name":"a","inputSchema":{}}"#)
        .collect();
    let many = many.join(",");
    let listing = list(&talk);
    for turn in 0..2 {
        talk.server.run();
        talk.answer(&format!(r#"{{"tools":[{many}],"nextCursor":"{turn}"}}"#));
    }
    assert!(words(listing.take()).ends_with("it has too many elements"));
}

/// RSC-06: an error on a later page is no short list.
#[test]
fn an_error_on_a_later_page_is_an_error() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run();
    talk.answer(&page(&["a"], r#","nextCursor":"x""#));
    talk.server.send(error(3, -32603)).run();
    assert!(matches!(kind(listing.take()), ClientErrorKind::Refused(_)));
}

/// C37: once, for what was fetched so far is of an older list.
#[test]
fn a_cursor_that_is_gone_starts_the_list_anew() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run();
    talk.answer(&page(&["old"], r#","nextCursor":"x""#));
    drop(talk.server.take_sent());
    talk.server.send(error(3, -32602));
    talk.server
        .assert_sent(&[&modern_request(4, "tools/list", "", "")]);
    talk.next = 4;
    talk.answer(&page(&["a"], r#","nextCursor":"y""#))
        .answer(&page(&["b"], ""));
    assert_eq!(names(&listing), ["a", "b"]);

    let listing = list(&talk);
    talk.server.run();
    talk.answer(&page(&[], r#","nextCursor":"x""#));
    talk.server.send(error(7, -32602)).run();
    talk.next = 8;
    talk.answer(&page(&[], r#","nextCursor":"x""#));
    drop(talk.server.take_sent());
    talk.server.send(error(9, -32602)).assert_sent(&[]);
    assert!(listing.take().unwrap().is_err());
    // The first page has no cursor that could be gone.
    let listing = list(&talk);
    drop(talk.server.run().take_sent());
    talk.server.send(error(10, -32602)).assert_sent(&[]);
    assert!(listing.take().unwrap().is_err());
}

/// SCH-13, RES-07: one bad tool does not spoil a list; schemas are kept to the byte.
#[test]
fn tools_that_can_not_be_read_are_left_out() {
    let schema = r#"{"type":"object","properties":{"x":true},"additionalProperties":{"type":"array"},"if":{"$anchor":"a"},"then":false,"dependentRequired":{"x":["y"]},"unevaluatedProperties":false,"x-vendor":[1.0,  null]}"#;
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run();
    talk.answer(&format!(
        r#"{{"tools":[{},{{"name":"null","inputSchema":null}},{{"name":"list","inputSchema":[]}},{{"name":"none"}},{{"inputSchema":{{}}}},7,null,{{"name":"odd","inputSchema":{schema},"annotations":7,"icons":"x","new":{{}}}}],"new":1}}"#,
        tool("a")
    ));
    let tools = listing.take().unwrap().unwrap();
    assert_eq!(
        tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(),
        ["a", "odd"]
    );
    assert_eq!(tools[1].input_schema.get(), schema);
}

#[test]
fn a_page_that_is_none_is_malformed() {
    for answer in [
        "{}",
        r#"{"tools":7}"#,
        r#"{"tools":{}}"#,
        r#"{"prompts":[]}"#,
        r#"{"tools":[],"nextCursor":7}"#,
        "null",
    ] {
        let mut talk = Talk::modern();
        let listing = list(&talk);
        talk.server.run();
        talk.answer(answer);
        assert!(
            matches!(kind(listing.take()), ClientErrorKind::Malformed(_)),
            "{answer}"
        );
    }
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run();
    talk.answer(r#"{"tools":null}"#);
    assert!(names(&listing).is_empty());
}

/// C32, C33: fresh until the moment it came plus its time.
#[test]
fn a_list_is_kept_as_long_as_the_server_says() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run().advance(SECOND);
    talk.answer(&page(&["a"], r#","ttlMs":2000,"cacheScope":"public""#));
    assert_eq!(names(&listing), ["a"]);
    drop(talk.server.take_sent());
    talk.server.advance(SECOND * 2 - SECOND / 1000);
    let listing = list(&talk);
    talk.server.assert_sent(&[]);
    assert_eq!(names(&listing), ["a"]);
    // C32: another list, and another page, are other requests.
    let _prompts = talk.start(|c| async move { c.list_all_prompts().await });
    let _page = talk.start(|c| async move { c.list_tools(None).await });
    assert_eq!(talk.methods(), ["prompts/list", "tools/list"]);
    talk.server.advance(SECOND / 1000);
    let _listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
}

/// C33, RES-07: bad hints are none.
#[test]
fn a_list_without_a_good_time_is_not_kept() {
    for hint in [
        "",
        r#","ttlMs":0"#,
        r#","ttlMs":-5"#,
        r#","ttlMs":1.5"#,
        r#","ttlMs":"9""#,
        r#","ttlMs":null,"cacheScope":"""#,
    ] {
        let mut talk = Talk::modern();
        let listing = list(&talk);
        talk.server.run();
        talk.answer(&page(&["a"], hint));
        assert_eq!(names(&listing), ["a"], "{hint}");
        drop(talk.server.take_sent());
        let _listing = list(&talk);
        assert_eq!(talk.methods(), ["tools/list"], "{hint}");
    }
}

/// The page that goes stale first counts, and no time is longer than a day.
#[test]
fn a_list_of_several_pages_is_as_fresh_as_its_stalest() {
    let mut talk = Talk::modern();
    let listing = list(&talk);
    talk.server.run();
    talk.answer(&page(
        &["a"],
        r#","ttlMs":18446744073709551615,"nextCursor":"x""#,
    ));
    talk.answer(&page(&["b"], r#","ttlMs":18446744073709551615"#));
    assert_eq!(names(&listing).len(), 2);
    drop(talk.server.take_sent());
    talk.server.advance(SECOND * 86_399);
    let _listing = list(&talk);
    talk.server.assert_sent(&[]);
    talk.server.advance(SECOND);
    let listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
    talk.answer(&page(&["a"], r#","ttlMs":9000,"nextCursor":"x""#));
    talk.answer(&page(&["b"], ""));
    assert_eq!(names(&listing).len(), 2);
    drop(talk.server.take_sent());
    let _listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
}

fn kept(talk: &mut Talk) {
    let listing = list(talk);
    talk.server.run();
    talk.answer(&page(&["a"], r#","ttlMs":60000"#));
    assert!(listing.take().unwrap().is_ok());
    drop(talk.server.take_sent());
}

/// C36: at once, and also while it is being fetched.
#[test]
fn a_change_makes_a_kept_list_stale() {
    let mut talk = Talk::modern_with(builder(), CHANGES);
    kept(&mut talk);
    talk.server
        .send(CHANGED.replace("tools", "prompts"))
        .send(CHANGED.replace("tools", "resources"))
        .run();
    let _listing = list(&talk);
    talk.server.assert_sent(&[]);
    talk.server.send(CHANGED).run();
    let listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
    talk.server.send(CHANGED).run();
    talk.answer(&page(&["a"], r#","ttlMs":60000"#));
    assert_eq!(names(&listing), ["a"]);
    let _listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
}

/// C36 on a stream of our own; one that the server ends may have kept something back.
#[test]
fn a_stream_that_ends_makes_what_it_watched_stale() {
    let mut talk = Talk::modern_with(builder(), CHANGES);
    let client = talk.client.clone();
    let _events: Events = client.events();
    assert_eq!(talk.methods(), ["subscriptions/listen"]);
    talk.server.send(r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#).run();
    talk.next = 3;
    kept(&mut talk);
    talk.server.send(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#).run();
    kept(&mut talk);
    talk.server.send(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#).run();
    let _listing = list(&talk);
    assert_eq!(talk.methods(), ["tools/list"]);
}

#[test]
fn all_kinds_of_lists_are_read() {
    let mut talk = Talk::modern_with(builder(), OFFERS);
    let listed = talk.start(|c| async move {
        let prompts = c.list_all_prompts().await.unwrap();
        let resources = c.list_all_resources().await.unwrap();
        let templates = c.list_all_resource_templates().await.unwrap();
        (
            prompts[0].name.clone(),
            resources[0].uri.clone(),
            templates[0].uri_template.clone(),
        )
    });
    talk.server.run();
    talk.answer(r#"{"prompts":[{"name":"p"}]}"#);
    talk.answer(r#"{"resources":[{"uri":"u","name":"n"}]}"#);
    talk.answer(r#"{"resourceTemplates":[{"uriTemplate":"u/{x}","name":"n"}]}"#);
    let expected = ("p".to_owned(), "u".to_owned(), "u/{x}".to_owned());
    assert_eq!(listed.take(), Some(expected));
}
