//! What peers send instead of what the specification says.

use mcp_core::RequestId;
use mcp_core::protocol::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn read<T: DeserializeOwned>(json: &Value) -> T {
    serde_json::from_str(&json.to_string()).unwrap()
}

fn refused<T: DeserializeOwned + std::fmt::Debug>(json: &Value) {
    serde_json::from_str::<T>(&json.to_string()).unwrap_err();
}

#[test]
fn capabilities_may_be_booleans_and_unknown() {
    let mut server: ServerCapabilities = read(&json!({
        "tools": true, "prompts": false, "resources": {"subscribe": "yes", "listChanged": true},
        "logging": null, "completions": "on", "futureThing": {"x": 1},
        "extensions": {"com.example/a": {"b": 1}, "com.example/c": true, "com.example/d": false},
        "experimental": 7,
    }));
    let expected = ServerCapabilities::new()
        .with_tools(ToolsCapability::new())
        .with_resources(ResourcesCapability::new().with_list_changed(true))
        .with_completions(Declared::new())
        .with_extension("com.example/a", json!({"b": 1}))
        .with_extension("com.example/c", json!({}));
    assert_eq!(server.experimental.take(), Some([].into()));
    assert_eq!(server, expected);
}

#[test]
fn nested_capabilities_may_be_booleans_too() {
    let client: ClientCapabilities = read(&json!({
        "sampling": {"tools": true, "context": false},
        "elicitation": {"form": {}, "url": true},
        "tasks": {"list": true, "requests": {"sampling": {"createMessage": true}, "elicitation": true}},
    }));
    assert_eq!(
        client.sampling,
        Some(SamplingCapability::new().with_tools())
    );
    assert_eq!(
        client.elicitation,
        Some(ElicitationCapability::new().with_form().with_url())
    );
    let requests = client.tasks.unwrap().requests.unwrap();
    assert!(requests.sampling.unwrap().create_message.is_some());
    assert!(requests.elicitation.unwrap().create.is_none());
}

#[test]
fn an_empty_elicitation_capability_means_forms() {
    let mode = |json| {
        let capability: ElicitationCapability = read(&json);
        (capability.supports_form(), capability.supports_url())
    };
    assert_eq!(mode(json!({})), (true, false));
    assert_eq!(mode(json!({"form": {}})), (true, false));
    assert_eq!(mode(json!({"url": {}})), (false, true));
    assert_eq!(mode(json!({"form": {}, "url": {}})), (true, true));
}

#[test]
fn unknown_members_are_ignored() {
    let tool: Tool = read(&json!({"name": "a", "inputSchema": {}, "new": [1], "icons": []}));
    assert_eq!(tool, Tool::new("a", RawJson::empty_object()).with_icons([]));
    let list: ListToolsResult = read(&json!({"tools": [], "serverTime": 5, "nextCursor": null}));
    assert_eq!(list, ListToolsResult::new([]));
}

#[test]
fn malformed_optional_members_read_as_absent() {
    let tool: Tool = read(&json!({
        "name": "a", "inputSchema": {}, "title": 5, "description": null, "annotations": "none",
        "icons": {"src": "x"}, "_meta": [],
    }));
    assert_eq!(tool, Tool::new("a", RawJson::empty_object()));
    let resource: Resource = read(&json!({
        "uri": "a:b", "name": "b", "size": -1, "annotations": {"priority": "high", "audience": ["user"]},
    }));
    let annotations = Annotations::new().with_audience([Role::User]);
    assert_eq!(
        resource,
        Resource::new("a:b", "b").with_annotations(annotations)
    );
}

#[test]
fn malformed_members_that_change_what_is_asked_are_refused() {
    refused::<PaginatedParams>(&json!({"cursor": 5}));
    refused::<GetPromptParams>(&json!({"name": "a", "arguments": {"b": 1}}));
    refused::<CallToolParams>(&json!({"name": "a", "requestState": {}}));
    refused::<CallToolParams>(&json!({"name": "a", "inputResponses": 3}));
    refused::<CallToolParams>(&json!({"arguments": {}}));
    refused::<ContentBlock>(&json!({"type": "text"}));
    refused::<ContentBlock>(&json!({"text": "a"}));
}

