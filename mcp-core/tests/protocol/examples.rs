//! Every example of the specification of 2026-07-28 goes through our types unchanged.

use std::fs;
use std::path::Path;

use mcp_core::protocol::*;
use mcp_core::{ErrorCode, ErrorObject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::through;

#[test]
fn every_example_of_the_specification_reads_and_writes_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec/2026-07-28/examples");
    let mut count = 0;
    let mut failures = Vec::new();
    for kind in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = kind.file_name().into_string().unwrap();
        for file in fs::read_dir(kind.path()).unwrap().map(Result::unwrap) {
            count += 1;
            let text = fs::read_to_string(file.path()).unwrap();
            let example: Value = serde_json::from_str(&text).unwrap();
            match by_type(&name, &example) {
                Ok(written) if written == example => {}
                other => failures.push(format!("{}: {other:?}", file.path().display())),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(count, 129, "examples went missing");
}

/// The table: the name of each folder, and the type it stands for.
#[expect(clippy::too_many_lines, reason = "an exhaustive table")]
fn by_type(name: &str, json: &Value) -> Result<Value, String> {
    match name {
        "AudioContent" | "EmbeddedResource" | "ImageContent" | "ResourceLink" | "TextContent" => {
            known_content(json)
        }
        "BlobResourceContents" => through::<BlobResourceContents>(json),
        "BooleanSchema" => through::<BooleanSchema>(json),
        "CallToolRequest" => request::<CallTool>(json),
        "CallToolRequestParams" => through::<CallToolParams>(json),
        "CallToolResult" => through::<CallToolResult>(json),
        "CallToolResultResponse" => response::<CallTool>(json),
        "CancelledNotification" => notification::<Cancelled>(json),
        "CancelledNotificationParams" => through::<CancelledParams>(json),
        "ClientCapabilities" => through::<ClientCapabilities>(json),
        "CompleteRequest" => request::<Complete>(json),
        "CompleteRequestParams" => through::<CompleteParams>(json),
        "CompleteResult" => through::<CompleteResult>(json),
        "CompleteResultResponse" => response::<Complete>(json),
        "CreateMessageRequest" | "ElicitRequest" => input_request(json),
        "CreateMessageRequestParams" => through::<CreateMessageParams>(json),
        "CreateMessageResult" => through::<CreateMessageResult>(json),
        "DiscoverRequest" => request::<Discover>(json),
        "DiscoverResult" => through::<DiscoverResult>(json),
        "DiscoverResultResponse" => response::<Discover>(json),
        "ElicitRequestFormParams" => through::<ElicitFormParams>(json),
        "ElicitRequestURLParams" => through::<ElicitUrlParams>(json),
        "ElicitResult" => through::<ElicitResult>(json),
        "GetPromptRequest" => request::<GetPrompt>(json),
        "GetPromptRequestParams" => through::<GetPromptParams>(json),
        "GetPromptResult" => through::<GetPromptResult>(json),
        "GetPromptResultResponse" => response::<GetPrompt>(json),
        "HeaderMismatchError" => error(json, ErrorCode::HEADER_MISMATCH),
        "InputRequests" => through::<InputRequests>(json),
        "InputRequiredResult" => through::<InputRequiredResult>(json),
        "InputResponses" => through::<InputResponses>(json),
        "InternalError" | "InvalidParamsError" | "MethodNotFoundError" | "ParseError" => {
            through::<ErrorObject>(json)
        }
        "ListPromptsRequest" => request::<ListPrompts>(json),
        "ListPromptsResult" => through::<ListPromptsResult>(json),
        "ListPromptsResultResponse" => response::<ListPrompts>(json),
        "ListResourceTemplatesRequest" => request::<ListResourceTemplates>(json),
        "ListResourceTemplatesResult" => through::<ListResourceTemplatesResult>(json),
        "ListResourceTemplatesResultResponse" => response::<ListResourceTemplates>(json),
        "ListResourcesRequest" => request::<ListResources>(json),
        "ListResourcesResult" => through::<ListResourcesResult>(json),
        "ListResourcesResultResponse" => response::<ListResources>(json),
        "ListRootsRequest" => list_roots_request(json),
        "ListRootsResult" => through::<ListRootsResult>(json),
        "ListToolsRequest" => request::<ListTools>(json),
        "ListToolsResult" => through::<ListToolsResult>(json),
        "ListToolsResultResponse" => response::<ListTools>(json),
        "LoggingMessageNotification" => notification::<LoggingMessage>(json),
        "LoggingMessageNotificationParams" => through::<LoggingMessageParams>(json),
        "MissingRequiredClientCapabilityError" => {
            error_with_data::<MissingCapabilityData>(json, ErrorCode::MISSING_CLIENT_CAPABILITY)
        }
        "ModelPreferences" => through::<ModelPreferences>(json),
        "NumberSchema" => through::<NumberSchema>(json),
        "PaginatedRequestParams" => through::<PaginatedParams>(json),
        "ProgressNotification" => notification::<Progress>(json),
        "ProgressNotificationParams" => through::<ProgressParams>(json),
        "PromptListChangedNotification" => notification::<PromptListChanged>(json),
        "ReadResourceRequest" => request::<ReadResource>(json),
        "ReadResourceResult" => through::<ReadResourceResult>(json),
        "ReadResourceResultResponse" => response::<ReadResource>(json),
        "Resource" => through::<Resource>(json),
        "ResourceListChangedNotification" => notification::<ResourceListChanged>(json),
        "ResourceUpdatedNotification" => notification::<ResourceUpdated>(json),
        "ResourceUpdatedNotificationParams" => through::<ResourceUpdatedParams>(json),
        "Root" => through::<Root>(json),
        "SamplingMessage" => through::<SamplingMessage>(json),
        "ServerCapabilities" => through::<ServerCapabilities>(json),
        "StringSchema" => through::<StringSchema>(json),
        "SubscriptionsAcknowledgedNotification" => notification::<ListenAcknowledged>(json),
        "SubscriptionsListenRequest" => request::<Listen>(json),
        "SubscriptionsListenResult" => through::<ListenResult>(json),
        "SubscriptionsListenResultResponse" => response::<Listen>(json),
        "TextResourceContents" => through::<TextResourceContents>(json),
        "TitledMultiSelectEnumSchema"
        | "TitledSingleSelectEnumSchema"
        | "UntitledMultiSelectEnumSchema"
        | "UntitledSingleSelectEnumSchema" => known_choice(name, json),
        "Tool" => through::<Tool>(json),
        "ToolListChangedNotification" => notification::<ToolListChanged>(json),
        "ToolResultContent" | "ToolUseContent" => known_sampling_content(json),
        "UnsupportedProtocolVersionError" => {
            error_with_data::<UnsupportedVersionData>(json, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
        }
        _ => Err("no type stands for this folder".to_owned()),
    }
}

/// The members of an object that are exactly these.
fn members(json: &Value, names: &[&str]) -> Result<Map<String, Value>, String> {
    let object = json.as_object().ok_or("not an object")?;
    match object.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("unexpected member {name}")),
        None => Ok(object.clone()),
    }
}

/// Puts the params or the result of a message, read and written, back into it.
fn within<T: Serialize + DeserializeOwned>(
    mut message: Map<String, Value>,
    name: &str,
) -> Result<Value, String> {
    if let Some(inner) = message.get(name) {
        let written = through::<T>(inner)?;
        message.insert(name.to_owned(), written);
    }
    Ok(message.into())
}

fn with_method(message: &Map<String, Value>, method: &str) -> Result<(), String> {
    if message["method"] == method {
        Ok(())
    } else {
        Err(format!("not {method}"))
    }
}

fn request<R: Request>(json: &Value) -> Result<Value, String> {
    let message = members(json, &["jsonrpc", "id", "method", "params"])?;
    with_method(&message, R::METHOD)?;
    within::<R::Params>(message, "params")
}

fn notification<N: Notification>(json: &Value) -> Result<Value, String> {
    let message = members(json, &["jsonrpc", "method", "params"])?;
    with_method(&message, N::METHOD)?;
    within::<N::Params>(message, "params")
}

fn response<R: Request>(json: &Value) -> Result<Value, String> {
    let message = members(json, &["jsonrpc", "id", "result"])?;
    let typed: TypedResult<R::Result> =
        serde_json::from_value(message["result"].clone()).map_err(|error| error.to_string())?;
    assert!(matches!(typed, TypedResult::Complete(_)));
    within::<R::Result>(message, "result")
}

fn error(json: &Value, code: ErrorCode) -> Result<Value, String> {
    assert_eq!(json["error"]["code"], code.get());
    within::<ErrorObject>(members(json, &["jsonrpc", "id", "error"])?, "error")
}

fn error_with_data<T: Serialize + DeserializeOwned>(
    json: &Value,
    code: ErrorCode,
) -> Result<Value, String> {
    assert_eq!(json["error"]["data"], through::<T>(&json["error"]["data"])?);
    error(json, code)
}

fn known_content(json: &Value) -> Result<Value, String> {
    let block: ContentBlock = json
        .to_string()
        .parse::<RawJson>()
        .unwrap()
        .parse()
        .unwrap();
    assert!(!matches!(block, ContentBlock::Other(_)), "{json} is known");
    through::<ContentBlock>(json)
}

fn known_sampling_content(json: &Value) -> Result<Value, String> {
    let block: SamplingContent = serde_json::from_value(json.clone()).unwrap();
    assert!(
        !matches!(block, SamplingContent::Other(_)),
        "{json} is known"
    );
    through::<SamplingContent>(json)
}

fn known_choice(name: &str, json: &Value) -> Result<Value, String> {
    let schema: PrimitiveSchema = serde_json::from_value(json.clone()).unwrap();
    match (name, schema) {
        ("TitledMultiSelectEnumSchema", PrimitiveSchema::TitledChoices(_))
        | ("TitledSingleSelectEnumSchema", PrimitiveSchema::TitledChoice(_))
        | ("UntitledMultiSelectEnumSchema", PrimitiveSchema::Choices(_))
        | ("UntitledSingleSelectEnumSchema", PrimitiveSchema::Choice(_)) => {
            through::<PrimitiveSchema>(json)
        }
        (_, other) => Err(format!("taken for {other:?}")),
    }
}

fn input_request(json: &Value) -> Result<Value, String> {
    let request: InputRequest = serde_json::from_value(json.clone()).unwrap();
    assert!(
        !matches!(request, InputRequest::Other(_)),
        "{json} is known"
    );
    through::<InputRequest>(json)
}

/// The example has an id, which an input request does not: its key in `inputRequests` takes the place.
fn list_roots_request(json: &Value) -> Result<Value, String> {
    let mut written = input_request(json)?;
    assert_eq!(written, json!({"method": "roots/list"}));
    written["id"] = json["id"].clone();
    Ok(written)
}
