//! Requests that both eras have, made into what is asked of the application.

use super::call::{CallRequest, Incoming, Name};
use super::facts::ServerFacts;
use super::params::{Params, invalid_params, string};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{
    CallTool, Complete, CompleteParams, CompletionArgument, CompletionContext, CompletionReference,
    GetPrompt, ListPrompts, ListResourceTemplates, ListResources, ListTools, ReadResource, Request,
};
use crate::server::List;

/// `None` for methods that the server does not have, or the application has nothing to do with.
pub(super) fn read(
    request: &Incoming<'_>,
    facts: &ServerFacts,
) -> Option<Result<CallRequest, ErrorObject>> {
    Some(match &*request.method {
        ListTools::METHOD if facts.offers.tools => list(request, List::Tools),
        CallTool::METHOD if facts.offers.tools => {
            named(request).map(|(name, arguments)| CallRequest::CallTool { name, arguments })
        }
        ListPrompts::METHOD if facts.offers.prompts => list(request, List::Prompts),
        GetPrompt::METHOD if facts.offers.prompts => {
            named(request).map(|(name, arguments)| CallRequest::GetPrompt { name, arguments })
        }
        ListResources::METHOD if facts.offers.resources => list(request, List::Resources),
        ListResourceTemplates::METHOD if facts.offers.resources => list(request, List::Templates),
        ReadResource::METHOD if facts.offers.resources => {
            uri(request).map(|uri| CallRequest::ReadResource { uri })
        }
        Complete::METHOD if facts.offers.completions => {
            complete(request.params).map(|asked| CallRequest::Complete(Box::new(asked)))
        }
        _ => return None,
    })
}

fn list(request: &Incoming<'_>, list: List) -> Result<CallRequest, ErrorObject> {
    let cursor = (request.params.cursor)
        .map(|text| string(text, "`cursor` must be a string"))
        .transpose()?;
    Ok(CallRequest::List {
        list,
        cursor: cursor.map(Into::into),
    })
}

fn named(request: &Incoming<'_>) -> Result<(Name, Option<bytes::Bytes>), ErrorObject> {
    let name = (request.params.name).ok_or_else(|| invalid_params("`name` is missing"))?;
    let name = string(name, "`name` must be a string")?;
    let arguments = request.params.arguments;
    if arguments.is_some_and(|text| !text.starts_with('{')) {
        return Err(invalid_params("`arguments` must be an object"));
    }
    let arguments = arguments.map(|text| request.frame.slice_ref(text.as_bytes()));
    Ok((Name::new(name, request.frame), arguments))
}

/// Longer URIs name nothing, and would only be carried around.
const MAX_URI: usize = 8 << 10;

pub(super) fn uri(request: &Incoming<'_>) -> Result<Name, ErrorObject> {
    let uri = (request.params.uri).ok_or_else(|| invalid_params("`uri` is missing"))?;
    let uri = string(uri, "`uri` must be a string")?;
    if uri.len() > MAX_URI {
        return Err(invalid_params("`uri` is too long"));
    }
    Ok(Name::new(uri, request.frame))
}

fn complete(params: &Params<'_>) -> Result<CompleteParams, ErrorObject> {
    let reference = params
        .reference
        .ok_or_else(|| invalid_params("`ref` is missing"))?;
    let reference: CompletionReference = serde_json::from_str(reference)
        .map_err(|_| invalid_params("`ref` must name a prompt or a resource template"))?;
    let argument = params
        .argument
        .ok_or_else(|| invalid_params("`argument` is missing"))?;
    let argument: CompletionArgument = Some(argument)
        // serde would take an array for a struct as well.
        .filter(|text| text.starts_with('{'))
        .and_then(|text| serde_json::from_str(text).ok())
        .ok_or_else(|| invalid_params("`argument` must hold `name` and `value`, strings"))?;
    let mut asked = CompleteParams::new(reference, argument);
    asked.context = (params.context)
        .map(|text| {
            Some(text)
                .filter(|text| text.starts_with('{'))
                .and_then(|text| serde_json::from_str::<CompletionContext>(text).ok())
                .ok_or_else(|| invalid_params("`context` must hold `arguments`, strings by name"))
        })
        .transpose()?;
    Ok(asked)
}