#[test]
fn unknown_strings_are_kept() {
    let result: CreateMessageResult = read(&json!({
        "role": "narrator", "content": {"type": "text", "text": "a"}, "model": "m", "stopReason": "bored",
    }));
    assert_eq!(result.role, Role::Other("narrator".to_owned()));
    assert_eq!(
        result.stop_reason,
        Some(StopReason::Other("bored".to_owned()))
    );
    let task = json!({
        "taskId": "t", "status": "paused", "createdAt": "a", "lastUpdatedAt": "b", "ttl": null,
    });
    assert_eq!(crate::through::<Task>(&task).unwrap(), task);
    let level: LoggingLevel = read(&json!("loud"));
    assert_eq!((level.severity(), level.as_str()), (None, "loud"));
}

#[test]
fn strings_with_escapes_are_known_too() {
    let role: Role = serde_json::from_str(r#""\u0075ser""#).unwrap();
    assert_eq!(role, Role::User);
    let block: ContentBlock = serde_json::from_str(r#"{"type":"te\u0078t","text":"a"}"#).unwrap();
    assert_eq!(block, ContentBlock::text("a"));
}

#[test]
fn unknown_kinds_are_kept_byte_for_byte() {
    let text = r#"{ "type":"hologram",  "frames":[1.0, 2e3] }"#;
    let block: ContentBlock = serde_json::from_str(text).unwrap();
    assert_eq!(block, ContentBlock::Other(text.parse().unwrap()));
    assert_eq!(serde_json::to_string(&block).unwrap(), text);
    let block: SamplingContent = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&block).unwrap(), text);

    let contents = r#"{"uri":"a:b",  "ref":"elsewhere"}"#;
    let read: ResourceContents = serde_json::from_str(contents).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), contents);

    let request = r#"{"method":"dance/begin",  "params":[]}"#;
    let read: InputRequest = serde_json::from_str(request).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), request);

    let params = r#"{"mode":"voice",  "message":"say it"}"#;
    let read: ElicitParams = serde_json::from_str(params).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), params);

    let schema = r#"{"type":"object",  "properties":{}}"#;
    let read: PrimitiveSchema = serde_json::from_str(schema).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), schema);
}

#[test]
fn results_are_told_apart_by_their_type() {
    type Typed = TypedResult<CallToolResult>;
    let complete = TypedResult::Complete(CallToolResult::new([]));
    assert_eq!(read::<Typed>(&json!({"content": []})), complete);
    assert_eq!(
        read::<Typed>(&json!({"content": [], "resultType": null})),
        complete
    );
    let Typed::InputRequired(required) =
        read(&json!({"resultType": "input_required", "requestState": ""}))
    else {
        panic!("input is required");
    };
    assert_eq!(required.request_state.as_deref(), Some(""));
    let task = r#"{"resultType":"task", "taskId":"t"}"#;
    let other: Typed = serde_json::from_str(task).unwrap();
    assert_eq!(other, TypedResult::Other(task.parse().unwrap()));
    refused::<Typed>(&json!({"content": [], "resultType": 5}));
}

#[test]
fn structured_content_that_is_null_is_not_absent() {
    let null: CallToolResult = read(&json!({"content": [], "structuredContent": null}));
    assert_eq!(null.structured_content, Some(RawJson::null()));
    let written = serde_json::to_string(&null).unwrap();
    assert_eq!(written, r#"{"content":[],"structuredContent":null}"#);
    let absent: CallToolResult = read(&json!({"content": []}));
    assert_eq!(absent.structured_content, None);
    assert_eq!(serde_json::to_string(&absent).unwrap(), r#"{"content":[]}"#);
}

#[test]
fn a_result_without_content_has_none() {
    let result: CallToolResult = read(&json!({"structuredContent": {"a": 1}}));
    assert!(result.content.is_empty());
}

#[test]
fn an_input_request_may_lack_its_params() {
    let roots = InputRequest::ListRoots(RequestParams::new());
    assert_eq!(
        read::<InputRequest>(&json!({"method": "roots/list"})),
        roots
    );
    assert_eq!(
        read::<InputRequest>(&json!({"method": "roots/list", "params": null})),
        roots
    );
    refused::<InputRequest>(&json!({"method": "elicitation/create"}));
    refused::<InputRequest>(&json!({"params": {}}));
}

#[test]
fn lists_may_be_null() {
    assert_eq!(
        read::<ListToolsResult>(&json!({"tools": null})),
        ListToolsResult::new([])
    );
    assert_eq!(
        read::<CallToolResult>(&json!({"content": null})),
        CallToolResult::new([])
    );
    assert_eq!(
        read::<ListRootsResult>(&json!({"roots": null})),
        ListRootsResult::new([])
    );
    refused::<ListToolsResult>(&json!({}));
}

#[test]
fn a_missing_resource_has_the_code_of_its_revision() {
    let code = |version| {
        let error = ResourceNotFoundData::new("a:b").into_error(version);
        assert_eq!(error.data_as(), Some(ResourceNotFoundData::new("a:b")));
        error.code.get()
    };
    assert_eq!(
        ProtocolVersion::ALL.map(code),
        [-32002, -32002, -32002, -32002, -32602]
    );
}

#[test]
fn empty_cursors_and_states_are_values() {
    let params: PaginatedParams = read(&json!({"cursor": ""}));
    assert_eq!(params.cursor, Some("".into()));
    let call: CallToolParams =
        read(&json!({"name": "a", "requestState": "", "inputResponses": {"k": null, "n": 4}}));
    assert_eq!(call.request_state.as_deref(), Some(""));
    assert_eq!(call.input_responses.unwrap()["k"], RawJson::null());
}

#[test]
fn a_cancellation_may_lack_its_request() {
    for params in [json!({}), json!({"requestId": null})] {
        assert_eq!(read::<CancelledParams>(&params), CancelledParams::new());
    }
    let params: CancelledParams = read(&json!({"requestId": 0, "reason": 9}));
    assert_eq!(params, CancelledParams::new().with_request_id(0_i64));
}

#[test]
fn schemas_and_arguments_keep_every_byte() {
    let text =
        r#"{"name":"a","inputSchema":{"type":"object", "x-vendor":1.0,"properties":{"b":true}}}"#;
    let tool: Tool = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&tool).unwrap(), text);
    let text = r#"{"name":"a","arguments":{"n":18446744073709551616, "e":1e400}}"#;
    let call: CallToolParams = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&call).unwrap(), text);
}

#[test]
fn a_tool_without_a_schema_does_not_spoil_its_list() {
    let list: ListToolsResult =
        read(&json!({"tools": [{"name": "bad"}, {"name": "good", "inputSchema": {}}]}));
    let usable: Vec<bool> = list
        .tools
        .iter()
        .map(|tool| tool.input_schema.is_object())
        .collect();
    assert_eq!(usable, [false, true]);
}

#[test]
fn foreign_text_becomes_one_line() {
    let pretty = "{\r\n  \"type\": \"hologram\",\n  \"note\": \"a\\nb\"\n}";
    let block: ContentBlock = serde_json::from_str(pretty).unwrap();
    let line = r#"{  "type": "hologram",  "note": "a\nb"}"#;
    assert_eq!(serde_json::to_string(&block).unwrap(), line);
}

#[test]
fn raw_json_survives_values_in_both_directions() {
    let json = json!({"content": [{"type": "odd", "x": [1, 2]}], "structuredContent": [null], "_meta": {"a": {"b": 1}}});
    let result: CallToolResult = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(result).unwrap(), json);
}

#[test]
fn fractions_and_large_numbers_are_written_as_they_are() {
    let write = |n: f64| serde_json::to_string(&ProgressParams::new("t", n));
    assert_eq!(
        write(0.5).unwrap(),
        r#"{"progressToken":"t","progress":0.5}"#
    );
    assert_eq!(
        write(1e300).unwrap(),
        r#"{"progressToken":"t","progress":1e+300}"#
    );
    write(f64::NAN).unwrap_err();
    write(f64::INFINITY).unwrap_err();
}

#[test]
fn sampling_content_stands_alone_or_in_an_array() {
    let one = json!({"role": "user", "content": {"type": "text", "text": "a"}});
    let wrapped = json!({"role": "user", "content": [{"type": "text", "text": "a"}]});
    assert_eq!(
        read::<SamplingMessage>(&one),
        read::<SamplingMessage>(&wrapped)
    );
    assert_eq!(crate::through::<SamplingMessage>(&wrapped).unwrap(), one);
    let none = json!({"role": "user", "content": []});
    assert_eq!(crate::through::<SamplingMessage>(&none).unwrap(), none);
}

#[test]
fn fields_of_a_form_keep_their_order() {
    let text = r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","minimum":9007199254740993}}}"#;
    let form: FormSchema = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&form).unwrap(), text);
    assert!(matches!(
        form.properties.get("a"),
        Some(PrimitiveSchema::Number(_))
    ));
}

#[test]
fn metadata_has_typed_entries() {
    let info = Implementation::new("c", "1").with_title("C");
    let client = ClientCapabilities::new().with_roots(RootsCapability::new());
    let meta = Meta::new()
        .with_protocol_version(ProtocolVersion::LATEST)
        .with_client_info(&info)
        .with_client_capabilities(&client)
        .with_log_level(&LoggingLevel::Notice)
        .with_subscription_id(&RequestId::from("L"))
        .with_related_task(&RelatedTask::new("t"))
        .with_server_info(&info);
    let meta: Meta = read(&serde_json::to_value(meta).unwrap());
    assert_eq!(meta.protocol_version().as_deref(), Some("2026-07-28"));
    assert_eq!(meta.client_info().as_ref(), Some(&info));
    assert_eq!(meta.server_info(), Some(info));
    assert_eq!(meta.client_capabilities(), Some(client));
    assert_eq!(meta.log_level(), Some(LoggingLevel::Notice));
    assert_eq!(meta.subscription_id(), Some(RequestId::from("L")));
    assert_eq!(meta.related_task(), Some(RelatedTask::new("t")));
    let malformed = Meta::new().with(Meta::PROTOCOL_VERSION, json!(5));
    assert_eq!(malformed.protocol_version(), None);
}

#[test]
fn versions_are_opaque_strings_in_order() {
    for version in ProtocolVersion::ALL {
        assert_eq!(ProtocolVersion::parse(version.as_str()), Some(version));
    }
    assert!(ProtocolVersion::ALL.is_sorted());
    assert_eq!(ProtocolVersion::parse("2025-6-18"), None);
    assert_eq!(ProtocolVersion::parse(" 2025-06-18"), None);
    assert_eq!(ProtocolVersion::LATEST_LEGACY.era(), Era::Legacy);
    assert_eq!(ProtocolVersion::LATEST.era(), Era::Modern);
    assert_eq!(
        ProtocolVersion::ALL.map(ProtocolVersion::has_batching),
        [false, true, false, false, false]
    );
}

#[test]
fn bytes_are_read_from_what_is_bytes_in_good_base64_only() {
    let contents: Vec<ResourceContents> = read(&json!([
        {"uri": "a:b", "blob": "AQI="}, {"uri": "a:b", "blob": ""},
        {"uri": "a:b", "blob": "AQI"}, {"uri": "a:b", "blob": "no base64"},
        {"uri": "a:b", "text": "AQI="}, {"uri": "a:b"},
    ]));
    let bytes: Vec<_> = contents.iter().map(ResourceContents::to_bytes).collect();
    let expected = [Some(vec![1, 2]), Some(vec![]), None, None, None, None];
    assert_eq!(bytes, expected);
    let blocks: Vec<ContentBlock> = read(&json!([
        {"type": "image", "data": "AQI=", "mimeType": "image/gif"},
        {"type": "audio", "data": "Aw==", "mimeType": "audio/wav"},
        {"type": "audio", "data": "%", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "a:b", "blob": "BA=="}},
        {"type": "text", "text": "AQI="},
    ]));
    let bytes: Vec<_> = blocks.iter().map(ContentBlock::to_bytes).collect();
    let expected = [Some(vec![1, 2]), Some(vec![3]), None, Some(vec![4]), None];
    assert_eq!(bytes, expected);
}
